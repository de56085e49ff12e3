"""Sheet 06: from ids to a model's first tensor."""

import math

import numpy as np

from ..families import adapted
from ..families.stack import POSITIONS, SCALED
from ..kinds import Implement
from ..toolkit import normal

NOTE_1 = np.array([[0.0, 0.0, 0.0, 0.0], [0.5, 0.25, 0.75, 0.125], [0.25, 1.0, 0.5, 0.625]])


def embed(tokens, table, positions):
    return table[tokens] * math.sqrt(table.shape[1]) + positions[: tokens.shape[-1]]


def _draw(rng):
    def sized(shape, v, d, m):
        tokens = rng.integers(0, v, shape)
        tokens.flat[:2] = 0, v - 1  # the first row of the table is a token like any other
        table, positions = (normal(rng, rows, d) for rows in (v, m))
        return [tokens, table, positions]

    steps = np.array([[0.0, 1.0, 0.0, 1.0], [0.5, 0.5, 0.125, 1.0], [1.0, -0.5, 0.25, 1.0]])
    return [
        [np.array([[1, 2, 1]]), NOTE_1, steps],
        sized((2, 5), v=7, d=3, m=13),
        sized((6,), v=4, d=9, m=8),  # a single text
        sized((4, 3), v=5, d=8, m=3),  # as many positions as tokens
        sized((2, 3, 5), v=6, d=7, m=9),
        sized((3, 1), v=11, d=2, m=4),
    ]


def _root(table):
    return math.sqrt(table.shape[1])


def _scaled(factor):
    """The rows times another factor, of the tokens and the table."""
    return lambda tokens, table, positions: table[tokens] * factor(tokens, table) + positions[: tokens.shape[-1]]


def _combined(combine):
    return lambda tokens, table, positions: combine(table[tokens], positions[: tokens.shape[-1]], _root(table))


def _placed(choose):
    """Other rows of the positions, for these tokens and positions."""
    return lambda tokens, table, positions: table[tokens] * _root(table) + choose(tokens, positions)


def _round_and_round(tokens, positions):
    """Positions that go on from one text to the next, and begin again after the last."""
    return positions[np.arange(tokens.size).reshape(tokens.shape) % len(positions)]


def _skipped(mask):
    """Zeros for id 0: ``mask(rows, positions, known)``, where ``known`` is 0 for these tokens and 1 for all others."""
    return lambda tokens, table, positions: mask(
        table[tokens] * _root(table), positions[: tokens.shape[-1]], (tokens != 0)[..., None]
    )


embedding = Implement(
    id="embedding.embed",
    answer_name="embed",
    prompt="A batch of ids as vectors: rows of the table, times √d_model, plus positions.",
    reference=embed,
    draw=_draw,
    why=(
        "The table's rows are multiplied by √d_model before the positions are added, and the positions depend only on where "
        "a token is in its sequence."
    ),
    hints=(
        "There are three steps: look up the rows, multiply them, add the positions.",
        "table[tokens] looks up all ids at once, whatever the shape of tokens. Compute the factor from the width, "
        "table.shape[1].",
        "There may be more positions than tokens, so take only the first tokens.shape[-1] of them. (A single sequence has "
        "only one axis, and no tokens.shape[1].)",
    ),
    mistakes={
        **adapted(SCALED, _combined, rows="`table[tokens]`"),
        "the root of the wrong size": (
            "You took the square root of a different size, not of the width of a token's vector. It may be the number of "
            "tokens in a sequence, of sequences in the batch, or of rows in the table.",
            "Print `table.shape`. Which of the two numbers is the width?",
            _scaled(lambda tokens, table: math.sqrt(len(table))),
            _scaled(lambda tokens, table: math.sqrt(tokens.shape[-1])),
            _scaled(lambda tokens, table: math.sqrt(len(tokens))),
            lambda tokens, table, positions: table[tokens] * math.sqrt(len(table)) + positions[: len(tokens)],
        ),
        **adapted(
            POSITIONS,
            lambda enter: lambda tokens, table, places: enter(table[tokens] * _root(table), lambda n: places[:n], tokens),
            more={
                "positions multiplied": (_combined(lambda rows, positions, root: rows * positions),),
                "counted on from text to text": (_placed(_round_and_round),),
            },
            positions="`positions[:n]`",
        ),
        "the last positions": (
            "You took the last rows of `positions`, so the positions of a sequence depend on how many rows there are.",
            "`positions[:n]` takes the first n rows.",
            _placed(lambda tokens, positions: positions[-tokens.shape[-1] :]),
            _placed(lambda tokens, positions: positions[len(positions) - tokens.shape[-1] :]),
        ),
        "all positions": (
            "You added all rows of `positions`, but there may be more of them than tokens.",
            "Take the first n rows, where n is the number of tokens in a sequence.",
            _placed(lambda tokens, positions: positions),
        ),
        "side by side": (
            "You concatenated rows and positions, so the width is no longer d_model.",
            "Add the positions instead. NumPy broadcasts them over the batch.",
            _combined(lambda rows, positions, root: np.concatenate([rows * root, np.broadcast_to(positions, rows.shape)], -1)),
        ),
        "token 0 skipped": (
            "You treated id 0 as padding, and gave it zeros or no position. Padding is ignored later, by a mask, and not in "
            "the embedding.",
            "You need no condition: look up id 0 like any other.",
            _skipped(lambda rows, positions, known: (rows + positions) * known),
            _skipped(lambda rows, positions, known: rows + positions * known),
            _skipped(lambda rows, positions, known: rows * known + positions),
        ),
    },
)
