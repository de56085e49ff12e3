"""Small untrained models of the Build, with tokenizers, to export."""

import torch
from torch import nn

from transformer_course import build_parts
from transformer_course.byte_pairs import BytePairs

LETTERS = "\n abcdefg🎏"
MERGES = [("a", "b"), ("ab", "c"), (" ", "ab"), ("Ã", "©")]


class HalfPairs(build_parts.GroupedAttention):
    """Rotate each number with the one half a head further, by putting the rows of the projections in that order."""

    def forward(self, query, key, value, mask=None):
        width = query.shape[-1] // self.num_heads
        order = torch.arange(width).reshape(2, -1).T.flatten()
        turned = build_parts.GroupedAttention(query.shape[-1], self.num_heads, self.num_groups)
        for name in ("w_q", "w_k"):
            rows = getattr(self, name).weight.unflatten(0, (-1, width))[:, order].flatten(0, 1)
            getattr(turned, name).weight.data = rows
        turned.w_v, turned.w_o = self.w_v, self.w_o
        return turned(query, key, value, mask)


class Gelu(build_parts.FeedForward):
    def forward(self, x):
        return self.w_2(nn.functional.gelu(self.w_1(x)))


def gpt(vocabulary: int = len(LETTERS), seed: int = 0, spread: float = 0.6) -> build_parts.GPT:
    torch.manual_seed(seed)
    return spread_out(build_parts.GPT(vocabulary, 13, d_model=12, num_heads=3, num_layers=2, d_ff=20), spread)


def llama() -> build_parts.Llama:
    torch.manual_seed(0)
    return spread_out(build_parts.Llama(len(LETTERS), d_model=24, num_heads=6, num_groups=2, num_layers=2, d_ff=20), 0.5)


def spread_out(model: nn.Module, spread: float) -> nn.Module:
    """Make all weights so large that each part of the model matters."""
    for weight in model.parameters():
        weight.data += spread * torch.randn(weight.shape)
    return model.eval()


def tied() -> build_parts.GPT:
    model = gpt()
    model.output.weight = model.tokens.weight
    for block in model.blocks:
        block.feed_forward.__class__ = Gelu
    return model


def half_pairs() -> build_parts.Llama:
    model = llama()
    for block in model.blocks:
        block.attention.__class__ = HalfPairs
    return model


def of_byte_pairs() -> build_parts.GPT:
    return gpt(256 + len(MERGES))


MODELS = {
    "GPT": (gpt, LETTERS),
    "tied, with GELU": (tied, LETTERS),
    "Llama": (llama, LETTERS),
    "Llama, pairs of halves": (half_pairs, LETTERS),
    "byte pairs": (of_byte_pairs, BytePairs(MERGES)),
}
