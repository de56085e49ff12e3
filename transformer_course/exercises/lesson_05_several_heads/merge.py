"""Sheet 05: heads concatenated again."""

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
    prompt="Concatenate the heads again: (b, h, n, d) becomes (b, n, h·d).",
    reference=merge_heads,
    draw=_draw_heads,
    alternatives=(_merge_in_pieces, _merge_by_einsum),
    why="The swap brings each token's heads back next to each other, so the reshape can concatenate them.",
    hints=(
        "Undo what split did, beginning with its last step.",
        "A reshape can join neighbouring axes. You want to join heads and columns, but the tokens are between them.",
        "x.swapaxes(1, 2) has shape (b, n, h, d). Now reshape to (b, n, h * d), which concatenates each token's heads.",
    ),
    mistakes=(
        Mistake(
            "two heads only",
            "You join only heads 0 and 1. If there are more heads, the others are lost, and if there is only one, "
            "there is no head 1.",
            "How many heads are there? Read it from `x.shape`.",
            lambda x: np.concatenate([x[:, 0], x[:, 1]], axis=-1),
        ),
        Mistake(
            "reshaped, not swapped",
            "You get the right shape with the numbers in the wrong rows. A reshape reads row by row. It fills the "
            "first row with several tokens of the first head, instead of one token of every head.",
            "Before the reshape, each token's heads must be next to each other. Which two axes should you swap?",
            merge_by_reshape,
            variants=(lambda x: np.stack([sample.reshape(x.shape[2], -1) for sample in x]),),
        ),
        Mistake(
            "columns dealt out in turn",
            "Your rows begin with the first column of every head, then the second of every head. But the columns of "
            "each head should stay together, with head 0 first.",
            "Before the reshape, the axes should be in the order batch, tokens, heads, columns.",
            merge_interleaved,
            variants=(
                lambda x: np.moveaxis(x, 1, -1).reshape(x.shape[0], x.shape[2], -1),
                lambda x: np.stack([x[:, i] for i in range(x.shape[1])], axis=-1).reshape(x.shape[0], x.shape[2], -1),
            ),
        ),
        Mistake(
            "still apart",
            "Your result has shape (b, n, h, d). You swapped heads and tokens correctly, but you have not joined the "
            "last two axes yet.",
            "Reshape once, to three axes.",
            lambda x: x.swapaxes(1, 2),
            variants=(lambda x: np.stack([x[:, i] for i in range(x.shape[1])], axis=2),),
        ),
        Mistake(
            "axes in the wrong order",
            "You get the right shape with the wrong numbers. Before your reshape, the axes are in an order other "
            "than batch, tokens, heads, columns. When you transposed keys, you swapped the last two axes. Here the "
            "columns stay last.",
            "x has the axes batch 0, heads 1, tokens 2 and columns 3. Which two should you swap?",
            _rows((0, 1, 3, 2)),
            variants=tuple(map(_rows, ((0, 3, 2, 1), (0, 3, 1, 2), (1, 0, 2, 3), (2, 1, 0, 3), (3, 2, 1, 0), (2, 0, 1, 3)))),
        ),
        Mistake(
            "heads added up",
            "You add or average the heads, so you lose what each of them found.",
            "Keep them all, concatenated in one row per token. The result is h times as wide as a head.",
            lambda x: x.sum(1),
            variants=(lambda x: x.mean(1),),
        ),
        Mistake(
            "the heads stacked",
            "Your result has shape (b, h·n, d): you put the rows of each head below those of the one before. They "
            "should be concatenated in one row per token.",
            "Which axis should become longer? The last one.",
            lambda x: x.reshape(x.shape[0], -1, x.shape[3]),
            variants=(lambda x: x.swapaxes(1, 2).reshape(x.shape[0], -1, x.shape[3]),),
        ),
        Mistake(
            "one long row per sequence",
            "Your result has shape (b, h·n·d): you joined the tokens as well. Each token should keep its own row.",
            "The result has three axes: batch, tokens, and heads and columns joined.",
            lambda x: x.swapaxes(1, 2).reshape(len(x), -1),
            variants=(lambda x: x.reshape(len(x), -1),),
        ),
        Mistake(
            "rows and columns swapped",
            "Your result has shape (b, h·d, n). It has one column per token, but should have one row per token.",
            "Put the tokens before the numbers of each token.",
            lambda x: merge_heads(x).swapaxes(1, 2),
            variants=(lambda x: x.reshape(x.shape[0], -1, x.shape[2]),),
        ),
        Mistake(
            "one head only",
            "You returned a single head. The exercise asks for all of them, concatenated.",
            "Is there a `return` inside a loop, or a name that is overwritten in each round?",
            lambda x: x[:, 0],
            variants=(lambda x: x[:, -1],),
        ),
        Mistake(
            "overlapping columns",
            "You write each head over part of the one before: head i begins at column i. It should begin where head "
            "i − 1 ends.",
            "Each head has d columns. At which column does head 1 begin?",
            _merge_overlapping,
        ),
        Mistake(
            "the batch taken for the heads",
            "Your function takes axis 0 for the heads, as in the single sequence (h, n, d) of the lesson. Here axis "
            "0 is the batch, and the heads are axis 1.",
            "Use b, h, n, d = x.shape to get all four sizes. Then swap axes 1 and 2.",
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
