"""What a model is: read from its weights, and refused in one sentence unless the page would compute the same."""

import pytest
import torch
from small_gpts import MODELS, gpt, llama
from torch import nn

from transformer_course import build_parts
from transformer_course.export.sizes import logits, sizes_of

FOUND = {
    "GPT": ("relu", None, False),
    "tied, with GELU": ("gelu", None, True),
    "Llama": ("swiglu", "adjacent", False),
    "Llama, pairs of halves": ("swiglu", "half", False),
    "byte pairs": ("relu", None, False),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_model_is_recognised_by_what_it_computes(name):
    model = MODELS[name][0]()
    sizes, weights = sizes_of(model, 13)
    assert (sizes.activation, sizes.pairs, sizes.tied) == FOUND[name]
    tokens = torch.randint(sizes.vocabulary, (13,), generator=torch.Generator().manual_seed(7))
    torch.testing.assert_close(logits(sizes, weights, tokens), model(tokens[None])[0].detach(), atol=1e-4, rtol=0)


def broken() -> nn.Module:
    model = gpt()
    model.blocks[1].norm_1.gamma.data[3] = torch.nan
    return model


def renamed() -> nn.Module:
    model = gpt()
    model.embedding = model.tokens
    return model


def without_output() -> nn.Module:
    model = gpt()
    del model.output
    return model


def without_heads() -> nn.Module:
    model = llama()
    del model.blocks[0].attention.num_heads
    return model


class PostNorm(build_parts.Block):
    def forward(self, x):
        causal = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).tril()
        x = self.norm_1(x + self.attention(x, x, x, causal))
        return self.norm_2(x + self.feed_forward(x))


def post_norm() -> nn.Module:
    model = gpt()
    for block in model.blocks:
        block.__class__ = PostNorm
    return model


def test_what_a_page_cannot_run_is_refused_in_one_sentence(snapshot):
    def told(model) -> str:
        with pytest.raises(ValueError, match=" ") as raised:
            sizes_of(model, 13)
        return str(raised.value)

    models = {each.__name__: each() for each in (broken, renamed, without_output, without_heads, post_norm)}
    assert {"a dictionary": told({}), **{name: told(model) for name, model in models.items()}} == snapshot
