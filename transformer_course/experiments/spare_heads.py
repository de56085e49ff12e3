"""Which heads does a trained translator need? One head or several are silenced, without training the model again.

A head is identified by the name of its attention module and its number there, from 0:
``("encoder.layers.0.self_attention", 3)``.
Shapes: ``b`` batch, ``m`` source tokens, ``n`` target tokens, ``d`` width of a head.
"""

import functools
import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_course import models
from transformer_course.data import number_pairs
from transformer_course.embedding import Vocabulary, pad_right
from transformer_course.inspection import attentions, hooked
from transformer_course.models.recipes import columns
from transformer_course.training import shift
from transformer_course.transformer import Transformer

Head = tuple[str, int]


def heads_of(model: nn.Module) -> list[Head]:
    """Return every head of a model, module by module in the order of `named_modules`."""
    return [(name, number) for attention, name in attentions(model).items() for number in range(attention.num_heads)]


@contextmanager
def silenced(
    model: nn.Module, heads: Sequence[Head], replacements: Mapping[Head, Float[Tensor, "d"]] | None = None
) -> Iterator[None]:
    """Make these heads output zeros, or their ``replacements`` for all tokens, while the ``with`` block runs.

    Source: Michel et al. 2019, "Are Sixteen Heads Really Better than One?".
    """
    attentions = {name: model.get_submodule(name) for name, _ in heads}
    names = {attention.w_o: name for name, attention in attentions.items()}

    def silence(w_o, args):
        name = names[w_o]
        outputs = args[0].unflatten(-1, (attentions[name].num_heads, -1)).clone()
        for head in heads:
            if head[0] == name:
                outputs[..., head[1], :] = 0 if replacements is None else replacements[head]
        return (outputs.flatten(-2),)

    with hooked(names, before=silence):
        yield


@torch.no_grad()
def mean_outputs(model: Transformer, source: Int[Tensor, "b m"], target: Int[Tensor, "b n"]) -> dict[Head, Float[Tensor, "d"]]:
    """Return the mean output of each head over the tokens of these pairs, padding included."""
    names = {attention.w_o: name for attention, name in attentions(model).items()}
    means: dict[Head, Tensor] = {}

    def record(w_o, args):
        name = names[w_o]
        outputs = args[0].unflatten(-1, (model.get_submodule(name).num_heads, -1)).mean((0, 1))
        means.update({(name, number): output for number, output in enumerate(outputs)})

    with hooked(names, before=record):
        model(source, shift(target)[0])
    return means


@torch.no_grad()
def exact_match_rate(model: Transformer, source: Int[Tensor, "b m"], target: Int[Tensor, "b n"]) -> float:
    """Return the fraction of pairs that greedy decoding would translate without a mistake.

    One teacher-forced pass is enough: greedy decoding produces the target exactly when the most likely token is correct at
    every position.
    """
    inputs, labels = shift(target)
    correct = (model(source, inputs).argmax(-1) == labels) | (labels == Vocabulary.pad)
    return correct.all(1).float().mean().item()


@functools.cache
def _shipped() -> tuple[Transformer, dict[str, list[tuple[list, list]]]]:
    """Return the translator, and the ids of its training pairs and its unseen pairs."""
    model, vocabularies = models.load("translator")
    parts = zip(("trained on", "unseen"), number_pairs(), strict=True)
    ids = {name: columns(pairs, vocabularies["source"], vocabularies["target"]) for name, pairs in parts}
    return model, {name: [*zip(*both, strict=True)] for name, both in ids.items()}


def last_cross_attention(head_1: str, heads_2_to_4: str, numbers: str, seed: int) -> float:
    """Return the fraction of 200 randomly drawn numbers that the shipped translator gets right with these heads silenced.

    The heads of its last cross-attention, counted from 1, are each "working" or "silenced". ``numbers`` is "unseen" or
    "trained on".
    """
    model, pairs = _shipped()
    sample = random.Random(seed).sample(pairs[numbers], 200)
    states = [head_1, *[heads_2_to_4] * 3]
    chosen = [("decoder.layers.1.cross_attention", k) for k, state in enumerate(states) if state == "silenced"]
    with silenced(model, chosen):
        return exact_match_rate(model, *(pad_right(side) for side in zip(*sample, strict=True)))
