"""Sheet 06: from ids to a model's first tensor."""

import math

import numpy as np

from ..exercise import Mistake
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


def _by_one_hot(tokens, table, positions):
    return np.eye(len(table))[tokens] @ table * len(table[0]) ** 0.5 + positions[np.arange(tokens.shape[-1])]


def _in_loops(tokens, table, positions):
    def row(text):
        return [np.sqrt(table.shape[-1]) * table[token] + positions[i] for i, token in enumerate(text)]

    return [row(text) for text in tokens] if tokens.ndim == 2 else embed(tokens, table, positions)


def _scaled(factor):
    """The rows times another factor, of the tokens and the table."""
    return lambda tokens, table, positions: table[tokens] * factor(tokens, table) + positions[: tokens.shape[-1]]


def _placed(rows):
    """Other rows of the positions, for these tokens and positions."""
    return lambda tokens, table, positions: table[tokens] * math.sqrt(table.shape[1]) + rows(tokens, positions)


def _root(table):
    return math.sqrt(table.shape[1])


def _by_text(tokens, positions):
    """Each text of a batch gets one position, its place in the batch."""
    return positions[np.arange(len(tokens))].reshape(len(tokens), *[1] * (tokens.ndim - 1), -1)


def _through(tokens, positions):
    """Positions that go on from one text to the next."""
    return positions[np.arange(tokens.size).reshape(tokens.shape)]


def _round_and_round(tokens, positions):
    """The same, but after the last position comes the first."""
    return positions[np.arange(tokens.size).reshape(tokens.shape) % len(positions)]


