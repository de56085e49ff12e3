"""The stream of a shipped GPT: caught while it runs, read after each block, and with a part of the model left out.

Shapes: ``b`` batch, ``n`` characters, ``d`` width, ``v`` vocabulary, ``r`` the positions of a batch that ask for something.
"""

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course import models
from transformer_course.data import character_names
from transformer_course.embedding import Vocabulary, pad_right
from transformer_course.family import GPT
from transformer_course.training import shift

_names = functools.cache(character_names)
_load = functools.cache(lambda: models.load("gpt-pre"))


def draw_names(
    text: Vocabulary, size: int, seed: int, seen: bool = False
) -> tuple[Int[Tensor, "b n"], Int[Tensor, "b n"], Bool[Tensor, "b n"]]:
    """Return what goes in, what is asked, and which positions ask for something, for ``size`` names of Unicode characters.

    They are names that the shipped models never saw, or, if ``seen``, names that they were trained with.
    """
    names = _names().train if seen else _names().test
    rows = np.random.default_rng(seed).choice(len(names), size, replace=False)
    inputs, labels = shift(pad_right([[*text.encode(names[row][0]), text.end] for row in rows]))
    return inputs, labels, labels != text.pad


def sublayers(model: GPT) -> list[nn.Module]:
    """Return the sublayers from the bottom to the top: the first block's attention, its feed-forward network, and so on."""
    return [part for block in model.stack.layers for part in (block.self_attention, block.feed_forward)]


@torch.no_grad()
def catch(model: nn.Module, parts: Sequence[nn.Module], tokens: Int[Tensor, "b n"]) -> list[Tensor]:
    """Run ``model(tokens)`` once, and return what came out of each of its ``parts``."""
    caught: dict[nn.Module, Tensor] = {}
    hooks = [part.register_forward_hook(lambda part, inputs, output: caught.update({part: output})) for part in parts]
    try:
        model(tokens)
    finally:
        for hook in hooks:
            hook.remove()
    return [caught[part] for part in parts]


def streams(model: GPT, tokens: Int[Tensor, "b n"]) -> list[Float[Tensor, "b n d"]]:
    """Return the stream at the bottom and after each block."""
    return catch(model, [model.input, *model.stack.layers], tokens)


@torch.no_grad()
def read(model: GPT, stream: Float[Tensor, "... d"]) -> Float[Tensor, "... v"]:
    """The logit lens: read a stream as the model reads its last one: by its closing norm, if it has one, and its output layer.

    Source: nostalgebraist 2020, "interpreting GPT: the logit lens".
    """
    return model.output(model.stack.norm(stream))


@contextmanager
def replaced(part: nn.Module, by: Callable[[Tensor, Tensor], Tensor]) -> Iterator[None]:
    """While the ``with`` block runs, hand on ``by(what went in, what came out)`` in place of what came out of ``part``."""
    hook = part.register_forward_hook(lambda _, inputs, output: by(inputs[0], output))
    try:
        yield
    finally:
        hook.remove()


def affine_map(x: Float[Tensor, "r d"], y: Float[Tensor, "r d2"]) -> Callable[[Tensor], Tensor]:
    """Return the matrix with a bias that makes ``y`` of ``x`` best, by least squares, as a function.

    At the bottom of a model there are fewer different vectors than numbers in one; "gelsd" takes that too.
    """
    solution = torch.linalg.lstsq(F.pad(x, (0, 1), value=1.0), y, driver="gelsd").solution
    return lambda other: F.pad(other, (0, 1), value=1.0) @ solution


def fitted_lens(
    model: GPT, text: Vocabulary, seed: int, size: int = 150, untrained: bool = False
) -> list[Callable[[Float[Tensor, "... d"]], Float[Tensor, "... v"]]]:
    """Return a lens for the bottom and for each block: an affine map of the stream there to the *last* stream, then `read`.

    The maps are fitted by least squares to ``size`` names of the training. ``untrained``: the streams are those of a new model
    of the same form, and still to become the trained model's last one.

    Source: Belrose et al. 2023, "Eliciting Latent Predictions from Transformers with the Tuned Lens"; they fit by gradient, to
    the last distribution.
    """
    inputs, _, real = draw_names(text, size, seed, seen=True)
    last = streams(model, inputs)[-1][real]
    source = new_twin(model, seed) if untrained else model
    maps = [affine_map(stream[real], last) for stream in streams(source, inputs)]
    return [lambda stream, fitted=fitted: read(model, fitted(stream)) for fitted in maps]


def new_twin(model: GPT, seed: int) -> GPT:
    """Return an untrained model of the same form."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return GPT(model.config)


def accuracy(logits: Float[Tensor, "b n v"], labels: Int[Tensor, "b n"], real: Bool[Tensor, "b n"]) -> float:
    """Return how often the likeliest character is the one that is asked."""
    return (logits.argmax(-1) == labels)[real].float().mean().item()


def reading(blocks: str, lens: str, names: str, after: int, seed: int) -> float:
    """Return how often gpt-pre's next character is read right from its stream after so many blocks: one run of sheet 19.

    ``blocks`` are "trained" or "untrained", the ``lens`` is "plain" or "tuned" (to the trained model's last stream), and the
    ``names`` are those to which it was "fitted", or 40 "others".
    """
    model, vocabularies = _load()
    text = vocabularies["text"]
    source = new_twin(model, seed) if blocks == "untrained" else model
    fitted = names == "fitted"
    inputs, labels, real = draw_names(text, 150 if fitted else 40, seed, seen=fitted)
    stream = streams(source, inputs)[after]
    if lens == "plain":
        return accuracy(read(source, stream), labels, real)
    return accuracy(fitted_lens(model, text, seed, untrained=blocks == "untrained")[after](stream), labels, real)
