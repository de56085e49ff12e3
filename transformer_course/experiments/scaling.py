"""Scaling: small GPTs of growing size on Python's documentation, one token per character.

Five sizes are trained for equally many steps at each of three rates. Then all five get the same amount of arithmetic, so that
the smaller ones read more text. All are measured in bits per character on the same held-out text, and so are tables of counts
and the two shipped models of prose.

Shapes: ``k`` models.
"""

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy.typing import ArrayLike
from torch import Tensor

from transformer_course import models
from transformer_course.byte_pairs import BytePairs
from transformer_course.config import TransformerConfig
from transformer_course.data import python_docs
from transformer_course.data.python_docs import CHARACTERS, encode
from transformer_course.data.windows import random_windows
from transformer_course.embedding import Vocabulary
from transformer_course.experiments.counting import CountTable
from transformer_course.family import GPT
from transformer_course.models.recipes import bits_of_a_text
from transformer_course.training import sequence_loss
from transformer_course.training import train as take_steps

LENGTH, BATCH = 64, 32
TOKENS = LENGTH * BATCH  # characters that a step reads
STEPS, MORE = 300, 3  # and how many times as many steps "more steps" has
RATES = (0.003, 0.01, 0.03)
BUDGETS = (0.25, 1.0)  # parts of the arithmetic that the middle size needs for ``STEPS`` steps
LITTLE = 60_000  # characters of training text that are left in "less text", a twentieth
MEASURED = 40_000  # characters of held-out text on which everything is measured
SHIPPED = ("prose", "prose-large")
IN_VIEW = 7  # tables look at 0 to 6 characters, or at 0 to 4 byte pairs


class Size(NamedTuple):
    """The width of a model and how many blocks it has."""

    d_model: int
    num_layers: int

    @property
    def parameters(self) -> int:
        """The parameters of its blocks, without the tables at both ends, as in Kaplan et al. 2020, section 2.1."""
        with torch.device("meta"):  # nothing is drawn
            return sum(parameter.numel() for parameter in GPT(_config(self)).stack.parameters())


SIZES = (Size(16, 2), Size(24, 2), Size(32, 3), Size(48, 3), Size(64, 4))


def new_model(size: Size, seed: int = 0) -> GPT:
    """Return an untrained GPT with rotary positions, which have no parameters."""
    torch.manual_seed(seed)
    return GPT(_config(size))


def _config(size: Size) -> TransformerConfig:
    return TransformerConfig(
        d_model=size.d_model,
        num_layers=size.num_layers,
        num_heads=size.d_model // 8,
        d_ff=4 * size.d_model,
        dropout=0.0,
        norm="pre",
        activation="gelu",
        positions="rotary",
        vocabulary_size=len(CHARACTERS),
        tied=False,
        scale_embedding=False,
        special_tokens=False,
        max_length=LENGTH,
    )


def flops(parameters: float, tokens: float) -> float:
    """Return 6·N·D, about how many additions and multiplications it takes to train N parameters on D tokens.

    Raises ValueError unless both are positive. Source: Kaplan et al. 2020, section 2.1.
    """
    if not (parameters > 0 and tokens > 0):
        raise ValueError(f"a model has parameters and reads tokens, so both must be above 0, got {parameters} and {tokens}")
    return 6 * parameters * tokens


def steps_for(size: Size, budget: float) -> int:
    """Return how many steps of ``TOKENS`` characters a budget of arithmetic pays for, counted as 6·N·D."""
    return max(1, round(budget / flops(size.parameters, TOKENS)))


