"""Sheet 17: softmax and weighted sum over blocks, each seen once."""

import numpy as np

from ..kinds import Implement, Property
from ..toolkit import normal
from . import streams

LOW = -1e9  # a largest score that is below all others, to begin with


def _draw(rng):
    def cut(lead, n, d, widths, level=None):
        """Blocks of these widths; ``level`` (n, blocks) lifts each row in each block."""
        found = []
        for place, width in enumerate(widths):
            scores = np.round(16 * rng.standard_normal((*lead, n, width))) / 8  # differences exact in float32, around 1000 too
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
    ((low, values),) = cut((2, 3), 4, 5, (6,), [[0], [-1100], [0], [0]])
    low[:, :, 1, 2] = -np.inf  # beside scores that are lower than what may stand in place of −∞
    return [
        [[[np.array(scores), np.array(values)] for scores, values in shown]],  # small enough to be looked at
        [cut((), 3, 5, (4, 2))],
        [cut((3,), 4, 2, (5, 1, 3))],
        [cut((), 5, 4, (3, 2, 6), far)],
        [masked],
        [[[low, values]]],
        [cut((2, 1), 5, 3, (2, 2, 2, 2))],
    ]


def _within(result, blocks):
    values = np.concatenate([values for _, values in blocks], axis=-2)
    low, high = values.min(axis=-2, keepdims=True), values.max(axis=-2, keepdims=True)
    return bool(((result >= low - 1e-3) & (result <= high + 1e-3)).all())


