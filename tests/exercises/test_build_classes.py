"""Wrong and right classes of the Build as learners write them in torch: each mistake is named, each style accepted."""

import pytest
import torch
from examining import SEEDS, solved, verdict
from torch import nn
from torch.nn import functional as F

from transformer_course.exercises import catalogue

NAMES = ("causal_head", "multi_head", "layer_norm", "block", "gpt")
HEAD, ATTENTION, NORM, BLOCK, GPT = (catalogue()[f"build.{name}"] for name in NAMES)


class Attention(nn.Module):
    """Right, in pieces that a wrong one replaces."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        self.d_model, self.num_heads, self.d_k = d_model, num_heads, d_model // num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = (nn.Linear(d_model, d_model) for _ in range(4))

    def split(self, x):
        return x.view(len(x), -1, self.num_heads, self.d_k).transpose(1, 2)

    def merge(self, x):
        return x.transpose(1, 2).flatten(2)

    def scores(self, q, k):
        return q @ k.transpose(-2, -1) / self.d_k**0.5

    def masked(self, scores, mask):
        return scores if mask is None else scores.masked_fill(~mask.unsqueeze(-3), -torch.inf)

    def forward(self, query, key, value, mask=None):
        q, k, v = self.split(self.w_q(query)), self.split(self.w_k(key)), self.split(self.w_v(value))
        return self.w_o(self.merge(self.masked(self.scores(q, k), mask).softmax(-1) @ v))


class NotScaled(Attention):
    def scores(self, q, k):
        return torch.einsum("bhnd,bhmd->bhnm", q, k)


class ScaledByModel(Attention):
    def scores(self, q, k):
        return q @ k.mT * self.d_model**-0.5


class MaskForgotten(Attention):
    def forward(self, query, key, value, mask=None):
        return super().forward(query, key, value)


class TorchsMultiHeadConvention(Attention):
    def masked(self, scores, mask):
        return scores if mask is None else scores.masked_fill(mask.unsqueeze(-3), float("-inf"))


class TimesMask(Attention):
    def masked(self, scores, mask):
        return scores if mask is None else scores * mask.unsqueeze(-3)


class WeightsTimesMask(Attention):
    def forward(self, query, key, value, mask=None):
        q, k, v = self.split(self.w_q(query)), self.split(self.w_k(key)), self.split(self.w_v(value))
        weights = F.softmax(self.scores(q, k), dim=-1)
        weights = weights if mask is None else weights * mask.unsqueeze(-3)
        return self.w_o(self.merge(weights @ v))


class WrongSoftmax(Attention):
    def forward(self, query, key, value, mask=None):
        q, k, v = self.split(self.w_q(query)), self.split(self.w_k(key)), self.split(self.w_v(value))
        return self.w_o(self.merge(torch.softmax(self.masked(self.scores(q, k), mask), dim=2) @ v))


class ViewAlone(Attention):
    def split(self, x):
        return x.view(len(x), self.num_heads, -1, self.d_k)


class MergeAlone(Attention):
    def merge(self, x):
        return x.reshape(len(x), x.shape[2], -1)


class Interleaved(Attention):
    def split(self, x):
        return x.unflatten(-1, (self.d_k, self.num_heads)).permute(0, 3, 1, 2)


class NoOutput(Attention):
    def forward(self, query, key, value, mask=None):
        q, k, v = (self.split(w(x)) for w, x in ((self.w_q, query), (self.w_k, key), (self.w_v, value)))
        return self.merge(self.masked(self.scores(q, k), mask).softmax(-1) @ v)


class OnlyQuery(Attention):
    def forward(self, query, key, value, mask=None):
        return super().forward(query, query, query, mask)


class MaskPerHead(Attention):
    def masked(self, scores, mask):
        return scores if mask is None else scores.masked_fill(mask == 0, -1e9)


class KeyTwice(Attention):
    def forward(self, query, key, value, mask=None):
        return super().forward(query, key, key, mask)


class AlwaysCausal(Attention):
    def scores(self, q, k):
        scores = super().scores(q, k)
        return scores.masked_fill(torch.ones_like(scores).triu(1).bool(), -torch.inf)


class CausalInPlaceOfTheMask(AlwaysCausal):
    def masked(self, scores, mask):
        return scores


class HeadsAfterTheQueries(Attention):
    def masked(self, scores, mask):
        if mask is not None and mask.ndim == 3:
            mask = mask.unsqueeze(2)
        return scores if mask is None else scores.masked_fill(~mask, -torch.inf)


class MaskedWithMinusOne(Attention):
    def masked(self, scores, mask):
        return scores if mask is None else scores.masked_fill(~mask.unsqueeze(-3), -1.0)


class SingleHead(Attention):
    def __init__(self, d_model, num_heads):
        super().__init__(d_model, 1)


class UnsqueezeOne(Attention):
    def masked(self, scores, mask):
        return scores if mask is None else scores.masked_fill(~mask.unsqueeze(1), float("-inf"))


class NoTestForNone(Attention):
    def masked(self, scores, mask):
        return scores.masked_fill(~mask.unsqueeze(-3), float("-inf"))


class LengthOfTheQuery(Attention):
    def forward(self, query, key, value, mask=None):
        b, n, _ = query.shape
        q, k, v = (
            w(x).reshape(b, n, self.num_heads, self.d_k).transpose(1, 2)
            for w, x in ((self.w_q, query), (self.w_k, key), (self.w_v, value))
        )
        return self.w_o(self.merge(self.masked(self.scores(q, k), mask).softmax(-1) @ v))


WRONG = {
    NotScaled: "not scaled",
    ScaledByModel: "scaled by d_model",
    MaskForgotten: "mask ignored",
    TorchsMultiHeadConvention: "mask inverted",
    TimesMask: "masked scores set to 0",
    WeightsTimesMask: "masked after the softmax",
    WrongSoftmax: "softmax over the queries",
    ViewAlone: "split by a reshape alone",
    MergeAlone: "merged by a reshape alone",
    Interleaved: "columns dealt out in turn",
    NoOutput: "no output projection",
    OnlyQuery: "keys and values from the query",
    MaskPerHead: "mask without an axis for the heads",
    KeyTwice: "values from the key",
    AlwaysCausal: "always causal",
    CausalInPlaceOfTheMask: "always causal",
    HeadsAfterTheQueries: "axis for the heads after the queries",
    MaskedWithMinusOne: "masked scores not low enough",
    SingleHead: "one head",
    UnsqueezeOne: "axis for the heads at place 1",
    NoTestForNone: "mask not optional",
    LengthOfTheQuery: "keys cut to the query's length",
}


@pytest.mark.parametrize(("answer", "name"), WRONG.items())
def test_a_wrong_attention_is_named(answer, name):
    for seed in SEEDS:
        assert verdict(ATTENTION, answer, seed).mistake == name


class ByEinsum(Attention):
    def forward(self, query, key, value, mask=None):
        q, k, v = (
            w(x).unflatten(-1, (self.num_heads, -1)) for w, x in ((self.w_q, query), (self.w_k, key), (self.w_v, value))
        )
        scores = torch.einsum("bnhd,bmhd->bhnm", q, k) / self.d_k**0.5
        if mask is not None:
            scores = torch.where(mask if mask.dim() == 2 else mask[:, None], scores, torch.tensor(-1e9))
        return self.w_o(torch.einsum("bhnm,bmhd->bnhd", F.softmax(scores, dim=-1), v).reshape(query.shape))


class ByTorch(Attention):
    def forward(self, query, key, value, mask=None):
        q, k, v = (self.split(w(x)) for w, x in ((self.w_q, query), (self.w_k, key), (self.w_v, value)))
        mask = mask.unsqueeze(-3) if mask is not None else None
        return self.w_o(self.merge(F.scaled_dot_product_attention(q, k, v, attn_mask=mask)))


class InALoop(Attention):
    def forward(self, query, key, value, mask=None):
        outputs = []
        for q, k, v in zip(*(w(x).chunk(self.num_heads, -1) for w, x in self.pairs(query, key, value)), strict=True):
            scores = q @ k.transpose(1, 2) / q.shape[-1] ** 0.5
            if mask is not None:
                scores = scores + torch.zeros(mask.shape).masked_fill(~mask, float("-inf"))
            outputs.append(torch.softmax(scores, dim=-1) @ v)
        return self.w_o(torch.cat(outputs, dim=-1))

    def pairs(self, query, key, value):
        return (self.w_q, query), (self.w_k, key), (self.w_v, value)


class OwnSoftmaxInFloat32(Attention):
    def forward(self, query, key, value, mask=None):
        q, k, v = self.split(self.w_q(query)), self.split(self.w_k(key)), self.split(self.w_v(value))
        scores = self.masked(self.scores(q, k), mask).float()
        exponentials = torch.exp(scores - scores.amax(-1, keepdim=True))
        return self.w_o(self.merge((exponentials / exponentials.sum(-1, keepdim=True)).to(v.dtype) @ v))


class WithDropoutAndMaskBuffer(Attention):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__(d_model, num_heads)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("nothing", torch.zeros(1))

    def forward(self, query, key, value, mask=None):
        return self.dropout(super().forward(query, key, value, mask)) + self.nothing


@pytest.mark.parametrize("answer", [Attention, ByEinsum, ByTorch, InALoop, OwnSoftmaxInFloat32, WithDropoutAndMaskBuffer])
def test_right_attention_passes_in_every_style(answer):
    for seed in SEEDS:
        assert verdict(ATTENTION, answer, seed) == ATTENTION.passed()


class Head(nn.Module):
    """A right causal head, in pieces that a wrong one replaces."""

    def __init__(self, d_model, d_head):
        super().__init__()
        self.d_model = d_model
        self.w_q, self.w_k, self.w_v = (nn.Linear(d_model, d_head, bias=False) for _ in range(3))

    def scores(self, q, k):
        return q @ k.mT / q.shape[-1] ** 0.5

    def hidden(self, n):
        return torch.ones(n, n, dtype=torch.bool).triu(1)

    def forward(self, x):
        scores = self.scores(self.w_q(x), self.w_k(x))
        return scores.masked_fill(self.hidden(x.shape[1]), -torch.inf).softmax(-1) @ self.w_v(x)


class HidesThePast(Head):
    def hidden(self, n):
        return torch.ones(n, n, dtype=torch.bool).tril()


class SeesTheNext(Head):
    def hidden(self, n):
        return torch.ones(n, n, dtype=torch.bool).triu(2)


class MinusOne(Head):
    def forward(self, x):
        scores = self.scores(self.w_q(x), self.w_k(x))
        return scores.masked_fill(self.hidden(x.shape[1]), -1.0).softmax(-1) @ self.w_v(x)


class ByModelWidth(Head):
    def scores(self, q, k):
        return q @ k.mT / self.d_model**0.5


class ReversesAllAxes(Head):
    def forward(self, x):
        return (self.w_q(x) @ self.w_k(x).T).softmax(-1) @ self.w_v(x)


class MaskOfNumbers(Head):
    def forward(self, x):
        scores, n = self.scores(self.w_q(x), self.w_k(x)), x.shape[1]
        return scores.masked_fill(torch.ones(n, n).triu(1), -torch.inf).softmax(-1) @ self.w_v(x)


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        (HidesThePast, "the mask inverted"),
        (SeesTheNext, "sees one token ahead"),
        (MinusOne, "masked scores not low enough"),
        (ByModelWidth, "divided by √d_model"),
    ],
)
def test_a_wrong_head_is_named(answer, name):
    assert verdict(HEAD, Head).passed
    for seed in SEEDS:
        assert verdict(HEAD, answer, seed).mistake == name


class SuperWithoutUnderscores(Head):
    def __init__(self, d_model, d_head):
        super().init()


@pytest.mark.parametrize(
    ("answer", "hint"),
    {
        ReversesAllAxes: "`.T` reverses all axes",
        MaskOfNumbers: "`dtype=torch.bool`",
        SuperWithoutUnderscores: "two underscores on each side: `super().__init__()`",
    }.items(),
)
def test_an_error_of_torch_in_a_head_is_explained(answer, hint):
    assert hint in verdict(HEAD, answer).hint


class Packed(nn.Module):
    """One layer for all three projections, with a hook that loads weights under the three names."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.w_qkv, self.w_o = nn.Linear(d_model, 3 * d_model), nn.Linear(d_model, d_model)
        self.register_load_state_dict_pre_hook(self.join)

    @staticmethod
    def join(module, state, prefix, *_):
        for part in ("weight", "bias"):
            state[f"{prefix}w_qkv.{part}"] = torch.cat([state.pop(f"{prefix}w_{letter}.{part}") for letter in "qkv"])


