"""What goes wrong with the heads of multi-head attention."""

import numpy as np

from ..exercise import Mistake
from ..lesson_02_self_attention.softmax import overflowing
from ..toolkit import softmax
from .merge import merge_by_reshape, merge_interleaved
from .split import split_by_reshape, split_heads, split_interleaved, split_overlapping
from .steps import multi_head, program, shares


def _by_width(width):
    """Split into heads whose width is ``width(x, w_q, h)``: an error where it does not fit."""

    def answer(x, w_q, w_k, w_v, w_o, num_heads):
        d = width(x, w_q, num_heads)
        return program(split=lambda t, h: t.reshape(*t.shape[:2], h, d).swapaxes(1, 2))(x, w_q, w_k, w_v, w_o, num_heads)

    return answer


def _unswapped(t, h):
    return t.reshape(*t.shape[:2], h, -1)


def _one_head(root):
    """No split: one head as wide as all."""

    def answer(x, w_q, w_k, w_v, w_o, num_heads):
        return softmax(x @ w_q @ (x @ w_k).swapaxes(-2, -1) / root(x, w_q, num_heads)) @ (x @ w_v) @ w_o

    return answer


def _without_batch(x, w_q, w_k, w_v, w_o, num_heads):
    """The lesson's steps for one sequence, an error for several."""
    n = x.shape[-2]
    query, key, value = ((x @ w).reshape(n, num_heads, w.shape[1] // num_heads).swapaxes(0, 1) for w in (w_q, w_k, w_v))
    heads = softmax(query @ key.swapaxes(-2, -1) / np.sqrt(query.shape[-1])) @ value
    return heads.swapaxes(0, 1).reshape(n, -1) @ w_o


MISTAKES = (
    Mistake(
        "split by a reshape alone",
        "Your heads are split by a reshape alone. The shape (b, h, n, d_k) is right, and the numbers are not: the first head "
        "gets the first tokens with all their columns, not some columns of every token.",
        "Cut the columns first, (b, n, h, d_k), and then let tokens and heads change places. If you merge by a reshape "
        "alone, the same holds there, backwards.",
        program(split=split_by_reshape),
        variants=(
            program(split=split_by_reshape, merge=merge_by_reshape),
            program(split=split_by_reshape, weigh=overflowing),
            program(split=split_by_reshape, merge=merge_by_reshape, weigh=overflowing),
        ),
    ),
    Mistake(
        "the values split by a reshape alone",
        "Queries and keys are split rightly. The values are reshaped alone, and so they stand in the wrong heads: the right "
        "weights mix the wrong numbers.",
        "Treat the values as you treat the queries and keys.",
        program(split_v=split_by_reshape),
        variants=(program(split_v=split_by_reshape, merge=merge_by_reshape),),
    ),
    Mistake(
        "queries or keys split by a reshape alone",
        "The values are split rightly. Queries or keys, one of them or both, are reshaped alone: the numbers stand in the "
        "wrong heads, and what is compared does not belong together.",
        "Treat all three alike: first cut the columns, then let tokens and heads change places.",
        program(split=(split_by_reshape, split_by_reshape)),
        variants=(program(split=(split_by_reshape, split_heads)), program(split=(split_heads, split_by_reshape))),
    ),
    Mistake(
        "merged by a reshape alone",
        "Everything is right up to the merge. Reshaped alone, (b, h, n, d_v) becomes rows that hold several tokens of one "
        "head, where each should hold one token of every head.",
        "Before the reshape, tokens and heads must change places again.",
        program(merge=merge_by_reshape),
        variants=(program(merge=merge_by_reshape, weigh=overflowing),),
    ),
    Mistake(
        "the heads behind the tokens",
        "Your heads stay behind the tokens, (b, n, h, d_k). Then `@` multiplies what one token has in its heads: the heads "
        "of a token attend to each other, and no token to another one.",
        "Tokens and heads must change places before the scores are made. How many scores does each query have, and how many should "
        "it have?",
        program(split=_unswapped, merge=lambda heads: heads.reshape(*heads.shape[:2], -1)),
        variants=(program(split=_unswapped, merge=lambda heads: heads.swapaxes(1, 2).reshape(*heads.shape[:2], -1)),),
    ),
    Mistake(
        "columns dealt out in turn",
        "You deal the columns out like cards: head 0 gets columns 0, h, 2h and so on. Here each head has columns that stand "
        "next to each other, head 0 the first d_k of them.",
        "In the reshape, the axis of the heads stands before the axis of the columns within a head.",
        program(split=split_interleaved),
        variants=(program(split=split_interleaved, merge=merge_interleaved),),
    ),
    Mistake(
        "merged in turn",
        "Everything is right up to the merge. There you take the first column of every head, then the second of every head; "
        "but w_o expects all columns of head 0 first, then those of head 1.",
        "Before the last reshape, the axes should be batch, tokens, heads, columns, in this order.",
        program(merge=merge_interleaved),
    ),
    Mistake(
        "overlapping columns",
        "Your heads share columns: head i begins at column i. It should begin where head i − 1 ends.",
        "Each head of queries and keys is d_k wide. At which column does head 1 begin?",
        program(split=split_overlapping),
    ),
    Mistake(
        "one head",
        "This is one head as wide as all together: num_heads leaves no trace in the scores. Each head has weights of its "
        "own, made of its own d_k columns.",
        "Split queries, keys and values before the scores are made.",
        _one_head(lambda x, w_q, h: np.sqrt(w_q.shape[1])),
        variants=(
            _one_head(lambda x, w_q, h: np.sqrt(w_q.shape[1] // h)),
            _one_head(lambda x, w_q, h: np.sqrt(x.shape[-1])),
            _one_head(lambda x, w_q, h: np.sqrt(x.shape[-1] / h)),
            _one_head(lambda x, w_q, h: 1.0),
        ),
    ),
    Mistake(
        "d_model / num_heads taken for d_k",
        "Right where a head is d_model / num_heads wide, as in the paper, and not elsewhere. Here nothing ties the two: the "
        "widths d_k and d_v are what w_q and w_v say.",
        "All heads' queries together are as wide as w_q. How wide is one?",
        _by_width(lambda x, w_q, h: x.shape[-1] // h),
        variants=(
            program(score=lambda q, k, v, x: q @ k.swapaxes(-2, -1) / np.sqrt(x.shape[-1] // q.shape[1])),
            program(score=lambda q, k, v, x: q @ k.swapaxes(-2, -1) / np.sqrt(x.shape[-1] / q.shape[1])),
        ),
    ),
    Mistake(
        "d_k taken for d_v",
        "Right where values are as wide as keys, and an error elsewhere. The width of the values, d_v, follows from w_v.",
        "Let the reshape find the last size itself, with -1, or take it from w_v.",
        _by_width(lambda x, w_q, h: w_q.shape[1] // h),
    ),
    Mistake(
        "not side by side",
        "Right for one head, and an error for several. w_o has a row for every column of all heads together, h·d_v of them: "
        "what it gets must be the heads side by side, not their sum, their mean or one of them.",
        "Merge the heads into rows of width h·d_v before the last product.",
        program(merge=lambda heads: heads.mean(1)),
        variants=(program(merge=lambda heads: heads.sum(1)), program(merge=lambda heads: heads[:, 0])),
    ),
    Mistake(
        "not merged",
        "w_o meets heads that are still apart. It has a row for every column of all heads together, h·d_v of them, so with "
        "several heads the product raises an error, and with one an axis is left over.",
        "Merge first, to (b, n, h·d_v).",
        program(merge=lambda heads: heads),
        variants=(program(merge=lambda heads: heads.swapaxes(1, 2)),),
    ),
    Mistake(
        "the mean of the heads' shares",
        "Your result is the right one divided by the number of heads. Each head brings its mixture times its own rows of "
        "w_o, and these shares are added up, not averaged.",
        "A product with w_o adds up by itself what stands side by side.",
        lambda *given: shares(*given).mean(0),
    ),
    Mistake(
        "the share of one head",
        "This is what one head contributes. The output is the sum over all of them.",
        "Is there a `return` inside a loop, or a name that each round writes over?",
        lambda *given: shares(*given)[0],
        variants=(lambda *given: shares(*given)[-1],),
    ),
    Mistake(
        "the heads' shares apart",
        "These are the heads' shares, one table for each head. The output is their sum.",
        "Merge the heads before the product with w_o, or add the shares up afterwards.",
        lambda *given: shares(*given).swapaxes(0, 1),
        variants=(shares, lambda *given: shares(*given).transpose(1, 2, 0, 3)),
    ),
    Mistake(
        "w_o left out",
        "These are the heads side by side, and right. One step is missing: w_o mixes what they found, and leads to the width "
        "d_out.",
        "The last line is a product with w_o.",
        program(last=lambda merged, w_o: merged),
    ),
    Mistake(
        "written for one sequence",
        "Your function treats one sequence (n, d). Here x has a batch axis in front, b sequences at once, and the result has "
        "one table for each.",
        "b, n, d = x.shape, and the split leads to four axes: batch, heads, tokens, columns.",
        lambda x, *given: multi_head(x[:1], *given)[0],
        variants=(_without_batch,),
    ),
)
