"""What goes wrong with heads. A piece of SPLIT is ``split(x, h)``, (b, n, h·d) to (b, h, n, d); one of MERGE undoes it."""

import numpy as np


def split(x, num_heads):
    return x.reshape(*x.shape[:2], num_heads, x.shape[2] // num_heads).swapaxes(1, 2)


def merge(x):
    return x.swapaxes(1, 2).reshape(len(x), x.shape[2], -1)


def split_by_reshape(x, h):
    return x.reshape(len(x), h, x.shape[1], x.shape[2] // h)


def _split_then(*order):
    """Split, except for the order of the axes, which begins as b, n, h, d."""
    return lambda x, h: x.reshape(*x.shape[:2], h, x.shape[2] // h).transpose(order)


def _pieces(x, h, step):
    """h pieces of consecutive columns, each of which begins ``step`` columns after the one before."""
    return [x[..., i * step : i * step + x.shape[-1] // h] for i in range(h)]


def interleaved(x, h):
    return x.reshape(*x.shape[:2], -1, h).transpose(0, 3, 1, 2)


SPLIT = {
    "split by a reshape alone": (
        "You split the heads with a reshape alone. The shape (b, h, n, d/h) is right, but a reshape reads row by row: the "
        "first head gets the first tokens with all their columns, instead of some columns of every token.",
        "Use the reshape only to split the columns, to (b, n, h, d/h). Then swap the axes of tokens and heads.",
        split_by_reshape,
    ),
    "columns dealt out in turn": (
        "You deal the columns out like cards: head 0 gets columns 0, h, 2h and so on. But each head should get consecutive "
        "columns, head 0 the first ones. Otherwise, weights from another implementation would not work.",
        "In the reshape, put the axis of the heads before the axis of the columns within a head: (b, n, h, d/h).",
        interleaved,
    ),
    "num_heads taken for a width": (
        "You split each token into pieces of num_heads numbers. But num_heads is the number of pieces, and each of them has d "
        "/ num_heads numbers.",
        "Before the swap, the last axis should have size d // num_heads, and the one before it num_heads.",
        lambda x, h: x.reshape(*x.shape[:2], -1, h).swapaxes(1, 2),
    ),
    "overlapping columns": (
        "Your heads overlap: head i begins at column i. It should begin where head i − 1 ends.",
        "How many columns does each head have? At which column does head 1 begin?",
        lambda x, h: np.stack(_pieces(x, h, 1), axis=1),
    ),
    "tokens and columns mixed": (
        "You swap tokens and columns first, so the reshape reads the numbers in a different order. The shape of the heads is "
        "right, but their numbers are not.",
        "Split first, and swap afterwards. When you reshape, tokens should be axis 1, and the columns should be last.",
        lambda x, h: x.swapaxes(1, 2).reshape(len(x), h, x.shape[1], -1),
    ),
}


SPLIT_TO_OTHER_SHAPES = {
    "the heads after the tokens": (
        "You split each token's row into the right pieces, but left the heads after the tokens, (b, n, h, d/h). A matrix "
        "product uses the last two axes, so it compares the heads of one token with each other, and no token sees another.",
        "Swap the axes of tokens and heads after the split.",
        _split_then(0, 1, 2, 3),
    ),
    "the heads before the batch": (
        "Your result has shape (h, b, n, d/h): the right pieces, but the heads come before the batch.",
        "Pass an axis to np.stack, or swap two axes with swapaxes after a reshape.",
        _split_then(2, 0, 1, 3),
    ),
    "sequences and heads on one axis": (
        "You joined the axes of sequences and heads into one, (b·h, n, d/h). Keep them apart: (b, h, n, d/h).",
        "Leave out the last reshape.",
        lambda x, h: _split_then(0, 2, 1, 3)(x, h).reshape(-1, x.shape[1], x.shape[2] // h),
    ),
    "axes in the wrong order": (
        "You split the row of each token correctly, but then put the axes into an order other than batch, heads, tokens, "
        "columns. When you transposed keys, you swapped the last two axes. Here the columns within a head stay last.",
        "After the reshape, the axes are batch 0, tokens 1, heads 2 and columns 3. Which two should you swap?",
        *(_split_then(*map(int, order)) for order in ("0132", "0321", "1023", "2103", "3120", "3210", "0312", "0231")),
    ),
    "tokens distributed instead of columns": (
        "You gave each head some of the tokens, with all columns. Every head should see all tokens, and some columns of each.",
        "Split the last axis, d, into num_heads pieces.",
        lambda x, h: np.stack(np.split(x, h, axis=1), axis=1),
        lambda x, h: np.array(np.split(x, h, axis=1)),
    ),
    "all columns for every head": (
        "You gave every head all d columns. The heads share the columns: each gets d / num_heads of them.",
        "Split the last axis into num_heads pieces.",
        lambda x, h: np.stack([x] * h, axis=1),
    ),
    "one head only": (
        "You returned a single head. The exercise asks for all of them, along a new axis 1.",
        "Is there a `return` inside a loop, or a name that is overwritten in each round?",
        *(lambda x, h, place=place: _pieces(x, h, x.shape[2] // h)[place] for place in (0, -1)),
        lambda x, h: _pieces(x, h, x.shape[2] // h)[0][:, None],
    ),
    "written for one sequence": (
        "Your function assumes two axes, like the single sequence (n, d) of the lesson. But x has a batch axis at the front, "
        "and your reshape or swap takes it for the tokens, or drops it.",
        "Use b, n, d = x.shape to get all three sizes. Then swap axes 1 and 2.",
        lambda x, h: x.reshape(len(x), h, -1).swapaxes(0, 1),
        lambda x, h: x.reshape(x.shape[-2], h, -1).swapaxes(0, 1),
        lambda x, h: x.reshape(x.shape[-2], h, x.shape[-1] // h).swapaxes(0, 1),
    ),
}


def _merge_after(*order):
    """Merge by a reshape after another order of the axes, which begins as b, h, n, d."""
    return lambda heads: heads.transpose(order).reshape(len(heads), heads.shape[2], -1)


merge_by_reshape, merge_in_turn = _merge_after(0, 1, 2, 3), _merge_after(0, 2, 3, 1)


def _merge_overlapping(heads):
    b, h, n, d = heads.shape
    result = np.zeros((b, n, h * d))
    for i in range(h):
        result[..., i : i + d] = heads[:, i]
    return result


MERGE = {
    "two heads only": (
        "You join only heads 0 and 1. If there are more heads, the others are lost, and if there is only one, there is no "
        "head 1.",
        "How many heads are there? Read it from `x.shape`.",
        lambda heads: np.concatenate([heads[:, 0], heads[:, 1]], axis=-1),
    ),
    "merged by a reshape alone": (
        "You merged the heads with a reshape alone. It reads row by row, so each row holds several tokens of one head. It "
        "should hold one token of every head.",
        "Swap the axes of tokens and heads before the reshape.",
        merge_by_reshape,
    ),
    "merged before the swap": (
        "You reshape first, and swap axes after that. The reshape still finds the tokens between heads and columns, and joins "
        "numbers of different tokens.",
        "Swap the axes of tokens and heads first, and reshape last.",
        lambda heads: heads.reshape(len(heads), -1, heads.shape[2]).swapaxes(1, 2),
    ),
    "merged in turn": (
        "Your merged rows begin with the first column of every head, then the second of every head. But the columns of each "
        "head should stay together, with head 0 first.",
        "Before the last reshape, the axes should be in the order batch, tokens, heads, columns.",
        merge_in_turn,
    ),
    "merged with the wrong axes swapped": (
        "Before the reshape that merges the heads, your axes are in an order other than batch, tokens, heads, columns. When "
        "you transposed keys, you swapped the last two axes. Here the columns stay last.",
        "The heads have the axes batch 0, heads 1, tokens 2 and columns 3. Which two should you swap back?",
        *(_merge_after(*map(int, order)) for order in ("0132", "0321", "0312", "1023", "2103", "3210", "2013")),
    ),
    "heads written over each other": (
        "You write each head over part of the one before: head i begins at column i. It should begin where head i − 1 ends.",
        "How many columns does each head have? At which column does head 1 begin?",
        _merge_overlapping,
    ),
    "heads still apart": (
        "You have not joined the heads: they are still on an axis of their own.",
        "Swap heads and tokens, to (b, n, h, d). Then reshape once, to three axes.",
        lambda heads: heads.swapaxes(1, 2),
        lambda heads: heads,
    ),
}

MERGED_TO_OTHER_SHAPES = {
    "heads added up": (
        "You add or average the heads, so you lose what each of them found.",
        "Keep them all, concatenated in one row per token. The result is h times as wide as a head.",
        lambda heads: heads.sum(1),
        lambda heads: heads.mean(1),
    ),
    "the heads stacked": (
        "Your result has shape (b, h·n, d): you put the rows of each head below those of the one before. They should be "
        "concatenated in one row per token.",
        "Which axis should become longer? The last one.",
        lambda heads: heads.reshape(len(heads), -1, heads.shape[3]),
        lambda heads: heads.swapaxes(1, 2).reshape(len(heads), -1, heads.shape[3]),
    ),
    "one long row per sequence": (
        "Your result has shape (b, h·n·d): you joined the tokens as well. Each token should keep its own row.",
        "The result has three axes: batch, tokens, and heads and columns joined.",
        lambda heads: heads.swapaxes(1, 2).reshape(len(heads), -1),
        lambda heads: heads.reshape(len(heads), -1),
    ),
    "rows and columns swapped": (
        "Your result has shape (b, h·d, n). It has one column per token, but should have one row per token.",
        "Put the tokens before the numbers of each token.",
        lambda heads: merge(heads).swapaxes(1, 2),
        lambda heads: heads.reshape(len(heads), -1, heads.shape[2]),
    ),
    "one head only": (
        "You kept a single head. All of them belong together, concatenated.",
        "Is there a `return` inside a loop, or a name that is overwritten in each round?",
        lambda heads: heads[:, 0],
        lambda heads: heads[:, -1],
    ),
    "the batch taken for the heads": (
        "Your function takes axis 0 for the heads, as in the single sequence (h, n, d) of the lesson. Here axis 0 is the "
        "batch, and the heads are axis 1.",
        "Use b, h, n, d = x.shape to get all four sizes. Then swap axes 1 and 2.",
        lambda heads: np.concatenate(heads, axis=-1),
        lambda heads: np.concatenate(heads, axis=1),
        lambda heads: heads.swapaxes(0, 1).reshape(heads.shape[1], -1),
        lambda heads: heads.swapaxes(0, 1).reshape(heads.shape[2], -1),
        lambda heads: heads.swapaxes(0, 1).reshape(heads.shape[1], heads.shape[2], -1),
    ),
}
