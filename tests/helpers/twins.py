"""torch's own modules as oracles: made of the same sizes, given the same weights, asked the same questions."""

import warnings

import torch
from torch import Tensor, nn

from transformer_course.attention import MultiHeadAttention
from transformer_course.layers import DecoderLayer, EncoderLayer, FeedForward, LayerNorm
from transformer_course.transformer import Decoder, Encoder

Pairs = list[tuple[list[Tensor], Tensor]]  # some of our parameters, and the one of torch's that holds all of them in a row


def random(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


def random_mask(*shape: int, seed: int = 0) -> Tensor:
    """Boolean, every row with a key at least, and nothing regular about it."""
    draw = torch.Generator().manual_seed(seed)
    mask = torch.rand(shape, generator=draw) < 0.5
    kept = torch.randint(shape[-1], shape[:-1], generator=draw)
    return mask.scatter(-1, kept[..., None], True)


def scatter_parameters(module: nn.Module, seed: int = 1) -> nn.Module:
    """Draw all parameters anew, in float64: as they start, biases and betas are 0 and hide mistakes."""
    module.double().train()
    draw = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.randn(p.shape, dtype=torch.float64, generator=draw) / max(p.shape[-1], 1) ** 0.5 + (p.ndim == 1))
    return module


def linear(ours: nn.Linear, theirs: nn.Linear) -> Pairs:
    return [([ours.weight], theirs.weight), ([ours.bias], theirs.bias)]


def norm(ours: LayerNorm, theirs: nn.LayerNorm) -> Pairs:
    return [([ours.gamma], theirs.weight), ([ours.beta], theirs.bias)]


def attention(ours: MultiHeadAttention, theirs: nn.MultiheadAttention) -> Pairs:
    three = ours.w_q, ours.w_k, ours.w_v
    pairs = [([w.weight for w in three], theirs.in_proj_weight), ([ours.w_o.weight], theirs.out_proj.weight)]
    if theirs.in_proj_bias is not None:
        pairs += [([w.bias for w in three], theirs.in_proj_bias), ([ours.w_o.bias], theirs.out_proj.bias)]
    return pairs


def feed_forward(ours: FeedForward, theirs: nn.Module) -> Pairs:
    return [*linear(ours.w_1, theirs.linear1), *linear(ours.w_2, theirs.linear2)]


def encoder_layer(ours: EncoderLayer, theirs: nn.TransformerEncoderLayer) -> Pairs:
    return [
        *attention(ours.self_attention, theirs.self_attn),
        *feed_forward(ours.feed_forward, theirs),
        *norm(ours.attention_residual.norm, theirs.norm1),
        *norm(ours.feed_forward_residual.norm, theirs.norm2),
    ]


def decoder_layer(ours: DecoderLayer, theirs: nn.TransformerDecoderLayer) -> Pairs:
    return [
        *attention(ours.self_attention, theirs.self_attn),
        *attention(ours.cross_attention, theirs.multihead_attn),
        *feed_forward(ours.feed_forward, theirs),
        *norm(ours.self_attention_residual.norm, theirs.norm1),
        *norm(ours.cross_attention_residual.norm, theirs.norm2),
        *norm(ours.feed_forward_residual.norm, theirs.norm3),
    ]


def stack(ours: Encoder | Decoder, theirs: nn.TransformerEncoder | nn.TransformerDecoder) -> Pairs:
    layer = encoder_layer if isinstance(theirs, nn.TransformerEncoder) else decoder_layer
    pairs = [pair for mine, other in zip(ours.layers, theirs.layers, strict=True) for pair in layer(mine, other)]
    return pairs + (norm(ours.norm, theirs.norm) if theirs.norm is not None else [])


def torch_transformer(**sizes) -> nn.Transformer:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "enable_nested_tensor is True")  # its default, which it then cannot use
        return nn.Transformer(**sizes, dropout=0.0, batch_first=True, dtype=torch.float64)


def share(pairs: Pairs, theirs: nn.Module) -> None:
    """Copy our weights into torch's module; every parameter of it must have got some."""
    theirs.train()
    assert {id(p) for _, p in pairs} == {id(p) for p in theirs.parameters()}
    with torch.no_grad():
        for mine, other in pairs:
            other.copy_(torch.cat(mine))


def assert_equal(mine: Tensor, other: Tensor, inputs: list[Tensor], their_inputs: list[Tensor], pairs: Pairs) -> None:
    """The same values, and the same gradients of a random direction for inputs and parameters, to 1e-6."""
    torch.testing.assert_close(mine, other, rtol=0, atol=1e-6)
    direction = random(*mine.shape, seed=99)
    (mine * direction).sum().backward()
    (other * direction).sum().backward()
    for a, b in zip(inputs, their_inputs, strict=True):
        torch.testing.assert_close(a.grad, b.grad, rtol=0, atol=1e-6)
    for ours, theirs in pairs:
        torch.testing.assert_close(torch.cat([p.grad for p in ours]), theirs.grad, rtol=0, atol=1e-6)


def leaves(*shapes: tuple[int, ...]) -> tuple[list[Tensor], list[Tensor]]:
    """The same random inputs twice, each with a gradient of its own."""
    return tuple([random(*shape, seed=i).requires_grad_() for i, shape in enumerate(shapes)] for _ in range(2))
