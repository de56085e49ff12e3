"""Stage B9's classes as learners write them in torch: right in each style, and with parts that were not replaced."""

import torch
from examining import solved, told, verdict
from torch import nn
from torch.nn import functional as F

from transformer_course import build_parts, course
from transformer_course.authoring.build import notebook_of
from transformer_course.exercises import catalogue
from transformer_course.experiments import small_llama

NORM, ATTENTION, LLAMA, ROTATE = (
    catalogue()[f"build.{name}"] for name in ("rms_norm", "grouped_attention", "llama", "rotate")
)


class Norm(nn.Module):
    """Right, with the square root in two steps."""

    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps, self.gamma = eps, nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        divisor = 1 / torch.rsqrt(x.square().mean(-1, keepdim=True) + self.eps)
        return x / divisor * self.gamma


class Attention(solved(ATTENTION)):
    """Right, in steps that others replace, with the heads of a group on an axis of their own."""

    def turn(self, q, k, v):
        return build_parts.rotate(q), build_parts.rotate(k), v

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


def test_right_answers_pass_in_every_style():
    by_torch = type("RMSNorm", (Norm,), {"forward": lambda self, x: F.rms_norm(x, x.shape[-1:], self.gamma, self.eps)})
    grouped = type("GroupedAttention", (Attention,), {"attend": with_torchs_groups})
    from_one = {"forward": lambda self, query, key, value, mask=None: Attention.forward(self, query, query, query, mask)}
    of_x = type("GroupedAttention", (Attention,), from_one)
    right = {Norm: NORM, by_torch: NORM, **dict.fromkeys((Attention, grouped, of_x), ATTENTION)}
    assert {answer for answer, exercise in right.items() if verdict(exercise, answer) != exercise.passed()} == set()


def rotating(angles, inside=lambda cos_or_sin, x: cos_or_sin.to(x.dtype)):
    """The stage's rotation, with other angles, or with cosines and sines of another dtype."""

    def rotate(x):
        made = angles(*x.shape[-2:], x.device)
        cos, sin = (inside(each, x) for each in (made.cos(), made.sin()))
        first, second = x[..., 0::2], x[..., 1::2]
        return torch.stack((first * cos - second * sin, first * sin + second * cos), dim=-1).flatten(-2)

    return rotate


def test_a_rotation_keeps_the_dtype_and_the_device_of_its_input():
    right = build_parts.rotation_angles.__wrapped__
    assert verdict(ROTATE, rotating(right)).passed
    named = {
        rotating(lambda n, width, device: right(n, width, None)): "a tensor on another device",
        rotating(right, lambda cos_or_sin, x: cos_or_sin): "a tensor of another dtype",
    }
    assert {answer: verdict(ROTATE, answer).mistake for answer in named} == named
    assert "return an array where a tensor is needed" in verdict(ROTATE, lambda x: build_parts.rotate(x).numpy()).message


def keeping(part, old):
    """The solved class with an old part left in each block."""

    class Forgotten(solved(LLAMA)):
        def __init__(self, vocabulary_size, d_model, num_heads, num_groups, num_layers, d_ff):
            super().__init__(vocabulary_size, d_model, num_heads, num_groups, num_layers, d_ff)
            for block in self.blocks:
                setattr(block, part, old(d_model, d_ff))

    return Forgotten


class PositionsLeftIn(solved(LLAMA)):
    def __init__(self, vocabulary_size, d_model, *others, **more):
        super().__init__(vocabulary_size, d_model, *others, **more)
        self.positions = nn.Embedding(16, d_model)


def test_a_part_of_the_gpt_that_was_not_replaced_is_told(snapshot):
    assert {
        "the norm": told(LLAMA.id, keeping("norm_1", lambda d, d_ff: nn.LayerNorm(d))),
        "attention": told(LLAMA.id, keeping("attention", lambda d, d_ff: build_parts.MultiHeadAttention(d, d // 2))),
        "the feed-forward network": told(LLAMA.id, keeping("feed_forward", build_parts.FeedForward)),
        "the table of positions": told(LLAMA.id, PositionsLeftIn),
    } == snapshot


def test_a_gain_that_does_not_start_at_one_is_told_and_gets_half(snapshot):
    def started(start):
        class Started(Norm):
            def __init__(self, d_model, eps=1e-5):
                super().__init__(d_model, eps)
                self.gamma = nn.Parameter(start(d_model))

        return Started

    for start in (torch.zeros, torch.randn):
        assert verdict(NORM, started(start)).score == 0.5
    assert told(NORM.id, started(torch.zeros)) == told(NORM.id, started(torch.randn)) == snapshot


def test_the_stages_renaming_gives_the_reference_and_without_the_order_of_pairs_only_at_the_first_token(capsys):
    (source,) = (stage for stage in course.stages() if stage.number == "B9")
    cells = [cell.source for cell in notebook_of(source, solved=True).cells if cell.cell_type == "code"]
    end = next(place for place, cell in enumerate(cells) if "small_llama.FILE" in cell)
    needed = [cells[0], *(cell for cell in cells if cell.startswith(("class", "@functools"))), *cells[end:]]
    exec("\n".join(needed), names := {})
    assert "4 of 30 parameters have their weights. The next is blocks.0.attention.w_q" in capsys.readouterr().out
    assert small_llama.fits(names["a_solution"], names["Llama"](**small_llama.SIZES))
    first, *others = small_llama.differences(names["model"])  # of the last model of the stage, without `neighbours`
    assert first < 1e-5
    assert min(others) > 0.1
