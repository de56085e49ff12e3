"""Stage B7 of the Build: how long it takes to generate with and without a cache.

The models have the sizes of stage B8's, with room for longer texts, and random weights, which make no difference to the time.
"""

import statistics
import time
from collections.abc import Callable, Mapping

import torch

from transformer_course.config import TransformerConfig
from transformer_course.embedding import Vocabulary
from transformer_course.experiments import build_prose as prose
from transformer_course.experiments.build_ladder import SHORT
from transformer_course.family import GPT

LENGTHS = (4, 8) if SHORT else (128, 512)  # tokens
ROUNDS, ENOUGH = (1 if SHORT else 3), 5.0
SIZES = {**prose.SIZES, "vocabulary_size": 1280, "max_length": 513}


def library_model() -> GPT:
    """Return the library's `GPT` of these sizes, with random weights. It never generates ``<end>``."""
    model = GPT(TransformerConfig(**SIZES, dropout=0.0, norm="pre", positions="learned"))
    with torch.no_grad():
        model.output.weight[Vocabulary.end] = 0.0  # its logit is then 0, and never the highest of 1,280
    return model


def seconds(programs: Mapping[str, Callable[[], object]]) -> dict[str, float]:
    """Return the median time of each program in seconds. They take turns, up to ``ROUNDS`` times.

    A program that has used up ``ENOUGH`` seconds is not run again.
    """
    times: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(ROUNDS):
        for name, program in programs.items():
            if sum(times[name]) < ENOUGH:
                started = time.perf_counter()
                program()
                times[name].append(time.perf_counter() - started)
    return {name: statistics.median(each) for name, each in times.items()}
