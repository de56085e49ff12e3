"""Splits of a task's examples into training and test."""

import hashlib
import random
from collections.abc import Iterable
from typing import Any, NamedTuple


class Split(NamedTuple):
    """Examples for training, and examples for a test, which are never used for training."""

    train: Any
    test: Any


def held_back(example: object, seed: int) -> bool:
    """Return whether an example belongs to the test, which its hash decides; about one in ten does.

    So for the same seed, no test example is ever in a training part, whatever sizes are requested.
    """
    return hashlib.blake2b(f"{seed} {example}".encode(), digest_size=4).digest() < b"\x19\x99\x99\x99"


def split_text(paragraphs: Iterable[str], seed: int) -> Split:
    """Return two strings of whole paragraphs, each of which is one line and ends with a newline."""
    parts: tuple[list[str], list[str]] = ([], [])
    for paragraph in paragraphs:
        parts[held_back(paragraph, seed)].append(paragraph + "\n")
    return Split(*map("".join, parts))


def split(examples: list, test: int, seed: int) -> Split:
    """Shuffle the examples, then hold back the last ``test``. Unshuffled, short or old examples would be grouped together.

    Raises ValueError unless both parts get at least one example.
    """
    if not 0 < test < len(examples):
        raise ValueError(f"of {len(examples)} examples, 1 to {len(examples) - 1} can be held back for the test, got {test}")
    shuffled = random.Random(seed).sample(examples, len(examples))
    return Split(shuffled[:-test], shuffled[-test:])
