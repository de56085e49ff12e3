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


embedding = Implement(
    id="embedding.embed",
    answer_name="embed",
    prompt="A batch of ids as vectors: rows of the table times √d_model, plus positions.",
    reference=embed,
    draw=_draw,
    alternatives=(_by_one_hot, _in_loops),
    why=(
        "The table's rows are multiplied by √d_model before the positions are added, and the positions depend only on "
        "where a token is in its sequence."
    ),
    hints=(
        "Three steps: look the rows up, multiply them, add the positions.",
        "table[tokens] looks all ids up at once, whatever the shape of tokens. The factor comes from the width, table.shape[1].",
        "positions may have more rows than a text has tokens: take the first tokens.shape[-1] of them. (A single "
        "text has one axis, and no tokens.shape[1].)",
    ),
    mistakes=(
        Mistake(
            "not multiplied",
            "The rows and positions are right, but one factor of the formula is missing.",
            "Multiply the rows of the table by √d_model first. d_model is the width of the table.",
            _scaled(lambda tokens, table: 1.0),
        ),
        Mistake(
            "positions multiplied too",
            "You multiplied the positions by the factor as well.",
            "Which of the two is inside your brackets?",
            lambda tokens, table, positions: (table[tokens] + positions[: tokens.shape[-1]]) * _root(table),
        ),
        Mistake(
            "positions multiplied instead",
            "You multiplied the positions, and not the rows of the table.",
            "Multiply table[tokens], and add the positions as they are.",
            lambda tokens, table, positions: table[tokens] + positions[: tokens.shape[-1]] * _root(table),
        ),
        Mistake(
            "divided",
            "You divided by √d_model, as attention does with its scores. That makes the rows smaller.",
            "The rows should become larger.",
            _scaled(lambda tokens, table: 1 / _root(table)),
        ),
        Mistake(
            "without the root",
            "You multiplied by d_model itself, so the rows are far too large.",
            "Take the square root of d_model: math.sqrt, or ** 0.5.",
            _scaled(lambda tokens, table: table.shape[1]),
        ),
        Mistake(
            "the root of the wrong size",
            "The factor is the square root of a different size, not of the width of a token's vector.",
            "Three sizes are easily confused with the width: the number of tokens in a text, of texts in the batch, "
            "and of rows in the table. Print `table.shape`: which of the two is the width?",
            _scaled(lambda tokens, table: math.sqrt(len(table))),
            variants=(
                _scaled(lambda tokens, table: math.sqrt(tokens.shape[-1])),
                _scaled(lambda tokens, table: math.sqrt(len(tokens))),
            ),
        ),
        Mistake(
            "no positions",
            "These are the rows of the table, correctly multiplied. Without positions, attention cannot tell in which"
            " order the tokens come.",
            "Add a row of `positions` to each token.",
            _placed(lambda tokens, positions: 0.0),
        ),
        Mistake(
            "positions by id",
            "Each token got the row of `positions` that its *id* says. The id says which token it is; the position is where it stands "
            "in its text.",
            "The first token of each text gets row 0, the second row 1.",
            _placed(lambda tokens, positions: positions[tokens]),
        ),
        Mistake(
            "positions by text",
            "All tokens of a text got the same position, which is the place of the text in the batch.",
            "Positions count the tokens within a text, and these are along the last axis of `tokens`.",
            _placed(_by_text),
        ),
        Mistake(
            "counted on from text to text",
            "The positions of the second text go on where those of the first ended.",
            "Each text begins at position 0. NumPy broadcasts the same rows of `positions` over the batch.",
            _placed(_through),
        ),
        Mistake(
            "counted from 1",
            "The first token got row 1 of `positions`, so every position is one too large.",
            "Use a slice that starts at the beginning.",
            _placed(lambda tokens, positions: positions[1 : tokens.shape[-1] + 1]),
        ),
        Mistake(
            "the last positions",
            "You took the last rows of `positions`, so a text's positions depend on how many rows there are.",
            "`positions[:n]` takes the first n rows.",
            _placed(lambda tokens, positions: positions[-tokens.shape[-1] :]),
            variants=(_placed(lambda tokens, positions: positions[len(positions) - tokens.shape[-1] :]),),
        ),
        Mistake(
            "the same position for all",
            "Every token got the same row of `positions`, so nothing says where it is in the text.",
            "One row for each token: the first n rows of `positions`.",
            _placed(lambda tokens, positions: positions[0]),
            variants=(_placed(lambda tokens, positions: positions[tokens.shape[-1] - 1]),),
        ),
        Mistake(
            "backwards",
            "The last token got position 0, so your positions count from the right.",
            "Don't reverse anything: positions count from the left.",
            _placed(lambda tokens, positions: positions[: tokens.shape[-1]][::-1]),
        ),
        Mistake(
            "all positions",
            "You added all rows of `positions`. There may be more of them than tokens.",
            "Take the first n, where n is the number of tokens in a text.",
            _placed(lambda tokens, positions: positions),
        ),
        Mistake(
            "written for one text",
            "You counted the tokens by the first axis of `tokens`. In a batch, that axis counts the texts.",
            "Tokens are along the last axis: use `tokens.shape[-1]`.",
            _placed(lambda tokens, positions: positions[: len(tokens)]),
        ),
        Mistake(
            "multiplied by the positions",
            "You multiplied rows and positions. Where a position has a 0, the product deletes the word.",
            "Use a plus sign.",
            lambda tokens, table, positions: table[tokens] * _root(table) * positions[: tokens.shape[-1]],
            variants=(lambda tokens, table, positions: table[tokens] * positions[: tokens.shape[-1]],),
        ),
        Mistake(
            "side by side",
            "You concatenated rows and positions, so the width is no longer d_model.",
            "Use a plus sign. NumPy broadcasts the positions over the batch.",
            lambda tokens, table, positions: np.concatenate(
                [table[tokens] * _root(table), np.broadcast_to(positions[: tokens.shape[-1]], table[tokens].shape)], axis=-1
            ),
        ),
        Mistake(
            "token 0 skipped",
            "You treated id 0 as padding: it got zeros or no position. Ignoring padding is the mask's business, not "
            "the embedding's.",
            "No condition is needed: id 0 is looked up like any other.",
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
