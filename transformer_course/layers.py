"""What stands around attention: normalisation, the feed-forward network, the residual; and the two layers made of them.

Shapes: ``b`` batch, ``n`` tokens, ``m`` tokens of the memory, ``d`` width.
"""

from collections.abc import Callable
from typing import Literal

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.attention import MultiHeadAttention
from transformer_course.cache import KeyValueCache

NormOrder = Literal["pre", "post"]
Activation = Literal["relu", "gelu"]


def layer_norm(
    x: Float[Tensor, "... d"], gamma: Float[Tensor, "d"], beta: Float[Tensor, "d"], eps: float = 1e-5
) -> Float[Tensor, "... d"]:
    """Centre and scale every vector by its own mean and variance: ``gamma * (x - mean) / sqrt(variance + eps) + beta``.

    Mean and variance are those of one token's ``d`` numbers; other tokens and other samples play no part. The variance
    is the mean of the squared differences, over d and not over d - 1. One ``eps``, inside the root, keeps a constant
    vector from dividing by 0.

    Raises ValueError when gamma and beta have not the width of ``x``.
    Source: Ba, Kiros and Hinton 2016, "Layer Normalization", section 3, equations 3 and 4; gamma and beta are
    their gain and bias.
    """
    if gamma.shape != x.shape[-1:] or beta.shape != x.shape[-1:]:
        raise ValueError(
            f"gamma and beta need the width of x {tuple(x.shape)}, saw {tuple(gamma.shape)} and {tuple(beta.shape)}"
        )
    centred = x - x.mean(-1, keepdim=True)
    variance = (centred**2).mean(-1, keepdim=True)
    return gamma * centred / torch.sqrt(variance + eps) + beta


class LayerNorm(nn.Module):
    """`layer_norm` with a learned gain and bias for each dimension: gamma starts at 1, beta at 0."""

    def __init__(self, d_model: int, eps: float = 1e-5):
        super().__init__()
        self.gamma, self.beta = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model))
        self.d_model, self.eps = d_model, eps

    def forward(self, x: Float[Tensor, "... d"]) -> Float[Tensor, "... d"]:
        """Return ``x`` normalised, vector by vector; raises ValueError for another width."""
        if x.shape[-1:] != self.gamma.shape:
            raise ValueError(f"this LayerNorm needs vectors of width {len(self.gamma)}, saw {tuple(x.shape)}")
        return F.layer_norm(
            x, x.shape[-1:], self.gamma, self.beta, self.eps
        )  # `layer_norm` in one kernel, three times as fast


def dropout(x: Tensor, share: float, training: bool) -> Tensor:
    """Set a random share of ``x`` to 0 while training, and scale the rest up to keep the mean (`F.dropout`)."""
    return F.dropout(x, share) if training and share else x  # in decoding, even a call that does nothing costs


class FeedForward(nn.Module):
    """Two linear maps with a bend between them, the same for each token: ``W2 f(W1 x + b1) + b2``, d_model -> d_ff -> d_model.

    Tokens do not meet here. ``activation`` is the bend, without which the two maps would be one: ``"relu"``, max(0, x), or
    the smoother ``"gelu"``.

    Raises ValueError for an activation of another name.
    Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.3; Hendrycks and Gimpel 2016, "Gaussian Error Linear
    Units", section 2.
    """

    def __init__(self, d_model: int, d_ff: int, dropout: float = 0.0, activation: Activation = "relu"):
        super().__init__()
        if activation not in ("relu", "gelu"):
            raise ValueError(f'activation is "relu" or "gelu", saw {activation!r}')
        self.w_1, self.w_2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.activation = F.relu if activation == "relu" else F.gelu
        self.dropout = dropout

    def forward(self, x: Float[Tensor, "... d"]) -> Float[Tensor, "... d"]:
        """Return one vector for each token, of the width it had; raises ValueError for another width than d_model."""
        if x.shape[-1] != self.w_1.in_features:
            raise ValueError(f"this feed-forward network needs vectors of width {self.w_1.in_features}, saw {tuple(x.shape)}")
        return self.w_2(dropout(self.activation(self.w_1(x)), self.dropout, self.training))


