"""The small GPT-2: which mapping of its names is accepted, and what is said of others."""

import pytest
import torch

from transformer_course import build_parts, gpt2, weights
from transformer_course.experiments import small_gpt2
from transformer_course.family import GPT


def right(published):
    return weights.by_stage_names(gpt2.by_library_names(published))


class GELUFeedForward(build_parts.FeedForward):
    def forward(self, x):
        return self.w_2(torch.nn.functional.gelu(self.w_1(x), approximate="tanh"))


def model(tied: bool = True, feed_forward: type = GELUFeedForward) -> build_parts.GPT:
    sizes = small_gpt2.sizes()
    made = build_parts.GPT(**sizes, d_ff=4 * sizes["d_model"])
    for block in made.blocks:
        block.feed_forward = feed_forward(sizes["d_model"], 4 * sizes["d_model"])
    if tied:
        made.output.weight = made.tokens.weight
    return made


def said(to_mine, of, capsys) -> tuple[bool, str]:
    fits = small_gpt2.fits(to_mine, of)
    return fits, capsys.readouterr().out.removesuffix("\n")


def test_its_files_have_the_names_and_the_layout_of_the_published_ones():
    files = small_gpt2.files()
    assert files.keys() == gpt2.FILES.keys()
    published = weights.read(files["model.safetensors"])[1]
    assert {"wte.weight", "h.0.attn.bias", "h.1.mlp.c_proj.weight", "ln_f.bias"} <= published.keys()
    assert not any("lm_head" in name or name.startswith("transformer.") for name in published)
    library = GPT(gpt2.config(**small_gpt2.sizes())).eval()
    gpt2.load_weights(library, published)
    reference = weights.read(small_gpt2.FOLDER / "reference.safetensors")[1]
    torch.testing.assert_close(library(reference["tokens"]), reference["logits"], atol=1e-5, rtol=0)
    tokens, _ = gpt2.read_tokenizer(files["vocab.json"], files["merges.txt"])
    assert len(tokens) == small_gpt2.sizes()["vocabulary_size"]


def test_a_right_mapping_fits(capsys):
    fits, says = said(right, model(), capsys)
    assert fits
    assert says.startswith("All 36 parameters fit: your logits are the reference's, up to ")


def but(name, change):
    """The right mapping, except that a name gets what ``change(mine, published)`` returns, or nothing at all."""

    def to_mine(published):
        mine = right(published)
        value = change(mine, published)
        del mine[name]
        return mine if value is None else mine | {name: value}

    return to_mine


QUERY, KEY, OUT = (f"blocks.0.attention.w_{part}.weight" for part in "qko")
W_1, GAMMA, BETA = "blocks.0.feed_forward.w_1.weight", "blocks.0.norm_1.gamma", "blocks.1.norm_2.beta"
MISTAKES = {  # each with what it is told
    "nothing": (lambda published: {}, "0 of 36 parameters have their weights. The next is tokens.weight, of shape (385, 32)"),
    "one missing": (but(BETA, lambda mine, published: None), f"35 of 36 parameters have their weights. The next is {BETA}"),
    "the masks too": (
        lambda published: right(published) | published,
        "Your model has no parameter h.0.attn.bias. It is a mask",
    ),
    "misspelt": (lambda published: right(published) | {"x": published["ln_f.bias"]}, "no parameter x. Is the name misspelt?"),
    "not transposed": (
        but(W_1, lambda mine, published: published["h.0.mlp.c_fc.weight"]),
        f"{W_1} should have shape (128, 32), but yours has (32, 128). GPT-2 has inputs by outputs",
    ),
    "a square one not transposed": (
        but(OUT, lambda mine, published: published["h.0.attn.c_proj.weight"]),
        f"{OUT} is not transposed",
    ),
    "reshaped": (
        but(W_1, lambda mine, published: published["h.0.mlp.c_fc.weight"].reshape(128, 32)),
        f"{W_1} has the right numbers in the wrong places",
    ),
    "the keys' columns": (but(QUERY, lambda mine, published: mine[KEY]), f"{QUERY} holds what belongs to {KEY}"),
    "another norm": (
        but(GAMMA, lambda mine, published: mine["blocks.0.norm_2.gamma"]),
        f"{GAMMA} holds what belongs to blocks.0.norm_2.gamma",
    ),
    "every third column": (
        but(QUERY, lambda mine, published: published["h.0.attn.c_attn.weight"][:, ::3].T),
        f"{QUERY} holds other numbers. c_attn holds the queries' columns, then",
    ),
    "a list": (lambda published: [*published], "should return a dictionary from names to tensors, but returned list"),
    "an error": (lambda published: published["wte"], "Your function ended with KeyError: 'wte'."),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_a_wrong_one_is_told_what_is_wrong_first(case, capsys):
    to_mine, expected = MISTAKES[case]
    fits, says = said(to_mine, model(), capsys)
    assert not fits
    assert expected in says
    assert "\n" not in says


def test_a_class_that_computes_something_else_is_told_so(capsys):
    fits, says = said(right, model(feed_forward=build_parts.FeedForward), capsys)
    assert not fits
    assert "all weights are in their places, so the model computes something else than GPT-2" in says
    assert "The next is output.weight" in said(right, model(tied=False), capsys)[1]
