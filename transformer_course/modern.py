"""The parts that language models of the 2020s have where the block of 2017 had others, each with the same shapes.

RMSNorm takes the place of LayerNorm, SwiGLU that of the feed-forward network with ReLU, and grouped-query attention that of
attention in which each head has keys and values of its own. A sliding window is a mask. Rotary positions are in `positions`,
and mixtures of experts in `experts`.

Shapes: ``b`` batch, ``h`` heads, ``g`` groups, ``n`` queries, ``m`` keys, ``d`` width.
"""

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.attention import MultiHeadAttention
from transformer_course.masks import causal_mask
from transformer_course.positions import Scheme


class RMSNorm(nn.Module):
    """Divide each vector by its root mean square: ``gamma * x / sqrt(mean(x²) + eps)``, with a learned gain gamma.

    In contrast to LayerNorm, no mean is subtracted and no bias added. gamma starts at 1.

    Raises ValueError if the input's width is not ``d_model``.
    Source: Zhang and Sennrich 2019, "Root Mean Square Layer Normalization", section 3, equation 4.
    """

    def __init__(self, d_model: int, eps: float = 1e-5):
        super().__init__()
        self.gamma, self.eps = nn.Parameter(torch.ones(d_model)), eps

    def forward(self, x: Float[Tensor, "... d"]) -> Float[Tensor, "... d"]:
        """Return ``x`` with each vector normalised."""
        if x.shape[-1:] != self.gamma.shape:
            raise ValueError(f"this RMSNorm expects vectors of width {len(self.gamma)}, got {tuple(x.shape)}")
        return F.rms_norm(x, x.shape[-1:], self.gamma, self.eps)


class SwiGLU(nn.Module):
    """A feed-forward network with a gate: ``W_down (silu(W_gate x) * W_up x)``, where ``silu(z) = z * sigmoid(z)``.

    It has three matrices without bias. With ``d_ff`` two-thirds as large, it has as many parameters as `FeedForward`, which
    has two.

    Raises ValueError if the input's width is not ``d_model``.
    Source: Shazeer 2020, "GLU Variants Improve Transformer", section 2, equation 6.
    """

    def __init__(self, d_model: int, d_ff: int):
        super().__init__()
        self.w_gate, self.w_up = nn.Linear(d_model, d_ff, bias=False), nn.Linear(d_model, d_ff, bias=False)
        self.w_down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x: Float[Tensor, "... d"]) -> Float[Tensor, "... d"]:
        """Return one vector of width ``d_model`` per token."""
        if x.shape[-1] != self.w_up.in_features:
            raise ValueError(f"this SwiGLU expects vectors of width {self.w_up.in_features}, got {tuple(x.shape)}")
        return self.w_down(F.silu(self.w_gate(x)) * self.w_up(x))


class GroupedQueryAttention(MultiHeadAttention):
    """Attention in which the heads of a group share one key and one value per token.

    Heads 0 … h/g - 1 are group 0, and so on. With ``num_groups`` = ``num_heads`` this is `MultiHeadAttention`, and with 1
    it is multi-query attention. A cache holds keys and values of the groups only, (b, g, m, d_k).

    Raises ValueError unless ``num_groups`` divides ``num_heads``, and for all that `MultiHeadAttention` rejects.
    Source: Ainslie et al. 2023, "GQA: Training Generalized Multi-Query Transformer Models from Multi-Head Checkpoints",
    section 2.2; one group: Shazeer 2019, "Fast Transformer Decoding: One Write-Head is All You Need", section 3.
    """

    def __init__(self, d_model: int, num_heads: int, num_groups: int, bias: bool = True, positions: str | Scheme = "none"):
        super().__init__(d_model, num_heads, bias=bias, positions=positions)
        if num_groups < 1 or num_heads % num_groups:
            raise ValueError(
                f"num_groups must divide num_heads, got {num_groups} groups for {num_heads} heads; "
                "try a number of groups that leaves each group the same number of heads"
            )
        self.num_groups, self.width = num_groups, d_model // num_heads
        self.w_k = nn.Linear(d_model, num_groups * self.width, bias)
        self.w_v = nn.Linear(d_model, num_groups * self.width, bias)

    def _split(self, x: Float[Tensor, "b n columns"]) -> Float[Tensor, "b heads n d"]:
        """Give each head, or each group, its own block of consecutive columns."""
        return x.unflatten(-1, (-1, self.width)).transpose(1, 2)

    def _attend(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, bias: Tensor | None, return_weights: bool):
        """Give each head the key and the value of its group, and attend as ever."""
        k, v = (x.repeat_interleave(self.num_heads // self.num_groups, dim=1) for x in (k, v))
        return super()._attend(q, k, v, mask, bias, return_weights)


def sliding_window_mask(n: int, window: int) -> Bool[Tensor, "n n"]:
    """Return the mask that lets token ``i`` attend to the last ``window`` tokens up to itself: ``i - window + 1`` … ``i``.

    With ``window`` of ``n`` or more, this is `causal_mask`. Through several layers, information still travels further: by
    ``window - 1`` tokens in each.

    Raises ValueError if ``n`` or ``window`` is below 1.
    Source: Beltagy, Peters and Cohan 2020, "Longformer: The Long-Document Transformer", section 3.1; Jiang et al. 2023,
    "Mistral 7B", section 2.
    """
    if window < 1:
        raise ValueError(f"a window must let each token see at least itself, got {window}; try 1 or more")
    return causal_mask(n).triu(1 - window)
