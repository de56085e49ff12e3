"""Stage B8 of the Build: a GPT on byte pairs of Python's documentation, with the learner's own class and training step."""

from collections.abc import Callable

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_course import models
from transformer_course.byte_pairs import BytePairs
from transformer_course.data.split import Split
from transformer_course.experiments import build_ladder as ladder
from transformer_course.experiments import effort
from transformer_course.experiments.counting import CountTable
from transformer_course.family import GPT
from transformer_course.models.recipes import bits_of_a_text
from transformer_course.weights import by_stage_names

LENGTH = 128  # tokens, about 390 characters
SIZES = {"max_length": LENGTH, "d_model": 128, "num_heads": 4, "num_layers": 4, "d_ff": 512}
FULL, FEW = 300, 3
STEPS = effort.count(FULL, FEW)


def steps() -> int:
    """Return ``STEPS``, and say so if they are fewer than the course's."""
    return effort.steps(FULL, FEW)


def train(model: nn.Module, train_step: Callable[..., float], ids: Int[Tensor, "n"], **options) -> list[float]:
    """Train a model for ``STEPS`` steps as `ladder.train_on_ids` does, with the same options; return their losses, in nats."""
    return ladder.train_on_ids(model, train_step, ids, LENGTH, STEPS, **options)


def bits_per_character(model: nn.Module, tokenizer: BytePairs, text: str) -> float:
    """Return the mean of -log₂ p over a text's tokens, divided by the characters per token: one number for any tokens.

    Raises ValueError for a text of fewer than ``LENGTH`` + 1 tokens.
    """
    model.eval()
    text = text[:5000] if ladder.SHORT else text
    return bits_of_a_text(model, tokenizer.encode(text), len(text), LENGTH)


def bits_of_counts(tokenizer: BytePairs, text: Split, in_view: int = 3) -> float:
    """Return the bits per character of a table that counts which token followed the ``in_view`` tokens before it."""
    train, test = (tokenizer.encode(part) for part in text)
    table = CountTable(train, len(tokenizer), in_view + 1)
    return float(table.bits(test)[:, in_view].sum() / len(text.test))


def write(model: nn.Module, tokenizer: BytePairs, start: str = "\n", count: int = 100, seed: int = 0, **choice) -> list[int]:
    """Return ``count`` ids that the model draws after ``start``, as `ladder.continuation` does."""
    return ladder.continuation(model, torch.tensor(tokenizer.encode(start)), count, LENGTH, seed, **choice)


def trained_longer() -> tuple[dict[str, Float[Tensor, "..."]], BytePairs]:
    """Return the weights of the shipped model ``prose``, under the names of the learner's ``GPT``, and its tokenizer.

    Its vocabulary begins with special tokens, which it never saw in training; their rows are left out.
    """
    model, vocabularies = models.load("prose")
    tokens, first = vocabularies["text"].tokens, len(vocabularies["text"].specials)
    return weights_by_stage_names(model, first), BytePairs.from_tokens(tokens[first:])


def weights_by_stage_names(model: GPT, first: int = 0) -> dict[str, Float[Tensor, "..."]]:
    """Return the weights of a pre-norm `GPT` with learned positions, ReLU and an untied output, under the learner's names.

    The library's `GPT` multiplies its table by √d_model; here the factor is in the table. Rows of the vocabulary before
    ``first`` are left out.
    """
    weights = by_stage_names(model.state_dict())
    weights["tokens.weight"] = weights["tokens.weight"][first:] * model.config.d_model**0.5
    weights["output.weight"] = weights["output.weight"][first:]
    return weights
