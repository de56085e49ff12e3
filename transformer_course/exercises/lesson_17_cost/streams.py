"""Softmax and weighted sum over blocks, done right and with one step changed.

A block is [scores, values], of shapes (..., n, c) and (..., c, d); all blocks together are the keys of a row.
"""

import numpy as np


def _row_largest(scores):
    return scores.max(axis=-1, keepdims=True)


def _factor(old, new):
    return np.exp(old - new)


def _one(old, new):
    return np.ones_like(new)


def online(
    largest_of=_row_largest, running=np.maximum, of_total=_factor, of_mixture=_factor, careful=True, keep=True, end=np.divide
):
    """Return a program over blocks. ``running`` computes the new largest score from the old one and the block's, ``of_total``
    and ``of_mixture`` the factors of the two sums; ``careful`` says whether a row may begin with masked keys only,
    and ``keep`` whether the new largest score is kept."""

    def program(blocks):
        largest = total = mixture = None
        for scores, values in blocks:
            scores, values = np.asarray(scores, float), np.asarray(values, float)
            here = largest_of(scores)
            new = here if largest is None else running(largest, here)
            shown = np.where(np.isneginf(new), 0.0, new) if careful else new  # -inf - -inf is no number
            exponentials = np.exp(scores - shown)
            bar_total, bar_mixture = exponentials.sum(axis=-1, keepdims=True), exponentials @ values
            if largest is None:
                total, mixture = bar_total, bar_mixture
            else:
                total = total * of_total(largest, shown) + bar_total
                mixture = mixture * of_mixture(largest, shown) + bar_mixture
            largest = new if keep or largest is None else largest
        return end(mixture, total)

    return program


reference = online()
never_rescaled = online(of_total=_one, of_mixture=_one)
sum_alone = online(of_mixture=_one)
mixture_alone = online(of_total=_one)
upside_down = online(of_total=lambda old, new: _factor(new, old), of_mixture=lambda old, new: _factor(new, old))
block_largest = online(running=lambda old, here: here)
first_largest = online(running=lambda old, here: old)
no_largest = online(largest_of=lambda scores: np.zeros((*scores.shape[:-1], 1)))
one_for_all = online(largest_of=lambda scores: np.full((*scores.shape[:-1], 1), scores.max()))
careless = online(careful=False)
careless_without_nan = online(careful=False, end=lambda mixture, total: np.nan_to_num(mixture / total))
not_divided = online(end=lambda mixture, total: mixture)
block_largest_and_one = online(running=lambda old, here: here, of_total=_one, of_mixture=_one)

# The same mistakes in programs that do not look after rows of −∞ either, as most first attempts do not.
never_rescaled_and_careless = online(of_total=_one, of_mixture=_one, careful=False)
sum_alone_and_careless = online(of_mixture=_one, careful=False)
mixture_alone_and_careless = online(of_total=_one, careful=False)
block_largest_and_careless = online(running=lambda old, here: here, careful=False)
block_largest_and_one_and_careless = online(running=lambda old, here: here, of_total=_one, of_mixture=_one, careful=False)
first_and_careless = online(running=lambda old, here: old, careful=False)
not_divided_and_careless = online(end=lambda mixture, total: mixture, careful=False)


def from_low(factor=_factor, keep=True, each=lambda mixture, total: mixture):
    """Return a program that starts with a largest score below all others, and with sums of 0. It may not ``keep`` the new
    largest score; ``each(mixture, total)`` is what it goes on with after a block."""

    def program(blocks):
        largest, total, mixture = -1e9, 0.0, 0.0
        for scores, values in blocks:
            scores, values = np.asarray(scores, float), np.asarray(values, float)
            new = np.maximum(largest, _row_largest(scores))
            exponentials = np.exp(scores - new)
            total = total * factor(largest, new) + exponentials.sum(axis=-1, keepdims=True)
            mixture = each(mixture * factor(largest, new) + exponentials @ values, total)
            largest = new if keep else largest
        return mixture / total

    return program


