"""Softmax and weighted sum over blocks, done right and with one step changed.

A block is [scores, values], of shapes (..., n, c) and (..., c, d); all blocks together are the keys of a row.
"""

import numpy as np


def row_largest(scores):
    return scores.max(axis=-1, keepdims=True)


def factor_of(old, new):
    return np.exp(old - new)


def one(old, new):
    return np.ones_like(new)


def as_it_is(mixture, total):
    return mixture


def online(
    largest_of=row_largest,
    running=np.maximum,
    factor=factor_of,
    of_total=None,
    of_mixture=None,
    share=as_it_is,
    each=as_it_is,
    end=np.divide,
    start=None,
    careful=True,
    keep=True,
):
    """A program over blocks. ``running`` gives the new largest score from the old one and the block's, ``of_total`` and
    ``of_mixture`` the factors of the two sums, if they are not one ``factor``; ``share(mixture, total)`` is what a block adds,
    and ``each`` what it goes on with. It ``keeps`` the new largest score, begins with the first block's or with ``start``,
    and is ``careful`` where a row begins with masked keys only."""

    def program(blocks):
        largest, total, mixture = start, 0.0, 0.0
        for scores, values in blocks:
            scores, values = np.asarray(scores, float), np.asarray(values, float)
            here = largest_of(scores)
            new = here if largest is None else running(largest, here)
            shown = np.where(np.isneginf(new), 0.0, new) if careful else new  # -inf - -inf is no number
            exponentials = np.exp(scores - shown)
            if largest is not None:
                total = total * (of_total or factor)(largest, shown)
                mixture = mixture * (of_mixture or factor)(largest, shown)
            total = total + exponentials.sum(axis=-1, keepdims=True)
            mixture = each(mixture + share(exponentials @ values, total), total)
            largest = new if keep or largest is None else largest
        return end(mixture, total)

    return program


def ways(**steps):
    """A program, and the same without care for rows of −∞, as most first attempts are."""
    return online(**steps), online(**steps, careful=False)


reference = online()


def over_one(mixture, total):
    """The quotient, or 0 where a row has had no key yet."""
    return mixture / np.where(total == 0, 1, total)


def block_softmax(scores, careful=True):
    """Return the weights within one block; a row that is masked whole gets zeros, or NaN if not ``careful``."""
    largest = row_largest(scores)
    exponentials = np.exp(scores - (np.where(np.isneginf(largest), 0.0, largest) if careful else largest))
    return over_one(exponentials, exponentials.sum(axis=-1, keepdims=True))


def outputs(blocks, careful=True):
    """Return the output of each block by itself."""
    return [block_softmax(np.asarray(scores, float), careful) @ np.asarray(values, float) for scores, values in blocks]


def combined(combine):
    """Combine the outputs of the blocks; return a program that looks after rows of −∞, and one that does not."""
    return tuple(lambda blocks, careful=careful: combine(outputs(blocks, careful)) for careful in (True, False))


def at_once(blocks):
    scores = np.concatenate([np.asarray(scores, float) for scores, _ in blocks], axis=-1)
    return block_softmax(scores) @ np.concatenate([np.asarray(values, float) for _, values in blocks], axis=-2)


def with_scores(change):
    """Change all scores before the program sees them."""
    return lambda blocks: at_once([[change(np.asarray(scores, float)), values] for scores, values in blocks])


def masked_as(*numbers):
    return [with_scores(lambda scores, low=low: np.where(np.isneginf(scores), low, scores)) for low in numbers]


def by_log_sums(blocks):
    """Divide each block by itself, and average the outputs by the logarithms of their sums."""
    logs = np.stack([np.logaddexp.reduce(np.asarray(scores, float), axis=-1, keepdims=True) for scores, _ in blocks])
    shares = np.exp(logs - np.logaddexp.reduce(logs, axis=0))
    return (shares * np.stack(outputs(blocks))).sum(axis=0)
