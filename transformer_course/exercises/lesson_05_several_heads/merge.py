"""Sheet 05: heads laid side by side again."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Implement
from ..toolkit import normal


def merge_heads(x):
    b, h, n, d = x.shape
    return x.swapaxes(1, 2).reshape(b, n, h * d)


def _draw_heads(rng):
    places = np.array([[[11.0, 12.0], [21.0, 22.0]], [[13.0, 14.0], [23.0, 24.0]]])
    return [
        [places[None]],
        [normal(rng, 2, 3, 5, 4)],
        [normal(rng, 5, 2, 4, 3)],
        [normal(rng, 3, 1, 2, 5)],
        [normal(rng, 3, 4, 2, 1)],  # a single column for each head
        [normal(rng, 2, 3, 1, 4)],
        [normal(rng, 1, 2, 3, 7)],
    ]


def merge_by_reshape(x):
    b, h, n, d = x.shape
    return x.reshape(b, n, h * d)


def merge_interleaved(x):
    b, h, n, d = x.shape
    return x.transpose(0, 2, 3, 1).reshape(b, n, d * h)


def _merge_in_pieces(x):
    return np.concatenate([x[:, i] for i in range(x.shape[1])], axis=-1)


def _merge_by_einsum(x):
    return np.einsum("bhnd->bnhd", x).reshape(x.shape[0], x.shape[2], -1)


def _merge_overlapping(x):
    b, h, n, d = x.shape
    result = np.zeros((b, n, h * d))
    for i in range(h):
        result[..., i : i + d] = x[:, i]
    return result


def _rows(order):
    """Merge by a reshape after another order of the axes, which begins as b, h, n, d."""
    return lambda x: x.transpose(order).reshape(x.shape[0], x.shape[2], -1)


merge = Implement(
    id="heads.merge",
    answer_name="merge_heads",
    prompt="Lay the heads side by side again: (b, h, n, d) becomes (b, n, h·d).",
    reference=merge_heads,
    draw=_draw_heads,
    alternatives=(_merge_in_pieces, _merge_by_einsum),
    why="The swap brings each token's heads back next to each other, so the reshape can concatenate them.",
    hints=(
        "Do what split did, backwards: its last step first.",
        "A reshape joins axes that stand next to each other. Heads and columns should be joined, and the tokens stand "
        "between.",
        "x.swapaxes(1, 2) has shape (b, n, h, d). Now a reshape to (b, n, h * d) lays each token's heads side by side.",
    ),
    mistakes=(
        Mistake(
            "two heads only",
            "You join heads 0 and 1. With more heads the others are lost, and with a single one there is no head 1.",
            "How many heads are there? `x.shape` says so.",
            lambda x: np.concatenate([x[:, 0], x[:, 1]], axis=-1),
        ),
        Mistake(
            "reshaped, not swapped",
            "The shape is right, and the numbers stand in the wrong rows. A reshape reads on row by row: it fills the first "
            "row with several tokens of the first head, not with one token of every head.",
            "Before the reshape, each token's heads must stand next to each other: which two axes are to change places?",
            merge_by_reshape,
            variants=(lambda x: np.stack([sample.reshape(x.shape[2], -1) for sample in x]),),
        ),
        Mistake(
            "columns dealt out in turn",
            "Your rows take the first column of every head, then the second of every head. Each head's columns should stay "
            "together, head 0 first.",
            "Before the reshape, the axes should be batch, tokens, heads, columns, in this order.",
            merge_interleaved,
            variants=(
                lambda x: np.moveaxis(x, 1, -1).reshape(x.shape[0], x.shape[2], -1),
                lambda x: np.stack([x[:, i] for i in range(x.shape[1])], axis=-1).reshape(x.shape[0], x.shape[2], -1),
            ),
        ),
        Mistake(
            "still apart",
            "Your result has shape (b, n, h, d): heads and tokens have changed places, rightly. What is missing is to join "
            "the last two axes.",
            "One reshape, to three axes.",
            lambda x: x.swapaxes(1, 2),
            variants=(lambda x: np.stack([x[:, i] for i in range(x.shape[1])], axis=2),),
        ),
        Mistake(
            "another order of the axes",
            "The shape is right, and the numbers are not: before the reshape, the axes stand in another order than batch, "
            "tokens, heads, columns. With the keys of lesson 02 the last two axes were swapped; here the columns stay last.",
            "x has the axes batch 0, heads 1, tokens 2, columns 3. Which two are to be exchanged?",
            _rows((0, 1, 3, 2)),
            variants=tuple(map(_rows, ((0, 3, 2, 1), (0, 3, 1, 2), (1, 0, 2, 3), (2, 1, 0, 3), (3, 2, 1, 0), (2, 0, 1, 3)))),
        ),
        Mistake(
            "heads added up",
            "You add the heads up or average them, and what each one found is lost. They are to be kept, side by side in one "
            "row for each token.",
            "The result is h times as wide as a head.",
            lambda x: x.sum(1),
            variants=(lambda x: x.mean(1),),
        ),
        Mistake(
            "the heads below one another",
            "Your result has shape (b, h·n, d): the rows of the heads stand below one another. They belong side by side, in "
            "one row for each token.",
            "It is the last axis that grows.",
            lambda x: x.reshape(x.shape[0], -1, x.shape[3]),
            variants=(lambda x: x.swapaxes(1, 2).reshape(x.shape[0], -1, x.shape[3]),),
        ),
        Mistake(
            "one long row for each sequence",
            "Your result has shape (b, h·n·d): the tokens are joined as well. Each token keeps a row of its own.",
            "The result has three axes: batch, tokens, and heads and columns joined.",
            lambda x: x.swapaxes(1, 2).reshape(len(x), -1),
            variants=(lambda x: x.reshape(len(x), -1),),
        ),
        Mistake(
            "rows and columns exchanged",
            "Your result has shape (b, h·d, n): one column for each token, where one row was asked for.",
            "The tokens come before what each of them holds.",
            lambda x: merge_heads(x).swapaxes(1, 2),
            variants=(lambda x: x.reshape(x.shape[0], -1, x.shape[2]),),
        ),
        Mistake(
            "one head only",
            "This is one head's share. All of them belong side by side.",
            "Is there a `return` inside a loop, or a name that each round writes over?",
            lambda x: x[:, 0],
            variants=(lambda x: x[:, -1],),
        ),
        Mistake(
            "overlapping columns",
            "Each head is written over part of the one before: head i begins at column i. It should begin where head i − 1 "
            "ends.",
            "Each head is d wide. At which column does head 1 begin?",
            _merge_overlapping,
        ),
        Mistake(
            "the batch taken for the heads",
            "Your function takes axis 0 for the heads, as it was in the lesson's single sequence (h, n, d). Here axis 0 "
            "counts the texts of the batch, and the heads are axis 1.",
            "b, h, n, d = x.shape gives all four sizes; the swap then concerns axes 1 and 2.",
            lambda x: np.concatenate(x, axis=-1),
            variants=(
                lambda x: np.concatenate(x, axis=1),
                lambda x: x.swapaxes(0, 1).reshape(x.shape[1], -1),
                lambda x: x.swapaxes(0, 1).reshape(x.shape[2], -1),
                lambda x: x.swapaxes(0, 1).reshape(x.shape[1], x.shape[2], -1),
            ),
        ),
    ),
)