def first_or_zero(blocks):
    """Subtract the first block's largest score everywhere, or 0 where the first block has none."""
    blocks = [[np.asarray(scores, float), np.asarray(values, float)] for scores, values in blocks]
    first = _row_largest(blocks[0][0])
    first = np.where(np.isneginf(first), 0, first)
    total = sum(np.exp(scores - first).sum(axis=-1, keepdims=True) for scores, _ in blocks)
    return sum(np.exp(scores - first) @ values for scores, values in blocks) / total


def _inverse(old, new):
    """The factor upside down, with 1 where there is no earlier score."""
    return np.exp(new - np.where(np.isneginf(old), new, old))


upside_down_and_careful = online(of_total=_inverse, of_mixture=_inverse)
upside_down_and_careless = online(
    of_total=lambda old, new: _factor(new, old), of_mixture=lambda old, new: _factor(new, old), careful=False
)


def block_softmax(scores, careful=True):
    """Return the weights within one block; a row that is masked whole gets zeros, or NaN if not ``careful``."""
    largest = _row_largest(scores)
    exponentials = np.exp(scores - (np.where(np.isneginf(largest), 0.0, largest) if careful else largest))
    total = exponentials.sum(axis=-1, keepdims=True)
    return exponentials / np.where(total == 0, 1, total)


def outputs(blocks, careful=True):
    """Return the output of each block by itself."""
    return [block_softmax(np.asarray(scores, float), careful) @ np.asarray(values, float) for scores, values in blocks]


def combined(combine):
    """Combine the outputs of the blocks; return a program that looks after rows of −∞, and one that does not."""
    return tuple(lambda blocks, careful=careful: combine(outputs(blocks, careful)) for careful in (True, False))


def at_once(blocks):
    scores = np.concatenate([np.asarray(scores, float) for scores, _ in blocks], axis=-1)
    return block_softmax(scores) @ np.concatenate([np.asarray(values, float) for _, values in blocks], axis=-2)


def with_scores(change, program=at_once):
    """Change all scores before the program sees them."""
    return lambda blocks: program([[change(np.asarray(scores, float)), values] for scores, values in blocks])


def starts_at(number):
    """Return a program whose largest score so far starts at this number."""
    return online(largest_of=lambda scores: np.maximum(_row_largest(scores), number))


def masked_as(number):
    return with_scores(lambda scores: np.where(np.isneginf(scores), number, scores))


def divided_in_each(divide, careful=True):
    """Divide the weighted sum in every block, and go on with the result."""

    def program(blocks):
        largest, total, mixture = -np.inf, 0.0, 0.0
        for scores, values in blocks:
            scores = np.asarray(scores, float)
            new = np.maximum(largest, _row_largest(scores))
            shown = np.where(np.isneginf(new), 0.0, new) if careful else new
            factor, exponentials = np.exp(largest - shown), np.exp(scores - shown)
            total = total * factor + exponentials.sum(axis=-1, keepdims=True)
            mixture = divide(mixture * factor + exponentials @ np.asarray(values, float), total)
            largest = new
        return mixture

    return program


def in_two_passes(blocks):
    """Find the largest score of all first, then the sums."""
    blocks = [[np.asarray(scores, float), np.asarray(values, float)] for scores, values in blocks]
    largest = np.max([_row_largest(scores) for scores, _ in blocks], axis=0)
    total = sum(np.exp(scores - largest).sum(axis=-1, keepdims=True) for scores, _ in blocks)
    return sum(np.exp(scores - largest) @ values for scores, values in blocks) / total


def by_log_sums(blocks):
    """Divide each block by itself, and average the outputs by the logarithms of their sums."""
    outs = outputs(blocks)
    logs = np.stack([np.logaddexp.reduce(np.asarray(scores, float), axis=-1, keepdims=True) for scores, _ in blocks])
    shares = np.exp(logs - np.logaddexp.reduce(logs, axis=0))
    return (shares * np.stack(outs)).sum(axis=0)


def key_by_key(blocks):
    """Make each key a block of its own."""
    keys = [[scores[..., j : j + 1], values[..., j : j + 1, :]] for scores, values in blocks for j in range(scores.shape[-1])]
    return reference(keys)
