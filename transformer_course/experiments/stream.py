"""The residual stream of a shipped GPT: captured while the model runs, decoded after each block, and with parts replaced.

Shapes: ``b`` batch, ``n`` characters, ``d`` width, ``v`` vocabulary, ``r`` positions with a label in the batch.
"""

import functools
import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course import models
from transformer_course.data import character_names, python_docs
from transformer_course.embedding import Vocabulary, pad_right
from transformer_course.family import GPT
from transformer_course.inspection import hooked
from transformer_course.training import shift

_names = functools.cache(character_names)
_load = functools.cache(lambda: models.load("gpt-pre"))


def draw_names(
    text: Vocabulary, size: int, seed: int, seen: bool = False
) -> tuple[Int[Tensor, "b n"], Int[Tensor, "b n"], Bool[Tensor, "b n"]]:
    """Return inputs, labels, and where the labels are not padding, for ``size`` random names of Unicode characters.

    The shipped models never saw these names, or, if ``seen``, were trained on them.
    """
    names = _names().train if seen else _names().test
    rows = np.random.default_rng(seed).choice(len(names), size, replace=False)
    inputs, labels = shift(pad_right([[*text.encode(names[row][0]), text.end] for row in rows]))
    return inputs, labels, labels != text.pad


@functools.cache
def _paragraphs() -> tuple[str, ...]:
    return tuple(line for line in python_docs().test.splitlines() if len(line) >= 60)


def draw_paragraphs(
    tokens_of: Callable[[str], list[int]], size: int, seed: int, length: int = 20
) -> tuple[Int[Tensor, "b n"], Int[Tensor, "b n"], Bool[Tensor, "b n"]]:
    """Return inputs, labels, and where there is a label (everywhere), for the beginnings of random paragraphs.

    The paragraphs are from the part of Python's documentation that the shipped model ``prose`` never saw. ``tokens_of``
    turns a text into ids.
    """
    rows = np.random.default_rng(seed).permutation(len(_paragraphs()))
    drawn = (tokens_of("\n" + _paragraphs()[row][: 10 * length]) for row in rows)
    ids = torch.tensor([tokens[: length + 1] for tokens in itertools.islice((t for t in drawn if len(t) > length), size)])
    inputs, labels = ids[:, :-1], ids[:, 1:]
    return inputs, labels, torch.ones_like(labels, dtype=torch.bool)


def sublayers(model: GPT) -> list[nn.Module]:
    """Return all sublayers in order: the first block's attention, its feed-forward network, and so on."""
    return [part for block in model.stack.layers for part in (block.self_attention, block.feed_forward)]


@torch.no_grad()
def capture_outputs(model: nn.Module, parts: Sequence[nn.Module], tokens: Int[Tensor, "b n"]) -> list[Tensor]:
    """Run ``model(tokens)`` once, and return the output of each of its ``parts``."""
    outputs: dict[nn.Module, Tensor] = {}
    with hooked(parts, after=lambda part, args, output: outputs.update({part: output})):
        model(tokens)
    return [outputs[part] for part in parts]


def streams(model: GPT, tokens: Int[Tensor, "b n"]) -> list[Float[Tensor, "b n d"]]:
    """Return the residual stream after the embeddings and after each block."""
    return capture_outputs(model, [model.input, *model.stack.layers], tokens)


@torch.no_grad()
def logit_lens(model: GPT, stream: Float[Tensor, "... d"]) -> Float[Tensor, "... v"]:
    """Decode a residual stream as the model decodes its last one, through its final LayerNorm (if any) and output layer.

    Source: nostalgebraist 2020, "interpreting GPT: the logit lens".
    """
    return model.output(model.stack.norm(stream))


@contextmanager
def replaced(part: nn.Module, by: Callable[[Tensor, Tensor], Tensor]) -> Iterator[None]:
    """Replace the output of ``part`` by ``by(its input, its output)`` while the ``with`` block runs."""
    with hooked([part], after=lambda _, args, output: by(args[0], output)):
        yield


def affine_map(x: Float[Tensor, "r d"], y: Float[Tensor, "r d2"]) -> Callable[[Tensor], Tensor]:
    """Fit a matrix and a bias that map ``x`` to ``y``, by least squares, and return the map as a function.

    Embeddings may have fewer different rows than dimensions; the "gelsd" driver can handle that.
    """
    solution = torch.linalg.lstsq(F.pad(x, (0, 1), value=1.0), y, driver="gelsd").solution
    return lambda rows: F.pad(rows, (0, 1), value=1.0) @ solution


def tuned_lens(
    model: GPT, text: Vocabulary, seed: int, size: int = 150, untrained: bool = False
) -> list[Callable[[Float[Tensor, "... d"]], Float[Tensor, "... v"]]]:
    """Return a lens for the embeddings and for each block: an affine map to the *last* residual stream, then `logit_lens`.

    The maps are fitted by least squares to ``size`` training names. With ``untrained``, they map from the residual streams of
    an untrained copy, still to the last stream of the trained model.

    Source: Belrose et al. 2023, "Eliciting Latent Predictions from Transformers with the Tuned Lens". They fit by gradient
    descent, to the last distribution.
    """
    inputs, _, real = draw_names(text, size, seed, seen=True)
    last = streams(model, inputs)[-1][real]
    source = untrained_copy(model, seed) if untrained else model
    maps = [affine_map(stream[real], last) for stream in streams(source, inputs)]
    return [lambda stream, fitted=fitted: logit_lens(model, fitted(stream)) for fitted in maps]


def untrained_copy(model: GPT, seed: int) -> GPT:
    """Return an untrained model with the same configuration."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return GPT(model.config)


def accuracy(logits: Float[Tensor, "b n v"], labels: Int[Tensor, "b n"], real: Bool[Tensor, "b n"]) -> float:
    """Return how often the most likely character is the label."""
    return (logits.argmax(-1) == labels)[real].float().mean().item()


def reading(blocks: str, lens: str, names: str, after: int, seed: int) -> float:
    """Return how accurately a lens predicts gpt-pre's next character after this many blocks: one run of sheet 19.

    ``blocks`` is "trained" or "untrained", ``lens`` is "plain" or "tuned" (to the trained model's last residual stream), and
    ``names`` is "fitted", for the names that the lens was tuned on, or "others", for 40 different ones.
    """
    model, vocabularies = _load()
    text = vocabularies["text"]
    source = untrained_copy(model, seed) if blocks == "untrained" else model
    fitted = names == "fitted"
    inputs, labels, real = draw_names(text, 150 if fitted else 40, seed, seen=fitted)
    stream = streams(source, inputs)[after]
    if lens == "plain":
        return accuracy(logit_lens(source, stream), labels, real)
    return accuracy(tuned_lens(model, text, seed, untrained=blocks == "untrained")[after](stream), labels, real)
