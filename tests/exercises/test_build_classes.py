"""Classes of stages B2 to B4 as learners write them in torch: right in each style, and wrong in ways that NumPy has not."""

import torch
from examining import solved, told, verdict
from torch import nn
from torch.nn import functional as F

from transformer_course.exercises import catalogue

ATTENTION, NORM, BLOCK, GPT = (catalogue()[f"build.{name}"] for name in ("multi_head", "layer_norm", "block", "gpt"))


class Attention(nn.Module):
    """Right, in pieces that others replace."""

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
                scores = scores + torch.zeros_like(scores).masked_fill(~mask, float("-inf"))
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


def test_right_attention_passes_in_every_style():
    styles = (Attention, ByEinsum, ByTorch, InALoop, OwnSoftmaxInFloat32, WithDropoutAndMaskBuffer)
    assert {style.__name__ for style in styles if verdict(ATTENTION, style) != ATTENTION.passed()} == set()


class AxisAtPlaceOne(Attention):
    def masked(self, scores, mask):
        return scores if mask is None else scores.masked_fill(~mask.unsqueeze(1), -torch.inf)


class NoTestForNone(Attention):
    def masked(self, scores, mask):
        return scores.masked_fill(~mask.unsqueeze(-3), -torch.inf)


def test_an_error_of_torch_is_the_mistake_that_is_an_error_in_numpy():
    assert verdict(ATTENTION, AxisAtPlaceOne).mistake == "the axis for the heads at place 1"
    assert verdict(ATTENTION, NoTestForNone).mistake == "mask not optional"


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


def gpt(blocks):
    """The solution with other blocks, made by ``blocks(count, make)``."""
    right, block = solved(GPT), solved(BLOCK)

    class Other(right):
        def __init__(self, vocabulary_size, max_length, d_model, num_heads, num_layers, d_ff):
            super().__init__(vocabulary_size, max_length, d_model, num_heads, num_layers, d_ff)
            del self.blocks
            self.blocks = blocks(num_layers, lambda: block(d_model, num_heads, d_ff))

    return Other


class PlainNorm(solved(NORM)):
    def __init__(self, d_model, eps=1e-5):
        nn.Module.__init__(self)
        self.gamma, self.beta, self.eps = torch.ones(d_model), torch.zeros(d_model), eps


class ListCalled(solved(GPT)):
    def forward(self, tokens):
        x = self.tokens(tokens)
        x = self.blocks(x)
        return self.output(self.final_norm(x))


class ListCalledAmongOthers(solved(GPT)):
    def forward(self, tokens):
        return self.output(self.final_norm(self.blocks(self.tokens(tokens))))


def test_parts_that_parameters_does_not_list_as_it_should_are_told(snapshot):
    assert verdict(GPT, gpt(lambda count, make: nn.Sequential(*(make() for _ in range(count))))).passed
    assert {
        "packed projections": told(ATTENTION.id, Packed),
        "two plain tensors": told(NORM.id, PlainNorm),
        "blocks in a Python list": told(GPT.id, gpt(lambda count, make: [make() for _ in range(count)])),
        "one block twice": told(GPT.id, gpt(lambda count, make: nn.ModuleList([make()] * count))),
        "a block missing": told(GPT.id, gpt(lambda count, make: nn.ModuleList(make() for _ in range(count - 1)))),
        "a list of blocks called": told(GPT.id, ListCalled),
        "a list called among other parts": told(GPT.id, ListCalledAmongOthers),
    } == snapshot


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
