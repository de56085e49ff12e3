"""Stage B1: a table of logits as an ``nn.Module``."""

import numpy as np

from ..families import adapted
from ..families.stack import OUTPUT
from ..kinds import Module


def _rows(given, tokens):
    return given["table.weight"][tokens]


def _with_the_row_before(given, tokens):
    rows = _rows(given, tokens)
    return rows + np.pad(rows, ((0, 0), (1, 0), (0, 0)))[:, :-1]


def _counts(tokens):
    """How many characters each position has seen, (n, 1)."""
    return np.arange(1, tokens.shape[1] + 1)[:, None]


def _draw(rng):
    def calls(v, *sizes):
        return [[rng.integers(0, v, size)] for size in sizes]

    return [
        ({"vocabulary_size": 7}, calls(7, (2, 5), (3, 4), (1, 1))),
        ({"vocabulary_size": 4}, calls(4, (3, 6), (2, 2))),
    ]


bigram = Module(
    id="build.bigram",
    answer_name="Bigram",
    prompt="A model that looks up the logits of the next character in a table, one row per character.",
    shapes=lambda vocabulary_size: {"table.weight": (vocabulary_size, vocabulary_size)},
    reference=_rows,
    draw=_draw,
    why="Row i of the table holds the logits for what follows character i, and training only has to fill in the rows.",
    hints=(
        "In `__init__`, call `super().__init__()`, then assign an nn.Embedding to `self.table`. It is a table with one row "
        "per id; here each row holds the logits of the next character.",
        "How long is such a row? There is one logit for each character that could come next.",
        "`self.table(tokens)` looks up the row of each id: `(b, n)` becomes `(b, n, v)`. `forward` returns just that.",
    ),
    mistakes={
        **adapted(
            OUTPUT, lambda last: lambda given, tokens: last(_rows(given, tokens)), logits="the rows of the table as they are"
        ),
        "columns of the table": (
            "You look up columns. Column i holds the logits of character i as the *next* character. What follows it is in "
            "row i.",
            "`self.table(tokens)` looks up rows.",
            lambda given, tokens: given["table.weight"].T[tokens],
        ),
        "earlier characters added": (
            "Your logits at a position also depend on the characters before it. A bigram model looks at the current "
            "character only.",
            "Which row of the table belongs to the character at this position? The output is that row.",
            _with_the_row_before,
            lambda given, tokens: _with_the_row_before(given, tokens) / np.minimum(_counts(tokens), 2),
            lambda given, tokens: _rows(given, tokens).cumsum(1),
            lambda given, tokens: _rows(given, tokens).cumsum(1) / _counts(tokens),
        ),
        "positions and batch joined": (
            "You joined batch and positions into one axis. Inside the model, keep them apart: (b, n, v). The training step "
            "may join them for the loss.",
            "Leave out the reshape.",
            lambda given, tokens: _rows(given, tokens).reshape(-1, len(given["table.weight"])),
        ),
    },
)