def test_packed_projections_are_refused_with_the_reason():
    seen = verdict(ATTENTION, Packed)
    assert seen.mistake == "packed projections"
    assert "packs `w_q.weight`, `w_k.weight` and `w_v.weight` into `w_qkv.weight`" in seen.message
    assert "weights are loaded by name" in seen.message


def gpt(blocks):
    """The solution with other blocks, made by ``blocks(count, make)``."""
    right, block = solved(GPT), solved(BLOCK)

    class Other(right):
        def __init__(self, vocabulary_size, max_length, d_model, num_heads, num_layers, d_ff):
            super().__init__(vocabulary_size, max_length, d_model, num_heads, num_layers, d_ff)
            del self.blocks
            self.blocks = blocks(num_layers, lambda: block(d_model, num_heads, d_ff))

    return Other


@pytest.mark.parametrize(
    ("blocks", "mistake", "words"),
    [
        (lambda count, make: [make() for _ in range(count)], "modules in a Python list", "`self.blocks`"),
        (lambda count, make: nn.ModuleList([make()] * count), "one object used twice", "`blocks.1.norm_1.gamma`"),
        (lambda count, make: nn.ModuleList(make() for _ in range(count - 1)), "other parameter names", "`blocks.1"),
        (lambda count, make: nn.Sequential(*(make() for _ in range(count))), None, "Right."),
    ],
)
def test_the_blocks_of_a_gpt_are_kept_so_that_they_are_found(blocks, mistake, words):
    seen = verdict(GPT, gpt(blocks))
    assert seen.mistake == mistake
    assert words in seen.message


