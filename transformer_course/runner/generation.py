"""Run an answer that generates ids. The model and the choice among its scores are functions, made here from arrays."""

import numpy as np

from .tensors import tensors


def run_generation(answer, table: np.ndarray, begin: list[int], end: int, limit: int, rank: int | None = None):
    """Call ``answer(step, begin, end, limit)``, with a ``step`` that looks up a row of scores by all ids that it is given.

    With ``rank``, the answer also gets a function that chooses the id whose score is ``rank`` below the largest one: not a
    matter of their order alone, so that it shows if the function is given probabilities. Both functions return tensors if the
    answer's code uses torch, and NumPy's otherwise.
    """
    torch = tensors()

    def step(ids):
        if not isinstance(ids, list):
            raise TypeError(f"step takes one list of ids, but got {type(ids).__name__}")
        row = 0
        for number in ids:
            row = (5 * row + int(number) + 1) % len(table)
        return table[row].copy() if torch is None else torch.from_numpy(table[row].copy())

    def choose(scores):
        return abs(scores[scores.argmax()] - scores - rank).argmin()

    return answer(step, begin, end, limit, *([] if rank is None else [choose]))
