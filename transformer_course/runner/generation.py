"""Run an answer that generates ids or text. The model and the choice among its scores are made here from arrays."""

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


class _Elsewhere(Exception):
    """The model got ids on a device on which nothing can be computed here."""


LETTERS = "abcdefg\n"


class Letters:
    """A tokenizer whose tokens are these letters."""

    def encode(self, text: str) -> list[int]:
        return [LETTERS.index(letter) for letter in text]

    def decode(self, ids) -> str:
        return "".join(LETTERS[int(number)] for number in ids)


class Rows:
    """A model that looks up its scores for the next id by all ids so far, (b, n) -> (b, n, v), at most ``length`` of them."""

    def __init__(self, table: np.ndarray, length: int):
        self.table, self.length = table, length

    def __call__(self, tokens: np.ndarray) -> np.ndarray:
        if tokens.ndim != 2 or tokens.shape[1] > self.length:
            raise IndexError(f"the model takes ids of shape (b, n) with n at most {self.length}, got shape {tokens.shape}")
        rows = np.zeros(tokens.shape, int)
        for place in range(tokens.shape[1]):
            rows[:, place] = (5 * rows[:, max(place - 1, 0)] + tokens[:, place] + 1) % len(self.table)
        return self.table[rows]


def run_text(answer, question: dict) -> dict:
    """Call ``answer(model, tokenizer, prompt, count, length, temperature, p, rows)`` once, with a model as a module of torch.

    Returns the ``texts``, and how the model was called: whether in training mode, whether a graph was kept, and the ``device``
    of the ids that it got. Where the question names a ``device``, the call ends there.
    """
    torch, made, seen = (
        tensors(),
        Rows(question["table"], question["length"]),
        {"training": False, "graph": False, "device": ""},
    )
    model = made if torch is None else _as_module(torch, made, seen, question["device"])
    names = ("prompt", "count", "length", "temperature", "p", "rows")
    try:
        texts = answer(model, Letters(), *(question[name] for name in names))
    except _Elsewhere:
        texts = []
    return {"texts": texts, **seen}


def _as_module(torch, made: Rows, seen: dict, device: str):
    class Model(torch.Module):
        def __init__(self):
            super().__init__()
            self.weight = torch.Parameter(torch.from_numpy(np.zeros(1, np.float32)))
            if device:
                self.to(device)

        def forward(self, tokens):
            if isinstance(tokens, np.ndarray):
                return made(tokens)
            seen["device"] = str(tokens.device)
            if seen["device"] != "cpu" or device:
                raise _Elsewhere
            seen["training"] |= self.training
            seen["graph"] |= torch.records()
            return torch.from_numpy(made(torch.array(tokens)).astype(np.float32))

    return Model()
