"""Stage B9's classes as learners write them in torch: each mistake is named, each right style accepted."""

import pytest
import torch
from examining import SEEDS, solved, verdict
from torch import nn
from torch.nn import functional as F

from transformer_course import build_parts
from transformer_course.exercises import catalogue

NORM, NETWORK, ATTENTION, LLAMA = (
    catalogue()[f"build.{name}"] for name in ("rms_norm", "swiglu", "grouped_attention", "llama")
)
SEEDS = SEEDS[:2]  # the catalogue's mistakes are tried on all of them


class Norm(nn.Module):
    """Right, with a divisor that a wrong one replaces."""

    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps, self.gamma = eps, nn.Parameter(torch.ones(d_model))

    def divisor(self, x):
        return 1 / torch.rsqrt(x.square().mean(-1, keepdim=True) + self.eps)

    def forward(self, x):
        return x / self.divisor(x) * self.gamma


class Network(nn.Module):
    """Right, in a step that a wrong one replaces."""

    def __init__(self, d_model, d_ff):
        super().__init__()
        self.w_gate, self.w_up = (nn.Linear(d_model, d_ff, bias=False) for _ in range(2))
        self.w_down = nn.Linear(d_ff, d_model, bias=False)

    def hidden(self, gate, up):
        return gate * torch.sigmoid(gate) * up

    def forward(self, x):
        return self.w_down(self.hidden(self.w_gate(x), self.w_up(x)))


class Attention(solved(ATTENTION)):
    """Right, in steps that a wrong one replaces, with the heads of a group on an axis of their own."""

    def turn(self, q, k, v):
        return self.rotate(q), self.rotate(k), v

    def attend(self, q, k, v, mask):
        q = q.unflatten(1, (self.num_groups, -1))  # (b, g, heads per group, n, width)
        scores = q @ k.unsqueeze(2).mT / q.shape[-1] ** 0.5
        weights = (scores if mask is None else scores.masked_fill(~mask, -torch.inf)).softmax(-1)
        return (weights @ v.unsqueeze(2)).flatten(1, 2)

    def split(self, x, count):
        return x.unflatten(-1, (count, -1)).transpose(1, 2)

    def forward(self, query, key, value, mask=None):
        q = self.split(self.w_q(query), self.num_heads)
        k, v = self.split(self.w_k(key), self.num_groups), self.split(self.w_v(value), self.num_groups)
        return self.w_o(self.attend(*self.turn(q, k, v), mask).transpose(1, 2).flatten(2))


def with_torchs_groups(self, q, k, v, mask):
    return F.scaled_dot_product_attention(q, k, v, mask, enable_gqa=True)


def by_repeat(self, q, k, v, mask):
    count = self.num_heads // self.num_groups
    return F.scaled_dot_product_attention(q, k.repeat(1, count, 1, 1), v.repeat(1, count, 1, 1), mask)


def unmasked(self, q, k, v, mask):
    return with_torchs_groups(self, q, k, v, None)


def causal_in_any_case(self, q, k, v, mask):
    k, v = (x.repeat_interleave(self.num_heads // self.num_groups, dim=1) for x in (k, v))
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


@pytest.mark.parametrize(
    ("exercise", "answer", "mistake"),
    [
        (NORM, Norm, None),
        (NORM, {"divisor": lambda self, x: x.norm(dim=-1, keepdim=True)}, "sum in place of mean"),
        (NORM, {"divisor": lambda self, x: x.std(-1, keepdim=True)}, "divided by the standard deviation"),
        (NORM, {"forward": lambda self, x: F.rms_norm(x, x.shape[-1:], self.gamma, self.eps)}, None),
        (NORM, {"forward": lambda self, x: F.layer_norm(x, x.shape[-1:], self.gamma, None, self.eps)}, "the mean subtracted"),
        (NETWORK, Network, None),
        (NETWORK, {"hidden": lambda self, gate, up: torch.sigmoid(gate) * up}, "sigmoid in place of SiLU"),
        (NETWORK, {"hidden": lambda self, gate, up: F.gelu(gate) * up}, "a different function for the gate"),
        (NETWORK, {"hidden": lambda self, gate, up: gate * F.silu(up)}, "gate and values swapped"),
        (ATTENTION, Attention, None),
        (ATTENTION, {"attend": with_torchs_groups}, None),
        (ATTENTION, {"attend": causal_in_any_case}, "always causal"),
        (ATTENTION, {"attend": by_repeat}, "groups dealt out in turn"),
        (ATTENTION, {"attend": unmasked}, "mask ignored"),
        (ATTENTION, {"turn": lambda self, q, k, v: (q, k, v)}, "no rotation"),
        (ATTENTION, {"turn": lambda self, *parts: map(self.rotate, parts)}, "values rotated"),
    ],
)
def test_classes(exercise, answer, mistake):
    if isinstance(answer, dict):
        base = {NORM.id: Norm, NETWORK.id: Network, ATTENTION.id: Attention}[exercise.id]
        answer = type(exercise.answer_name, (base,), answer)
    for seed in SEEDS:
        seen = verdict(exercise, answer, seed)
        assert (seen.mistake, seen.passed) == (mistake, mistake is None), seen.message


@pytest.mark.parametrize(
    ("part", "old", "mistake"),
    [
        ("norm_1", lambda d, d_ff: nn.LayerNorm(d), "a norm not replaced"),
        ("attention", lambda d, d_ff: build_parts.MultiHeadAttention(d, d // 2), "attention not replaced"),
        ("feed_forward", build_parts.FeedForward, "the feed-forward network not replaced"),
    ],
)
def test_a_part_of_the_block_that_was_not_exchanged_is_told(part, old, mistake):
    class Forgotten(solved(LLAMA)):
        def __init__(self, vocabulary_size, d_model, num_heads, num_groups, num_layers, d_ff):
            super().__init__(vocabulary_size, d_model, num_heads, num_groups, num_layers, d_ff)
            for block in self.blocks:
                setattr(block, part, old(d_model, d_ff))

    seen = verdict(LLAMA, Forgotten)
    assert (seen.mistake, part in seen.message) == (mistake, True), seen.message


def test_a_table_of_positions_that_is_left_in_is_told():
    class Forgotten(solved(LLAMA)):
        def __init__(self, vocabulary_size, d_model, *others, **more):
            super().__init__(vocabulary_size, d_model, *others, **more)
            self.positions = nn.Embedding(16, d_model)

    assert verdict(LLAMA, Forgotten).mistake == "the table of positions left in"


@pytest.mark.parametrize("start", [torch.zeros, torch.randn])
def test_a_gain_that_does_not_start_at_one_is_told_and_gets_half(start):
    class Started(Norm):
        def __init__(self, d_model, eps=1e-5):
            super().__init__(d_model, eps)
            self.gamma = nn.Parameter(start(d_model))

    seen = verdict(NORM, Started)
    assert (seen.mistake, seen.score) == ("another start", 0.5)