embedding = Implement(
    id="embedding.embed",
    answer_name="embed",
    prompt="A batch of ids as vectors: rows of the table, times √d_model, plus positions.",
    reference=embed,
    draw=_draw,
    alternatives=(_by_one_hot, _in_loops),
    why=(
        "The table's rows are multiplied by √d_model before the positions are added, and the positions depend only on "
        "where a token is in its sequence."
    ),
    hints=(
        "There are three steps: look up the rows, multiply them, add the positions.",
        "table[tokens] looks up all ids at once, whatever the shape of tokens. Compute the factor from the width, table.shape[1].",
        "There may be more positions than tokens, so take only the first tokens.shape[-1] of them. (A single sequence has only one "
        "axis, and no tokens.shape[1].)",
    ),
    mistakes=(
        Mistake(
            "not multiplied",
            "The rows and the positions are right, but you left out a factor.",
            "Multiply the rows of the table by √d_model first. d_model is the width of the table.",
            _scaled(lambda tokens, table: 1.0),
        ),
        Mistake(
            "positions multiplied too",
            "You multiplied the positions by the factor as well.",
            "Multiply first, and add the positions after that.",
            lambda tokens, table, positions: (table[tokens] + positions[: tokens.shape[-1]]) * _root(table),
        ),
        Mistake(
            "positions multiplied instead",
            "You multiplied the positions instead of the rows of the table.",
            "Multiply table[tokens], and add the positions as they are.",
            lambda tokens, table, positions: table[tokens] + positions[: tokens.shape[-1]] * _root(table),
        ),
        Mistake(
            "divided",
            "You divided by √d_model, as attention does with its scores. That makes the rows smaller.",
            "Multiply by √d_model. The rows should become larger.",
            _scaled(lambda tokens, table: 1 / _root(table)),
        ),
        Mistake(
            "without the root",
            "You multiplied by d_model itself, so the rows are far too large.",
            "Take the square root of d_model, with math.sqrt or ** 0.5.",
            _scaled(lambda tokens, table: table.shape[1]),
        ),
        Mistake(
            "the root of the wrong size",
            "You took the square root of a different size, not of the width of a token's vector. It may be the number of tokens in a "
            "sequence, of sequences in the batch, or of rows in the table.",
            "Print `table.shape`. Which of the two numbers is the width?",
            _scaled(lambda tokens, table: math.sqrt(len(table))),
            variants=(
                _scaled(lambda tokens, table: math.sqrt(tokens.shape[-1])),
                _scaled(lambda tokens, table: math.sqrt(len(tokens))),
            ),
        ),
        Mistake(
            "no positions",
            "These are the rows of the table, correctly multiplied. But the positions are missing, so attention cannot know the order of "
            "the tokens.",
            "Add a row of `positions` to each token.",
            _placed(lambda tokens, positions: 0.0),
        ),
        Mistake(
            "positions by id",
            "You looked up the positions by *id*. The id says which token it is; the position says where it is in its sequence.",
            "The first token of each sequence gets row 0, and the second gets row 1.",
            _placed(lambda tokens, positions: positions[tokens]),
        ),
        Mistake(
            "positions by text",
            "All tokens of a sequence got the same position, namely the index of their sequence in the batch.",
            "Positions count the tokens within a sequence, along the last axis of `tokens`.",
            _placed(_by_text),
        ),
        Mistake(
            "counted on from text to text",
            "You went on counting from one sequence to the next: the second begins where the first ended.",
            "Each sequence begins at position 0. NumPy broadcasts the same rows of `positions` over the batch.",
            _placed(_through),
            variants=(_placed(_round_and_round),),
        ),
        Mistake(
            "counted from 1",
            "The first token got row 1 of `positions`, so every position is one too large.",
            "Use a slice that starts at the beginning.",
            _placed(lambda tokens, positions: positions[1 : tokens.shape[-1] + 1]),
        ),
        Mistake(
            "the last positions",
            "You took the last rows of `positions`, so the positions of a sequence depend on how many rows there are.",
            "`positions[:n]` takes the first n rows.",
            _placed(lambda tokens, positions: positions[-tokens.shape[-1] :]),
            variants=(_placed(lambda tokens, positions: positions[len(positions) - tokens.shape[-1] :]),),
        ),
        Mistake(
            "the same position for all",
            "Every token got the same row of `positions`, so nothing says where it is in its sequence.",
            "Give each token its own row: use the first n rows of `positions`.",
            _placed(lambda tokens, positions: positions[0]),
            variants=(_placed(lambda tokens, positions: positions[tokens.shape[-1] - 1]),),
        ),
        Mistake(
            "backwards",
            "The last token got position 0: you counted positions from the right.",
            "Count positions from the left, without reversing anything.",
            _placed(lambda tokens, positions: positions[: tokens.shape[-1]][::-1]),
        ),
        Mistake(
            "all positions",
            "You added all rows of `positions`, but there may be more of them than tokens.",
            "Take the first n rows, where n is the number of tokens in a sequence.",
            _placed(lambda tokens, positions: positions),
        ),
        Mistake(
            "written for one text",
            "You took the number of tokens from the first axis of `tokens`. In a batch, that axis counts the sequences.",
            "The tokens are along the last axis, so use `tokens.shape[-1]`.",
            _placed(lambda tokens, positions: positions[: len(tokens)]),
        ),
        Mistake(
            "multiplied by the positions",
            "You multiplied the rows by the positions. Wherever a position contains a 0, the word's number is lost.",
            "Add the positions instead.",
            lambda tokens, table, positions: table[tokens] * _root(table) * positions[: tokens.shape[-1]],
            variants=(lambda tokens, table, positions: table[tokens] * positions[: tokens.shape[-1]],),
        ),
        Mistake(
            "side by side",
            "You concatenated rows and positions, so the width is no longer d_model.",
            "Add the positions instead. NumPy broadcasts them over the batch.",
            lambda tokens, table, positions: np.concatenate(
                [table[tokens] * _root(table), np.broadcast_to(positions[: tokens.shape[-1]], table[tokens].shape)], axis=-1
            ),
        ),
        Mistake(
            "token 0 skipped",
            "You treated id 0 as padding, and gave it zeros or no position. Padding is ignored later, by a mask, and not in the "
            "embedding.",
            "You need no condition: look up id 0 like any other.",
            lambda tokens, table, positions: embed(tokens, table, positions) * (tokens != 0)[..., None],
            variants=(
                lambda tokens, table, positions: (
                    table[tokens] * _root(table) + positions[: tokens.shape[-1]] * (tokens != 0)[..., None]
                ),
                lambda tokens, table, positions: (
                    table[tokens] * _root(table) * (tokens != 0)[..., None] + positions[: tokens.shape[-1]]
                ),
            ),
        ),
    ),
)
