"""What every task gives."""

import hashlib
import random
from typing import Any, NamedTuple


class Split(NamedTuple):
    """Examples to train on, and examples that no training saw."""

    train: Any
    test: Any


def held_back(example: object, seed: int) -> bool:
    """Say whether an example belongs to the test: one in ten does, by its own digest, whatever sizes are asked for.

    So no example of any test is in any training part of the same seed.
    """
    return hashlib.blake2b(f"{seed} {example}".encode(), digest_size=4).digest() < b"\x19\x99\x99\x99"


def split(examples: list, test: int, seed: int) -> Split:
    """Shuffle, then hold the last ``test`` back: in their own order, the short or old ones would stand together.

    Raises ValueError unless something is left for both parts.
    """
    if not 0 < test < len(examples):
        raise ValueError(
            f"of {len(examples)} examples, from 1 to {len(examples) - 1} can be held back for the test, saw {test}"
        )
    shuffled = random.Random(seed).sample(examples, len(examples))
    return Split(shuffled[:-test], shuffled[-test:])
