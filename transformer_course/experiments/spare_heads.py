"""Which heads of a translator can go? Heads are silenced, one or several, in a model that is trained already.

A head is named by the name of its attention and its number in there, from 0: ``("encoder.layers.0.self_attention", 3)``.
Shapes: ``b`` batch, ``n`` tokens, ``h`` heads, ``d`` width of a head.
"""

import functools
import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_course import models
from transformer_course.attention import MultiHeadAttention
from transformer_course.data import number_pairs
from transformer_course.embedding import Vocabulary, pad_right
from transformer_course.training import shift
from transformer_course.transformer import Transformer

Head = tuple[str, int]


def heads_of(model: nn.Module) -> list[Head]:
    """Return every head of a model, attention by attention in the order of `named_modules`."""
    attentions = (pair for pair in model.named_modules() if isinstance(pair[1], MultiHeadAttention))
    return [(name, number) for name, attention in attentions for number in range(attention.num_heads)]


@contextmanager
def silenced(
    model: nn.Module, heads: Sequence[Head], instead: Mapping[Head, Float[Tensor, "d"]] | None = None
) -> Iterator[None]:
    """Let these heads bring zeros while the ``with`` block runs, or what ``instead`` says, the same for all tokens.

    Source: Michel et al. 2019, "Are Sixteen Heads Really Better than One?".
    """

    def pre_hook(name, attention):
        def silence(module, arguments):
            parts = arguments[0].unflatten(-1, (attention.num_heads, -1)).clone()
            for head in heads:
                if head[0] == name:
                    parts[..., head[1], :] = 0 if instead is None else instead[head]
            return (parts.flatten(-2),)

        return silence

    attentions = [(name, model.get_submodule(name)) for name in {name for name, _ in heads}]
    hooks = [attention.w_o.register_forward_pre_hook(pre_hook(name, attention)) for name, attention in attentions]
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


@torch.no_grad()
def usual(model: Transformer, source: Int[Tensor, "b m"], target: Int[Tensor, "b n"]) -> dict[Head, Float[Tensor, "d"]]:
    """Return what each head brings on average, over the tokens of these pairs (padding among them)."""
    means: dict[Head, Tensor] = {}

    def keep(name, attention):
        def note(module, arguments):
            parts = arguments[0].unflatten(-1, (attention.num_heads, -1)).mean((0, 1))
            means.update({(name, number): part for number, part in enumerate(parts)})

        return note

    attentions = [pair for pair in model.named_modules() if isinstance(pair[1], MultiHeadAttention)]
    hooks = [attention.w_o.register_forward_pre_hook(keep(name, attention)) for name, attention in attentions]
    try:
        model(source, shift(target)[0])
    finally:
        for hook in hooks:
            hook.remove()
    return means


@torch.no_grad()
def exact(model: Transformer, source: Int[Tensor, "b m"], target: Int[Tensor, "b n"]) -> float:
    """Return the share of pairs that the model would write without a mistake.

    Shown the right target, is the likeliest token the label at every place? Then, and only then, it would write just that.
    """
    inputs, labels = shift(target)
    right = (model(source, inputs).argmax(-1) == labels) | (labels == Vocabulary.pad)
    return right.all(1).float().mean().item()


@functools.cache
def _shipped() -> tuple[Transformer, dict[str, tuple[list, list]]]:
    """The translator, and its pairs as ids: (sources, targets) of those it was trained on and of those it never saw."""
    model, vocabularies = models.load("translator")
    english, chinese = vocabularies["source"], vocabularies["target"]
    ids = {}
    for name, pairs in zip(("trained on", "unseen"), number_pairs(), strict=True):
        ids[name] = [(english.encode(words), [*chinese.encode(numerals), chinese.end]) for words, numerals in pairs]
    return model, ids


def last_cross_attention(head_1: str, heads_2_to_4: str, numbers: str, seed: int) -> float:
    """Return the share of 200 numbers, drawn by the seed, that the shipped translator gets right with these heads silenced.

    The heads are those of its last cross-attention, counted from 1, each "working" or "silenced"; ``numbers`` are "unseen" or
    "trained on".
    """
    model, pairs = _shipped()
    sample = random.Random(seed).sample(pairs[numbers], 200)
    states = [head_1, *[heads_2_to_4] * 3]
    gone = [("decoder.layers.1.cross_attention", k) for k, state in enumerate(states) if state == "silenced"]
    with silenced(model, gone):
        return exact(model, *(pad_right(side) for side in zip(*sample, strict=True)))