def test_dropout_is_off_in_eval_mode():
    class Block(solved(BLOCK)):
        def __init__(self, d_model, num_heads, d_ff, dropout=0.0):
            super().__init__(d_model, num_heads, d_ff)
            self.rate, self.dropout = dropout, nn.Dropout(dropout)

        def forward(self, x):
            return self.dropout(super().forward(x))

    class Always(Block):
        def forward(self, x):
            return F.dropout(super().forward(x), self.rate)

    assert verdict(BLOCK, Block).passed
    assert verdict(BLOCK, Always).mistake == "random in eval mode"


def test_a_leak_in_a_gpt_is_traced_to_the_mask():
    class Everywhere(solved(BLOCK)):
        def forward(self, x):
            y = self.norm_1(x)
            x = x + self.attention(y, y, y)
            return x + self.feed_forward(self.norm_2(x))

    assert verdict(BLOCK, Everywhere).mistake == "no causal mask"


@pytest.mark.parametrize("dim", [0, 1, (1, 2), (0, 1)])
def test_a_norm_over_another_axis_is_named(dim):
    class OverTokens(solved(NORM)):
        def forward(self, x):
            mean, variance = x.mean(dim, keepdim=True), x.var(dim, keepdim=True, correction=0)
            return self.gamma * (x - mean) / torch.sqrt(variance + self.eps) + self.beta

    for seed in SEEDS:
        assert verdict(NORM, OverTokens, seed).mistake == "averaged over tokens"


