"""What `make test-all` draws at random: each run draws differently, and `make test-all SEED=…` repeats a run."""

import os
import random

RUN = os.environ.get("TRANSFORMER_COURSE_SEED", "0")  # the same in all processes of a run


def dice(*about: str) -> random.Random:
    """Return this run's random numbers for one test, of one exercise or sheet."""
    return random.Random(" ".join([RUN, *about]))


def seeds(count: int, *about: str) -> list[int]:
    """Draw seeds as grading draws them, from far more than anyone could try."""
    numbers = dice(*about)
    return [numbers.randrange(2**56) for _ in range(count)]