class Residual(nn.Module):
    """Add what a sublayer makes of its input to that input, and normalise before or after.

    The vectors that pass through a model from sum to sum are called its stream. ``norm="pre"`` is
    ``x + sublayer(norm(x))``, so the stream itself is never rescaled; ``norm="post"`` is ``norm(x + sublayer(x))``, as in
    the paper.

    Raises ValueError for an order of another name.
    Source: He et al. 2016, "Deep Residual Learning for Image Recognition", section 3.2, equation 1; Vaswani et al. 2017,
    section 3.1 (post); Xiong et al. 2020, "On Layer Normalization in the Transformer Architecture", table 1 (both).
    """

    def __init__(self, d_model: int, dropout: float = 0.0, norm: NormOrder = "pre"):
        super().__init__()
        if norm not in ("pre", "post"):
            raise ValueError(f'norm is "pre" or "post", saw {norm!r}')
        self.norm, self.order, self.dropout = LayerNorm(d_model), norm, dropout

    def forward(self, x: Float[Tensor, "b n d"], sublayer: Callable[[Tensor], Tensor]) -> Float[Tensor, "b n d"]:
        """Return the stream after ``sublayer``, a function of (b, n, d) to (b, n, d)."""
        if self.order == "pre":
            return x + dropout(sublayer(self.norm(x)), self.dropout, self.training)
        return self.norm(x + dropout(sublayer(x), self.dropout, self.training))


class EncoderLayer(nn.Module):
    """Self-attention, then the feed-forward network, each with its residual and norm.

    With a causal mask this is also the layer of a GPT.

    Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.1; dropout of sublayers: section 5.4,
    of attention weights and hidden units: its authors' code, tensor2tensor.
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        d_ff: int,
        dropout: float = 0.0,
        norm: NormOrder = "pre",
        activation: Activation = "relu",
        rotary: bool = False,
    ):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, rotary=rotary)
        self.feed_forward = FeedForward(d_model, d_ff, dropout, activation)
        self.attention_residual = Residual(d_model, dropout, norm)
        self.feed_forward_residual = Residual(d_model, dropout, norm)

    def forward(
        self, x: Float[Tensor, "b n d"], mask: Bool[Tensor, "..."] | None = None, cache: KeyValueCache | None = None
    ) -> Float[Tensor, "b n d"]:
        """Return the stream after both sublayers. Masks, cache and errors are those of `MultiHeadAttention`."""
        x = self.attention_residual(x, lambda y: self.self_attention(y, y, y, mask, cache))
        return self.feed_forward_residual(x, self.feed_forward)


class DecoderLayer(nn.Module):
    """Masked self-attention, cross-attention into the encoder's output, then the feed-forward network.

    In cross-attention the queries come from the decoder's stream, keys and values from the memory. ``rotary`` positions
    turn the self-attention's alone: a place in the source and one in the target have no common measure.

    Source: Vaswani et al. 2017, "Attention Is All You Need", sections 3.1 and 3.2.3; dropout as in `EncoderLayer`.
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        d_ff: int,
        dropout: float = 0.0,
        norm: NormOrder = "pre",
        activation: Activation = "relu",
        rotary: bool = False,
    ):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, rotary=rotary)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout=dropout)
        self.feed_forward = FeedForward(d_model, d_ff, dropout, activation)
        self.self_attention_residual = Residual(d_model, dropout, norm)
        self.cross_attention_residual = Residual(d_model, dropout, norm)
        self.feed_forward_residual = Residual(d_model, dropout, norm)

    def forward(
        self,
        x: Float[Tensor, "b n d"],
        memory: Float[Tensor, "b m d"],
        mask: Bool[Tensor, "..."] | None = None,
        memory_mask: Bool[Tensor, "..."] | None = None,
        caches: tuple[KeyValueCache, KeyValueCache] | None = None,
    ) -> Float[Tensor, "b n d"]:
        """Return the stream after all three sublayers.

        ``mask`` says which tokens of ``x`` each of them may attend to (usually `causal_mask`), ``memory_mask`` which of
        the memory (usually `padding_mask` of the source). ``caches`` are one for the tokens so far and one for the
        memory, whose keys and values are computed at the first call alone.
        """
        own, of_memory = caches or (None, None)
        source = None if of_memory is not None and of_memory.length else memory
        x = self.self_attention_residual(x, lambda y: self.self_attention(y, y, y, mask, own))
        x = self.cross_attention_residual(x, lambda y: self.cross_attention(y, source, source, memory_mask, of_memory))
        return self.feed_forward_residual(x, self.feed_forward)