@pytest.mark.parametrize(
    ("divide", "mistake"),
    [
        (lambda centred, variance, eps: centred / variance**0.5 + eps, "ε added after the division"),
        (lambda centred, variance, eps: centred / variance**0.5 + 1e-5, "no ε in the divisor"),
        (lambda centred, variance, eps: centred / (variance**0.5 + eps), "ε outside the square root"),
    ],
)
def test_a_misplaced_epsilon_is_named(divide, mistake):
    class Misplaced(solved(NORM)):
        def forward(self, x):
            centred, variance = x - x.mean(-1, keepdim=True), x.var(-1, keepdim=True, correction=0)
            return self.gamma * divide(centred, variance, self.eps) + self.beta

    for seed in SEEDS:
        assert verdict(NORM, Misplaced, seed).mistake == mistake


def test_two_plain_tensors_are_told_in_the_plural():
    class Plain(solved(NORM)):
        def __init__(self, d_model, eps=1e-5):
            nn.Module.__init__(self)
            self.gamma, self.beta, self.eps = torch.ones(d_model), torch.zeros(d_model), eps

    assert "`gamma` and `beta` in `LayerNorm` are plain tensors" in verdict(NORM, Plain).message


def above_the_diagonal(block, x):
    y, n = block.norm_1(x), x.shape[1]
    x = x + block.attention(y, y, y, torch.ones(n, n, dtype=torch.bool).triu(1))
    return x + block.feed_forward(block.norm_2(x))


