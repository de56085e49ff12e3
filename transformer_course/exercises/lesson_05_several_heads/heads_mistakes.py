"""What goes wrong with the heads of multi-head attention."""

import numpy as np

from ..exercise import Mistake
from ..families.heads import interleaved as split_interleaved
from ..families.heads import merge_by_reshape, split_by_reshape
from ..families.heads import merge_in_turn as merge_interleaved
from ..families.heads import overlapping as split_overlapping
from ..families.heads import split as split_heads
from ..lesson_02_self_attention.softmax import overflowing
from ..toolkit import softmax
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
        "You split the heads with a single reshape. The shape (b, h, n, d_k) is right, but the numbers are not: the "
        "first head gets the first tokens with all their columns, instead of some columns of every token.",
        "Split the columns first, to (b, n, h, d_k), and then swap tokens and heads. If you also merge with a single "
        "reshape, do the same there in reverse.",
        program(split=split_by_reshape),
        variants=(
            program(split=split_by_reshape, merge=merge_by_reshape),
            program(split=split_by_reshape, weigh=overflowing),
            program(split=split_by_reshape, merge=merge_by_reshape, weigh=overflowing),
        ),
    ),
    Mistake(
        "the values split by a reshape alone",
        "You split queries and keys correctly. But you only reshaped the values, so they are in the wrong heads: the "
        "right weights average the wrong numbers.",
        "Split the values as you split the queries and keys.",
        program(split_v=split_by_reshape),
        variants=(program(split_v=split_by_reshape, merge=merge_by_reshape),),
    ),
    Mistake(
        "queries or keys split by a reshape alone",
        "You split the values correctly. But you only reshaped the queries, the keys, or both, so their numbers are "
        "in the wrong heads, and each score compares vectors that do not belong together.",
        "Split all three in the same way: first split the columns, then swap tokens and heads.",
        program(split=(split_by_reshape, split_by_reshape)),
        variants=(program(split=(split_by_reshape, split_heads)), program(split=(split_heads, split_by_reshape))),
    ),
    Mistake(
        "merged by a reshape alone",
        "Everything is right up to the merge. There you used a single reshape. It turns (b, h, n, d_v) into rows "
        "with several tokens of one head, but each row should hold one token of every head.",
        "Before the reshape, swap tokens and heads again.",
        program(merge=merge_by_reshape),
        variants=(program(merge=merge_by_reshape, weigh=overflowing),),
    ),
    Mistake(
        "the heads after the tokens",
        "You left the heads after the tokens, (b, n, h, d_k). So `@` multiplies the heads of a single token: they "
        "attend to each other, and no token attends to another token.",
        "Swap tokens and heads before you compute the scores. How many scores does each query have, and how many "
        "should it have?",
        program(split=_unswapped, merge=lambda heads: heads.reshape(*heads.shape[:2], -1)),
        variants=(program(split=_unswapped, merge=lambda heads: heads.swapaxes(1, 2).reshape(*heads.shape[:2], -1)),),
    ),
    Mistake(
        "columns dealt out in turn",
        "You deal the columns out like cards: head 0 gets columns 0, h, 2h and so on. But here each head has "
        "consecutive columns, and head 0 has the first d_k of them.",
        "In the reshape, put the axis of the heads before the axis of the columns within a head.",
        program(split=split_interleaved),
        variants=(program(split=split_interleaved, merge=merge_interleaved),),
    ),
    Mistake(
        "merged in turn",
        "Everything is right up to the merge. There you take the first column of every head, then the second of "
        "every head. But w_o expects all columns of head 0 first, then those of head 1.",
        "Before the last reshape, the axes should be in the order batch, tokens, heads, columns.",
        program(merge=merge_interleaved),
    ),
    Mistake(
        "overlapping columns",
        "Your heads overlap: head i begins at column i. It should begin where head i − 1 ends.",
        "Each head of queries and keys has d_k columns. At which column does head 1 begin?",
        program(split=split_overlapping),
    ),
    Mistake(
        "one head",
        "You computed a single head with the full width: num_heads does not affect your scores. Each head should "
        "have its own weights, computed from its own d_k columns.",
        "Split queries, keys and values before you compute the scores.",
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
        "Your function is right only if each head has width d_model / num_heads, as in the original Transformer "
        "paper. Here the widths d_k and d_v follow from w_q and w_v.",
        "The queries of all heads together are as wide as w_q. How wide are those of one head?",
        _by_width(lambda x, w_q, h: x.shape[-1] // h),
        variants=(
            program(score=lambda q, k, v, x: q @ k.swapaxes(-2, -1) / np.sqrt(x.shape[-1] // q.shape[1])),
            program(score=lambda q, k, v, x: q @ k.swapaxes(-2, -1) / np.sqrt(x.shape[-1] / q.shape[1])),
        ),
    ),
    Mistake(
        "d_k taken for d_v",
        "Your function is right only if values are as wide as keys, and raises an error otherwise. The width of the "
        "values, d_v, follows from w_v.",
        "Let the reshape find the last size itself, with -1, or take it from w_v.",
        _by_width(lambda x, w_q, h: w_q.shape[1] // h),
    ),
    Mistake(
        "not concatenated",
        "Your function is right for one head, but raises an error for several. w_o has a row for each of the h·d_v "
        "columns of all heads together. So it needs the concatenated heads, not their sum, their mean or a single "
        "one.",
        "Merge the heads into rows of width h·d_v before the last product.",
        program(merge=lambda heads: heads.mean(1)),
        variants=(program(merge=lambda heads: heads.sum(1)), program(merge=lambda heads: heads[:, 0])),
    ),
    Mistake(
        "not merged",
        "You multiplied by w_o before merging the heads. It has a row for each of the h·d_v columns of all heads "
        "together. So with several heads the product raises an error, and with one head the result has an extra "
        "axis.",
        "Merge first, to (b, n, h·d_v).",
        program(merge=lambda heads: heads),
        variants=(program(merge=lambda heads: heads.swapaxes(1, 2)),),
    ),
    Mistake(
        "the mean of the heads' contributions",
        "Your result is the right one divided by the number of heads. Each head contributes its average times its "
        "own rows of w_o. These contributions are added up, not averaged.",
        "Multiply the concatenated heads by w_o: the product adds up the contributions by itself.",
        lambda *given: shares(*given).mean(0),
    ),
    Mistake(
        "the contribution of one head",
        "You returned the contribution of one head. The output is the sum over all heads.",
        "Is there a `return` inside a loop, or a name that is overwritten in each round?",
        lambda *given: shares(*given)[0],
        variants=(lambda *given: shares(*given)[-1],),
    ),
    Mistake(
        "the heads' contributions kept apart",
        "You returned the contributions of the heads separately. The output is their sum.",
        "Merge the heads before the product with w_o, or add up the contributions after it.",
        lambda *given: shares(*given).swapaxes(0, 1),
        variants=(shares, lambda *given: shares(*given).transpose(1, 2, 0, 3)),
    ),
    Mistake(
        "w_o left out",
        "You returned the concatenated heads, which are right. One step is missing: w_o combines them and maps them "
        "to width d_out.",
        "In the last line, multiply by w_o.",
        program(last=lambda merged, w_o: merged),
    ),
    Mistake(
        "written for one sequence",
        "Your function takes one sequence (n, d). But x has a batch axis at the front, with b sequences at once, and "
        "the result has a matrix for each.",
        "Use b, n, d = x.shape, and split to four axes: batch, heads, tokens, columns.",
        lambda x, *given: multi_head(x[:1], *given)[0],
        variants=(_without_batch,),
    ),
)
