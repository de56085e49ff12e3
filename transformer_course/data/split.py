"""What every task gives."""

import random
from typing import Any, NamedTuple


class Split(NamedTuple):
    """Examples to train on, and examples that no training saw."""

    train: Any
    test: Any


def split(examples: list, test: int, seed: int) -> Split:
    """Shuffle, then hold ``test`` examples back: in their own order, the short or old ones would stand together.

    Raises ValueError unless something is left for both parts.
    """
    if not 0 < test < len(examples):
        raise ValueError(
            f"of {len(examples)} examples, from 1 to {len(examples) - 1} can be held back for the test, saw {test}"
        )
    shuffled = random.Random(seed).sample(examples, len(examples))
    return Split(shuffled[:-test], shuffled[-test:])