online_softmax = Implement(
    id="cost.online_softmax",
    answer_name="online_softmax",
    prompt="The output of attention from blocks of scores and values, each seen once.",
    reference=streams.reference,
    draw=_draw,
    alternatives=(streams.at_once, streams.by_log_sums),
    properties=(Property("In each column, an output lies between the smallest and the largest value.", _within),),
    why=(
        "If you rescale the running sum and the running weighted sum whenever the maximum grows, the result is exactly the "
        "ordinary softmax."
    ),
    hints=(
        "Keep three things for each query: the largest score so far, (..., n, 1), the sum, (..., n, 1), and the weighted sum, "
        "(..., n, d). The first block gives their first values.",
        "For each further block, compute the new largest score, np.maximum(largest, scores.max(axis=-1, keepdims=True)). "
        "Multiply the sum *and* the weighted sum by np.exp(largest - new). Then add what the block contributes, with new "
        "subtracted.",
        "A row that has had only −∞ so far has no largest score to subtract: −∞ minus −∞ is NaN. Subtract 0 there: "
        "np.where(np.isneginf(new), 0, new). Its exponentials are then 0, as they should be.",
    ),
    mistakes={
        "never rescaled": (
            "You add each block to the earlier ones without rescaling. But their exponentials were computed with a different "
            "largest score subtracted. The result is right only if the first block has the largest score.",
            "Before you add a block, multiply the sum and the weighted sum by a factor.",
            *streams.ways(factor=streams.one),
        ),
        "each block by its own largest": (
            "You subtract each block's own largest score, and then add the blocks' sums. But exponentials from which "
            "different numbers were subtracted cannot simply be added.",
            "Before you add a block, multiply the earlier sums by a factor, so that the same number is subtracted everywhere.",
            *streams.ways(running=lambda old, here: here, factor=streams.one),
        ),
        **{
            f"{forgotten} not rescaled": (
                f"You rescaled {other}, but not {forgotten}. Both contain the same exponentials.",
                "Use the same factor for both.",
                *streams.ways(**{factor: streams.one}),
            )
            for forgotten, other, factor in (
                ("the weighted sum", "the sum", "of_mixture"),
                ("the sum", "the weighted sum", "of_total"),
            )
        },
        "the factor upside down": (
            "Your factor is upside down: when the largest score grows, it makes the earlier sums larger.",
            "Use exp(old − new), which is never above 1.",
            *streams.ways(factor=lambda old, new: np.exp(new - old)),
            streams.online(factor=lambda old, new: np.exp(new - np.where(np.isneginf(old), new, old))),
        ),
        "the block's largest in place of the running one": (
            "You subtract the largest score of the current block. On paper that is right, because you may subtract any "
            "number. But if a later block is far below an earlier one, the factor exp(old − new) overflows to infinity.",
            "Take the larger of two scores: the old largest one and that of the block.",
            *streams.ways(running=lambda old, here: here),
        ),
        "the first block's largest for all": (
            "You subtract the largest score of the first block everywhere. If a later block is far above it, the "
            "exponentials overflow to infinity.",
            "Update the largest score with every block.",
            *streams.ways(running=lambda old, here: old),
            streams.online(running=lambda old, here: np.where(np.isneginf(old), 0, old)),
        ),
        "the new largest score not kept": (
            "You compute the new largest score, but do not keep it. So every factor starts from the first block's largest "
            "score, although the sums have been rescaled since.",
            "What should the next block take for the largest score so far?",
            *streams.ways(keep=False),
        ),
        "nothing but NaN": (
            "All your numbers are NaN. That happens if the factor is upside down: before the first block, the largest score "
            "is far below all others, so exp(new − old) is infinite, and 0 · ∞ is NaN.",
            "The factor should never be above 1. Print it for the first two blocks.",
            streams.online(start=LOW, factor=lambda old, new: np.exp(new - old)),
        ),
        "no largest subtracted": (
            "You never subtract the largest score. Near 1000, exp gives inf; near −1000, the sum is 0.",
            "Subtract the largest score so far, and rescale both sums when it changes.",
            streams.online(lambda scores: np.zeros((*scores.shape[:-1], 1))),
        ),
        "the largest score starts at 0": (
            "Your largest score so far starts at 0 or another finite number. In a row whose scores are all far below that "
            "number, all exponentials are 0, and so is their sum.",
            "Start with a number that is below every score, or with the first block.",
            *(
                streams.online(lambda scores, least=least: np.maximum(streams.row_largest(scores), least))
                for least in (0, -100)
            ),
        ),
        "one largest for all rows": (
            "You subtract one number from all rows, the largest of the whole block. In a row whose scores are all far below "
            "it, all exponentials are 0, and so is their sum.",
            "Take the largest score of each query: axis=-1, keepdims=True.",
            streams.online(lambda scores: np.full((*scores.shape[:-1], 1), scores.max())),
        ),
        "a row that begins with nothing": (
            "Everything is right except when a query has only −∞ in the first block (or the first two). There the largest "
            "score is −∞, and −∞ − (−∞) is NaN.",
            "In such a row, subtract something finite, for example 0, until there is a key.",
            streams.online(careful=False),
            streams.online(careful=False, end=lambda mixture, total: np.nan_to_num(mixture / total)),
        ),
        "masked scores not low enough": (
            "You replaced −∞ with a number that is not low enough. Where all other scores of a row are near −1000, the masked "
            "key gets a large weight.",
            "Only −∞ is below every score.",
            *streams.masked_as(-1000, -100, -1100),
        ),
        "masked scores set to 0": (
            "You set masked scores to 0. That is not the lowest score but one in the middle, so masked keys get a weight.",
            "What is exp(0), and what is exp(−∞)?",
            *streams.masked_as(0),
        ),
        "scores clipped": (
            "You clipped the scores so that exp stays finite. All scores beyond the limit then become equal, masked ones "
            "included, and so do their weights.",
            "Subtract the largest score instead. That does not change the differences between scores.",
            *(streams.with_scores(lambda scores, most=most: scores.clip(-most, most)) for most in (700, 500, 100, 50)),
        ),
        "divided in every block": (
            "You divide the weighted sum in every block. In the next block, you rescale it as if it had not been divided.",
            "Divide once, at the end.",
            streams.online(each=streams.over_one, end=streams.as_it_is),
            *streams.ways(each=np.divide, end=streams.as_it_is),
            streams.online(start=LOW, each=np.divide),
        ),
        "each block divided by the sum so far": (
            "You divide what each block adds by the sum up to that block. But all blocks belong to one softmax, so they have "
            "to be divided by the same number, the sum of them all.",
            "Divide once, at the end.",
            *(
                program
                for factor in (streams.factor_of, streams.one)
                for share in (streams.over_one, np.divide)
                for program in streams.ways(of_mixture=factor, share=share, end=streams.as_it_is)
            ),
        ),
        "the outputs of the blocks put together": (
            "You divided in each block by its own sum, and took the mean of the outputs, or added them. So all blocks get the "
            "same weight, however high their scores are and however many keys they have.",
            "Divide once, at the end.",
            *streams.combined(lambda outputs: np.mean(outputs, axis=0)),
            *streams.combined(lambda outputs: np.sum(outputs, axis=0)),
        ),
        "only the last block": (
            "Your result is the output of the last block. The others are lost.",
            "Does each block add to the two sums, or replace them? If it adds, print the factor: it is 0 if the new largest "
            "score is never kept.",
            *streams.combined(lambda outputs: outputs[-1]),
            streams.online(start=LOW, keep=False),
        ),
        "only the first block": (
            "You returned the output of the first block, as if your `return` were inside the loop.",
            "Process all blocks, then divide, then return.",
            *streams.combined(lambda outputs: outputs[0]),
        ),
        "not divided": (
            "You returned the weighted sum without dividing it, so the weights of a row do not sum to 1.",
            "At the end, divide it by the running sum.",
            *streams.ways(end=streams.as_it_is),
        ),
    },
)
