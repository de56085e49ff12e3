"""Sheet 05: the columns of a batch distributed among heads."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Implement
from ..toolkit import normal


def split_heads(x, num_heads):
    b, n, d = x.shape
    return x.reshape(b, n, num_heads, d // num_heads).swapaxes(1, 2)


def _draw_tokens(rng):
    places = np.add.outer([10.0, 20.0], [1.0, 2.0, 3.0, 4.0])  # token 1 holds 11, 12, 13, 14
    return [
        [places[None], 2],
        [normal(rng, 2, 6, 12), 3],
        [normal(rng, 4, 3, 10), 2],
        [normal(rng, 3, 2, 5), 1],
        [normal(rng, 3, 5, 4), 4],  # a single column for each head
        [normal(rng, 2, 1, 6), 3],
        [normal(rng, 1, 4, 14), 2],
    ]


def parts(x, num_heads):
    """The sizes b, n and h, and the width of a head."""
    return x.shape[0], x.shape[1], num_heads, x.shape[2] // num_heads


def split_by_reshape(x, num_heads):
    b, n, h, d = parts(x, num_heads)
    return x.reshape(b, h, n, d)


def split_interleaved(x, num_heads):
    return np.stack([x[..., i::num_heads] for i in range(num_heads)], axis=1)


def split_overlapping(x, num_heads):
    width = x.shape[-1] // num_heads
    return np.stack([x[..., i : i + width] for i in range(num_heads)], axis=1)


def _split_then(*order):
    """Split correctly except for the order of the axes, which begins as b, n, h, d."""
    return lambda x, num_heads: x.reshape(parts(x, num_heads)).transpose(order)


def _split_in_slices(x, num_heads):
    width = x.shape[-1] // num_heads
    return [[sample[:, i * width : (i + 1) * width].tolist() for i in range(num_heads)] for sample in x]


def _split_turned_first(x, num_heads):
    b, n, h, d = parts(x, num_heads)
    return x.swapaxes(1, 2).reshape(b, h, d, n).swapaxes(2, 3)


split = Implement(
    id="heads.split",
    answer_name="split_heads",
    prompt="Give each head its own consecutive columns: (b, n, d) becomes (b, h, n, d/h).",
    reference=split_heads,
    draw=_draw_tokens,
    alternatives=(_split_in_slices, _split_turned_first),
    why=(
        "The reshape splits the last axis into heads and keeps each token's numbers together, and the swap then moves "
        "the axis of the heads in front of the axis of the tokens."
    ),
    hints=(
        "Take two steps. First split each token's row into num_heads pieces. That adds an axis, and every number "
        "stays in its place. What shape does this give?",
        "After reshape(b, n, num_heads, d // num_heads), axis 2 counts the heads. It should be axis 1.",
        "Call x.reshape(…) with these four sizes, and then swapaxes(1, 2), which swaps tokens and heads.",
    ),
    mistakes=(
        Mistake(
            "reshaped, not swapped",
            "You get the right shape with the numbers in the wrong heads. A reshape reads row by row. So your first "
            "head gets the first tokens with all their columns, instead of some columns of every token.",
            "Use the reshape only to split the columns, so that the axis of the heads comes after that of the "
            "tokens. Then swap two axes.",
            split_by_reshape,
            variants=(
                lambda x, h: x.reshape(len(x), h, -1, x.shape[2] // h),
                lambda x, h: x.reshape(parts(x, h)).reshape(len(x), h, x.shape[1], -1),
                lambda x, h: np.stack([sample.reshape(h, x.shape[1], -1) for sample in x]),
            ),
        ),
        Mistake(
            "columns dealt out in turn",
            "You deal the columns out like cards: head 0 gets columns 0, h, 2h and so on. But each head should get "
            "consecutive columns.",
            "In the reshape, put the axis of the heads before the axis of the columns within a head.",
            split_interleaved,
            variants=(
                lambda x, h: x.reshape(*x.shape[:2], -1, h).transpose(0, 3, 1, 2),
                lambda x, h: np.moveaxis(x.reshape(*x.shape[:2], -1, h), -1, 1),
            ),
        ),
        Mistake(
            "the heads after the tokens",
            "Your result has shape (b, n, h, d/h). You split each token's row into the right pieces. But the heads "
            "should come before the tokens, so that `@` multiplies the matrices (n, d/h) of each head.",
            "Swap axes 1 and 2 at the end.",
            _split_then(0, 1, 2, 3),
            variants=(lambda x, h: np.stack(np.split(x, h, axis=-1), axis=2),),
        ),
        Mistake(
            "the heads before the batch",
            "Your result has shape (h, b, n, d/h). You have the right pieces, but with the heads as the first axis. "
            "The batch should come first, then the heads.",
            "Pass an axis to np.stack, or swap two axes with swapaxes after a reshape.",
            _split_then(2, 0, 1, 3),
            variants=(
                lambda x, h: np.split(x, h, axis=-1),
                lambda x, h: np.array([x[..., i * (x.shape[2] // h) : (i + 1) * (x.shape[2] // h)] for i in range(h)]),
            ),
        ),
        Mistake(
            "axes in the wrong order",
            "You split the row of each token correctly, but then put the axes into an order other than batch, heads, "
            "tokens, columns. When you transposed keys, you swapped the last two axes. Here the columns within a "
            "head stay last.",
            "After the reshape, the axes are batch 0, tokens 1, heads 2 and columns 3. Which two should you swap?",
            _split_then(0, 1, 3, 2),
            variants=tuple(
                _split_then(*order)
                for order in ((0, 3, 2, 1), (1, 0, 2, 3), (2, 1, 0, 3), (3, 1, 2, 0), (3, 2, 1, 0), (0, 3, 1, 2), (0, 2, 3, 1))
            ),
        ),
        Mistake(
            "num_heads taken for a width",
            "You split each token into pieces of num_heads numbers. But num_heads is the number of pieces, and each "
            "of them has d / num_heads numbers.",
            "The last axis of the result has size d // num_heads.",
            lambda x, h: x.reshape(*x.shape[:2], -1, h).swapaxes(1, 2),
            variants=(lambda x, h: np.stack(np.split(x, x.shape[2] // h, axis=-1), axis=1),),
        ),
        Mistake(
            "tokens distributed instead of columns",
            "You gave each head some of the tokens, with all their columns. It should be the other way round: every "
            "head sees every token, and has some columns of each.",
            "Split the last axis, d, into num_heads pieces.",
            lambda x, h: np.stack(np.split(x, h, axis=1), axis=1),
            variants=(lambda x, h: np.array(np.split(x, h, axis=1)),),
        ),
        Mistake(
            "overlapping columns",
            "Your heads overlap: head i begins at column i. It should begin where head i − 1 ends.",
            "Each head has d // num_heads columns. At which column does head 1 begin?",
            split_overlapping,
        ),
        Mistake(
            "all columns for every head",
            "You gave every head all d columns. The heads share the columns: each gets d / num_heads of them.",
            "Split the last axis into num_heads pieces.",
            lambda x, h: np.stack([x] * h, axis=1),
            variants=(lambda x, h: np.repeat(x[:, None], h, axis=1),),
        ),
        Mistake(
            "one head only",
            "You returned a single head. The exercise asks for all of them, along a new axis 1.",
            "Is there a `return` inside a loop, or a name that is overwritten in each round?",
            lambda x, h: x[..., : x.shape[2] // h],
            variants=(lambda x, h: x[..., -(x.shape[2] // h) :], lambda x, h: x[:, None, :, : x.shape[2] // h]),
        ),
        Mistake(
            "tokens and columns mixed",
            "You get the right shape with the wrong numbers. You swap tokens and columns first, so the reshape then "
            "reads the numbers in a different order.",
            "Split first, and swap afterwards. When you reshape, tokens should be axis 1, and the columns should be last.",
            lambda x, h: x.swapaxes(1, 2).reshape(len(x), h, x.shape[1], -1),
        ),
        Mistake(
            "written for one sequence",
            "Your function assumes two axes, like the single sequence (n, d) of the lesson. But x has a batch axis "
            "at the front, and your reshape or swap takes it for the tokens, or drops it.",
            "Use b, n, d = x.shape to get all three sizes. Then swap axes 1 and 2.",
            lambda x, h: x.reshape(len(x), h, -1).swapaxes(0, 1),
            variants=(
                lambda x, h: x.reshape(x.shape[-2], h, -1).swapaxes(0, 1),
                lambda x, h: x.reshape(x.shape[-2], h, x.shape[-1] // h).swapaxes(0, 1),
            ),
        ),
    ),
)