def attend(block, query, x):
    return block.attention(query, x, x, torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).tril())


def then_the_network(block, x):
    return x + block.feed_forward(block.norm_2(x))


@pytest.mark.parametrize(
    ("forward", "mistake"),
    [
        (above_the_diagonal, "True hides"),
        (lambda b, x: then_the_network(b, b.norm_1(x) + attend(b, b.norm_1(x), b.norm_1(x))), "one sum with the copy"),
        (lambda b, x: then_the_network(b, x + attend(b, b.norm_1(x), x)), "only the query normalised"),
        (lambda b, x: then_the_network(b, x + b.norm_1(attend(b, x, x))), "the output normalised"),
        (lambda b, x: then_the_network(b, x + b.norm_1(x) + attend(b, b.norm_1(x), b.norm_1(x))), "the copy added too"),
    ],
)
def test_a_wrong_block_is_named(forward, mistake):
    class Wrong(solved(BLOCK)):
        pass

    Wrong.forward = forward
    for seed in SEEDS:
        assert verdict(BLOCK, Wrong, seed).mistake == mistake


class GPTInSteps(solved(GPT)):
    """Right, in pieces that a wrong one replaces."""

    def numbers(self, tokens):
        return torch.arange(tokens.shape[1])

    def step(self, x, block):
        return block(x)

    def through(self, x):
        for block in self.blocks:
            x = self.step(x, block)
        return x

    def forward(self, tokens):
        return self.output(self.final_norm(self.through(self.tokens(tokens) + self.positions(self.numbers(tokens)))))


class AllRows(GPTInSteps):
    def numbers(self, tokens):
        return torch.arange(self.positions.num_embeddings)


class RowsOfTheBatch(GPTInSteps):
    def numbers(self, tokens):
        return torch.arange(tokens.shape[0])


class OneRowForASequence(GPTInSteps):
    def numbers(self, tokens):
        return torch.arange(tokens.shape[0])[:, None]


class AddedAgain(GPTInSteps):
    def step(self, x, block):
        return x + block(x)


class NormInTheLoop(GPTInSteps):
    def step(self, x, block):
        return self.final_norm(block(x))


class ListCalled(GPTInSteps):
    def through(self, x):
        return self.blocks(x)


@pytest.mark.parametrize(
    ("answer", "mistake"),
    [
        (GPTInSteps, None),
        (AllRows, "all positions of the table"),
        (RowsOfTheBatch, "positions counted by the batch"),
        (OneRowForASequence, "positions counted by the batch"),
        (AddedAgain, "a residual connection around every block"),
        (NormInTheLoop, "norm after every block"),
    ],
)
def test_a_wrong_gpt_is_named(answer, mistake):
    for seed in SEEDS:
        assert verdict(GPT, answer, seed).mistake == mistake


def test_a_list_of_modules_that_is_called_is_named():
    seen = verdict(GPT, ListCalled)
    assert seen.mistake == "a list of modules called"
    assert seen.message.startswith("`self.blocks` is a list of modules")
