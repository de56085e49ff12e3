"""Sheet 17: softmax and mixture over blocks, of which each is seen once."""

import numpy as np

from ..kinds import Implement, Property
from ..toolkit import mistake, normal
from . import streams


def _eighths(rng, *shape):
    return np.round(16 * rng.standard_normal(shape)) / 8  # differences exact in float32, also around 1000


def _draw(rng):
    def cut(lead, n, d, widths, level=None):
        """Blocks of these widths; ``level`` (n, blocks) lifts each row in each block."""
        found = []
        for place, width in enumerate(widths):
            scores = _eighths(rng, *lead, n, width)
            if level is not None:
                scores = scores + np.array(level, float)[:, place, None]
            found.append([scores, normal(rng, *lead, width, d, limit=3)])
        return found

    shown = [[[[1.0, 3.0]], [[4.0], [8.0]]], [[[4.0, 0.0, 2.0]], [[2.0], [16.0], [-8.0]]]]
    # rows that climb, that fall, that lie low, high, and one that does both
    far = [[0, 800, 0], [0, -800, -900], [-900, -900, -900], [900, 900, 900], [-800, 0, -800]]
    masked = cut((2,), 4, 3, (3, 2, 5))
    for (scores, _), row in zip(masked, (0, 2, 3), strict=True):
        scores[:, row] = -np.inf  # a row without a key in this block: row 0 begins so, row 3 ends so
    masked[1][0][0, 0] = -np.inf  # and once for two blocks
    masked[0][0][1, 1, 0] = -np.inf
    return [
        [[[np.array(scores), np.array(values)] for scores, values in shown]],  # small enough to be looked at
        [cut((), 3, 5, (4, 2))],
        [cut((3,), 4, 2, (5, 1, 3))],
        [cut((), 5, 4, (3, 2, 6), far)],
        [masked],
        [cut((2, 3), 4, 5, (6,))],
        [cut((2, 1), 5, 3, (2, 2, 2, 2))],
    ]


def _within(result, blocks):
    values = np.concatenate([values for _, values in blocks], axis=-2)
    low, high = values.min(axis=-2, keepdims=True), values.max(axis=-2, keepdims=True)
    return bool(((result >= low - 1e-3) & (result <= high + 1e-3)).all())


online_softmax = Implement(
    id="cost.online_softmax",
    answer_name="online_softmax",
    prompt="The mixtures of attention from blocks of scores and values, each seen once.",
    reference=streams.reference,
    draw=_draw,
    alternatives=(streams.at_once, streams.in_two_passes, streams.by_log_sums, streams.key_by_key),
    properties=(Property("A mixture lies between the smallest and the largest value, in each column.", _within),),
    why=(
        "Rescaling the running sum and the running average whenever the maximum grows gives exactly the ordinary softmax, "
        "block by block."
    ),
    hints=(
        "Three things run along, each with a row for each query: the largest score so far, (..., n, 1), the sum, (..., n, 1), and the "
        "mixture, (..., n, d). The first block gives their first values.",
        "For each further block: the new largest, np.maximum(largest, scores.max(axis=-1, keepdims=True)); the factor "
        "np.exp(largest - new), for the sum *and* the mixture; then add what the block brings, with new subtracted.",
        "A row that has met only −inf so far has no largest score to subtract: −inf minus −inf is no number. Subtract 0 there: "
        "np.where(np.isneginf(new), 0, new). Its exponentials are then 0, as they should be.",
    ),
    mistakes=(
        mistake(
            "never rescaled",
            "What was kept is added to what is new as it stands. But its exponentials were taken with another largest score subtracted. "
            "It goes well only as long as the first block holds the largest score.",
            "Before a block is added, what is kept needs a factor, the sum and the mixture.",
            streams.never_rescaled,
        ),
        mistake(
            "the mixture not rescaled",
            "The sum gets its factor, the mixture does not. It holds the same exponentials, each with its value.",
            "The same factor for both.",
            streams.sum_alone,
        ),
        mistake(
            "the sum not rescaled",
            "The mixture gets its factor, the sum does not. Both are made of the same exponentials.",
            "The same factor for both.",
            streams.mixture_alone,
        ),
        mistake(
            "the factor upside down",
            "Your factor is upside down: when the largest score rises, it makes what is kept larger.",
            "exp(old − new), which is never above 1.",
            streams.upside_down,
        ),
        mistake(
            "the block's largest in place of the running one",
            "You subtract the largest score of the block at hand. On paper that is right, for any number may be subtracted. But where a later "
            "block lies far below an earlier one, the factor exp(old − new) is too large for a computer.",
            "The new largest is the larger of two: the old one, and the block's.",
            streams.block_largest,
        ),
        mistake(
            "the first block's largest for all",
            "You subtract the first block's largest score everywhere. Where a later block lies far above it, exp becomes too large for a "
            "computer.",
            "The largest score has to run along.",
            streams.first_largest,
            streams.first_and_careless,
        ),
        mistake(
            "no largest subtracted",
            "No largest score is subtracted: at scores near 1000, exp gives inf, and at −1000 a sum of 0.",
            "Subtract the largest so far, and rescale what is kept when it changes.",
            streams.no_largest,
        ),
        mistake(
            "one largest for all rows",
            "You subtract one number from all rows, the largest of the whole block. In a row far below it all exponentials are 0, and so is "
            "their sum.",
            "Each query has its own: axis=-1, keepdims=True.",
            streams.one_for_all,
        ),
        mistake(
            "a row that begins with nothing",
            "All is right, but where the first block (or the first two) holds only −inf for a query. There the largest score is −inf, and "
            "−inf − (−inf) is no number.",
            "Such a row has to subtract something finite, for example 0, until it meets a key.",
            streams.careless,
        ),
        mistake(
            "the mean of the blocks",
            "You have divided in each block, and taken the mean of their outputs. Then a block counts as much as any other, however high its scores "
            "and however many its keys.",
            "Divide once, at the end.",
            lambda blocks: np.mean(streams.outputs(blocks), axis=0),
        ),
        mistake(
            "the blocks' outputs added",
            "You have divided in each block, and added the outputs. So all weights of a row together sum to the number of blocks.",
            "Divide once, at the end.",
            lambda blocks: np.sum(streams.outputs(blocks), axis=0),
        ),
        mistake(
            "the last block alone",
            "What comes back is the output of the last block. What was kept of the others is lost.",
            "Does each block add to what is kept, or replace it?",
            lambda blocks: streams.outputs(blocks)[-1],
        ),
        mistake(
            "the first block alone",
            "What comes back is the output of the first block, as if a `return` stood inside the loop.",
            "All blocks first, then the division, then the return.",
            lambda blocks: streams.outputs(blocks)[0],
        ),
        mistake(
            "not divided",
            "You returned the running mixture as it is, so the weights of a row do not sum to 1.",
            "Divide it by the running sum at the end.",
            streams.not_divided,
        ),
    ),
)