def budget(part: float) -> float:
    """Return a part of what ``STEPS`` steps of the middle size need, as 6·N·D."""
    return part * flops(SIZES[len(SIZES) // 2].parameters, STEPS * TOKENS)


@functools.cache
def texts() -> tuple[Int[Tensor, "n"], list[int]]:
    """Return the ids of the training text, and those of the held-out characters on which all models are measured."""
    train, test = python_docs()
    return encode(train), encode(test[:MEASURED]).tolist()


def train(
    size: Size,
    rate: float,
    steps: int = STEPS,
    seed: int = 0,
    text: Int[Tensor, "n"] | None = None,
    after_step: Callable[[int, float], None] | None = None,
) -> GPT:
    """Train a new model; return it. The rate rises to ``rate`` in the first fifth of the steps, then falls linearly to 0."""
    ids, model = texts()[0] if text is None else text, new_model(size, seed)
    windows: Iterator = iter(partial(random_windows, ids, BATCH, LENGTH, torch.Generator().manual_seed(seed)), None)
    take_steps(model, windows, _loss, steps, lr=rate, warmup=max(1, steps // 5), after_step=after_step)
    return model.eval()


def _loss(model: GPT, inputs: Tensor, labels: Tensor) -> Tensor:
    return sequence_loss(model(inputs), labels, pad=model.config.pad)


@torch.no_grad()
def bits(model: GPT) -> float:
    """Return the bits per character that a model of characters needs for the held-out text."""
    held_out = texts()[1]
    return bits_of_a_text(model, held_out, len(held_out), LENGTH)


@torch.no_grad()
def bits_of_shipped(name: str) -> float:
    """Return the bits per character that a shipped model of prose needs for the same text, which it reads as byte pairs."""
    model, vocabularies = models.load(name)
    text = python_docs().test[:MEASURED]
    return bits_of_a_text(model, _byte_pairs(vocabularies["text"], text), len(text), model.config.max_length)


def bits_of_tables() -> dict[str, list[float]]:
    """Return the bits per character of tables of counts on the same text, with 0, 1 … tokens in view.

    The tokens are characters, or the byte pairs of `prose`.
    """
    ids, held_out = texts()
    characters = CountTable(ids.tolist(), len(CHARACTERS), IN_VIEW).bits(held_out).mean(axis=0)
    vocabulary = models.load(SHIPPED[0])[1]["text"]
    train, test = (_byte_pairs(vocabulary, part) for part in (python_docs().train, python_docs().test[:MEASURED]))
    pairs = CountTable(train, len(vocabulary), IN_VIEW - 2).bits(test).sum(axis=0) / MEASURED
    return {"characters": _rounded(characters.tolist()), "byte pairs": _rounded(pairs.tolist())}


def _byte_pairs(vocabulary: Vocabulary, text: str) -> list[int]:
    return vocabulary.encode(BytePairs.from_tokens(vocabulary.tokens[len(vocabulary.specials) :]).tokenize(text))


class Line(NamedTuple):
    """A power law ``floor + factor · n^(-slope)``; on log-log paper, a straight line if the floor is 0."""

    floor: float
    factor: float
    slope: float

    def at(self, sizes: ArrayLike) -> Float[np.ndarray, "k"]:
        """Return what the law predicts for these sizes."""
        return self.floor + self.factor * np.asarray(sizes, dtype=float) ** -self.slope


def power_law(sizes: ArrayLike, values: ArrayLike, floor: float = 0.0) -> Line:
    """Return the power law whose logarithm above ``floor`` is closest to the values, by least squares.

    Raises ValueError unless there are at least two different sizes, all above 0, and one value above the floor for each.
    """
    x, y = np.asarray(sizes, dtype=float), np.asarray(values, dtype=float)
    if x.ndim != 1 or x.shape != y.shape or len(np.unique(x)) < 2 or not (x > 0).all() or not (y > floor).all():
        raise ValueError(
            f"a power law needs two or more sizes above 0 and a value above the floor {floor:g} for each, "
            f"got sizes {x.tolist()} and values {y.tolist()}"
        )
    slope, start = np.polyfit(np.log(x), np.log(y - floor), 1)
    return Line(floor, float(np.exp(start)), float(-slope))


def power_law_with_floor(sizes: ArrayLike, values: ArrayLike) -> Line:
    """Return the power law with the floor, from 0 to just below the least value in steps of 0.01, that fits best.

    What is least is the sum of squared differences from the values themselves.
    """
    y = np.asarray(values, dtype=float)
    lines = [power_law(sizes, y, floor) for floor in np.arange(0, y.min(), 0.01)]
    return min(lines, key=lambda line: float(((line.at(sizes) - y) ** 2).sum()))


def runs(record: Mapping, what: str, place: int | None = None) -> Float[np.ndarray, "seeds k"]:
    """Return recorded bits per character, a row for each seed: of ``what``, or of one place in it, such as one rate."""
    return np.array([seed[what] if place is None else seed[what][place] for seed in record["seeds"].values()])


def at_equal_budget(record: Mapping, part: int) -> Float[np.ndarray, "seeds k"]:
    """Return recorded bits per character with one of ``BUDGETS``: each size at the rate that has the better median."""
    rates = runs(record, "equal budgets", part)
    chosen = np.median(rates, axis=0).argmin(axis=0)
    return rates[:, chosen, np.arange(len(chosen))]


def settings() -> dict[str, object]:
    """Return what decides the recorded results."""
    return {
        "sizes": [list(size) for size in SIZES],
        "parameters in blocks": [size.parameters for size in SIZES],
        "characters per step": TOKENS,
        "steps": STEPS,
        "rates": list(RATES),
        "budgets in FLOPs": [budget(part) for part in BUDGETS],
        "steps of the budgets": [[steps_for(size, budget(part)) for size in SIZES] for part in BUDGETS],
        "characters of less text": LITTLE,
        "times as many steps": MORE,
        "characters measured": MEASURED,
        "seeds": [0, 1, 2],
    }


def record() -> dict[str, object]:
    """Train everything with three seeds, which takes about 25 minutes; see `records`."""
    return {
        "settings": settings(),
        "tables": bits_of_tables(),
        "shipped": {name: round(bits_of_shipped(name), 3) for name in SHIPPED},
        "seeds": {str(seed): one_seed(seed) for seed in range(3)},
    }


def one_seed(seed: int) -> dict[str, object]:
    """Return the bits per character of everything that is trained with this seed: rates by sizes, or sizes."""
    ends, little = (SIZES[0], SIZES[-1]), texts()[0][:LITTLE]
    best = {SIZES[0]: RATES[-1], SIZES[-1]: RATES[-2]}
    return {
        "equal steps": [_rounded(bits(train(size, rate, seed=seed)) for size in SIZES) for rate in RATES],
        "equal budgets": [
            [_rounded(bits(train(size, rate, steps_for(size, budget(part)), seed)) for size in SIZES) for rate in RATES[1:]]
            for part in BUDGETS
        ],
        "more steps": _rounded(bits(train(size, best[size], MORE * STEPS, seed)) for size in ends),
        "less text": _rounded(bits(train(size, best[size], seed=seed, text=little)) for size in ends),
    }


def _rounded(values: Sequence[float] | Iterator[float]) -> list[float]:
    return [round(value, 3) for value in values]
