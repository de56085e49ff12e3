"""The course's own parts of the Build compute what the library computes, in values and gradients."""

import pytest
import torch
from torch.nn import functional as F
from twins import random, random_mask, scatter_parameters

from transformer_course import attention, build_parts, family, layers
from transformer_course.config import TransformerConfig
from transformer_course.masks import causal_mask

D, HEADS, WIDE = 6, 2, 10
BLOCK = {
    "attention_residual.norm": "norm_1",
    "self_attention": "attention",
    "feed_forward_residual.norm": "norm_2",
    "feed_forward": "feed_forward",
}
TABLE = "input.embedding.table"


def assert_same(part, library, call, names=lambda name: name, scales=()):
    """The outputs and all gradients are the same, and no parameter is left over.

    ``names`` translates the library's names of parameters into the part's; ``scales`` has those that the library multiplies.
    """
    own, scales = dict(scatter_parameters(part).named_parameters()), dict(scales)
    weights = {name: own[names(name)] / scales.get(name, 1) for name in library.state_dict()}
    library.double().load_state_dict(weights)
    assert len(own) == len(weights)
    outputs = []
    for module in (part, library):
        outputs.append(call(module))
        (outputs[-1] * random(*outputs[-1].shape, seed=7)).sum().backward()
    torch.testing.assert_close(*outputs, rtol=1e-6, atol=1e-6)
    for name, parameter in library.named_parameters():
        torch.testing.assert_close(own[names(name)].grad, parameter.grad / scales.get(name, 1), rtol=1e-6, atol=1e-6)


def in_block(name: str) -> str:
    module = max((each for each in BLOCK if name.startswith(f"{each}.")), key=len)
    return name.replace(module, BLOCK[module], 1)


def in_gpt(name: str) -> str:
    if name.startswith("stack.layers."):
        number, _, rest = name.removeprefix("stack.layers.").partition(".")
        return f"blocks.{number}.{in_block(rest)}"
    renamed = {TABLE: "tokens.weight", "input.positions.table": "positions.weight"}
    return renamed.get(name, name.replace("stack.norm", "final_norm"))


@pytest.mark.parametrize("masked", [False, True])
def test_multi_head_attention(masked):
    query, memory = random(2, 4, D), random(2, 5, D, seed=1)
    mask = random_mask(2, 4, 5) if masked else None
    part, library = build_parts.MultiHeadAttention(D, HEADS), attention.MultiHeadAttention(D, HEADS)
    assert_same(part, library, lambda module: module(query, memory, memory, mask))


def test_causal_head():
    x, part = random(2, 4, D), scatter_parameters(build_parts.CausalHead(D, 3))
    q, k, v = (F.linear(x, w.weight) for w in (part.w_q, part.w_k, part.w_v))
    expected, _ = attention.scaled_dot_product_attention(q, k, v, causal_mask(4))
    torch.testing.assert_close(part(x), expected, rtol=1e-6, atol=1e-6)


def test_layer_norm_and_feed_forward():
    for name, sizes in (("LayerNorm", (D,)), ("FeedForward", (D, WIDE))):
        part, library = getattr(build_parts, name)(*sizes), getattr(layers, name)(*sizes)
        assert_same(part, library, lambda module: module(random(2, 4, D)))


def test_block():
    part, library = build_parts.Block(D, HEADS, WIDE), layers.EncoderLayer(D, HEADS, WIDE, norm="pre")
    mask = causal_mask(4)
    assert_same(part, library, lambda module: module(random(2, 4, D), *([mask] if module is library else [])), in_block)


def test_gpt_apart_from_the_factor_of_its_table():
    config = TransformerConfig(
        d_model=D, num_heads=HEADS, num_layers=2, d_ff=WIDE, dropout=0.0, norm="pre", positions="learned",
        vocabulary_size=11, tied=False, max_length=5,
    )  # fmt: skip
    part, tokens = build_parts.GPT(11, 5, D, HEADS, 2, WIDE), torch.tensor([[4, 9, 5, 10], [6, 6, 7, 8]])
    assert_same(part, family.GPT(config), lambda module: module(tokens), in_gpt, {TABLE: D**0.5})
