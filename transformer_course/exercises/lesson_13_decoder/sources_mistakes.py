"""What goes wrong in a decoder layer's two attentions: who is fed from where, and what is masked."""

import numpy as np

from ..exercise import Mistake
from .steps import attend, cross_attention, layer_norm, pick, program, self_attention


def _fed(queries, keys, values, mask=lambda x, memory_mask: memory_mask[:, None]):
    """Cross-attention with other sources: each "x" or "memory"."""

    def cross(x, memory, weights, num_heads, memory_mask):
        from_where = {"x": x, "memory": memory}
        sources = [from_where[name] for name in (queries, keys, values)]
        return attend(pick(weights, "cross_"), *sources, num_heads, mask(x, memory_mask))

    return program(cross=cross)


def _all(x, memory_mask):
    return True


def _on_its_queries(x, memory_mask):
    return memory_mask.swapaxes(-2, -1)[:, None]


def _with_normed_memory(number):
    """Cross-attention to a memory that is normalised, with the γ and β of this number or with none."""

    def cross(x, memory, weights, num_heads, memory_mask):
        gamma, beta = (weights[f"{name}{number}"] for name in ("gamma", "beta")) if number else (1, 0)
        return cross_attention(x, layer_norm(memory, gamma, beta), weights, num_heads, memory_mask)

    return cross


def _own(change):
    return lambda x, weights, num_heads, mask: self_attention(x, weights, num_heads, change(mask))


def _cross(change):
    return lambda x, memory, weights, num_heads, mask: cross_attention(x, memory, weights, num_heads, change(mask))


def _cross_causal(x, memory, weights, num_heads, memory_mask):
    seen = memory_mask & np.tri(x.shape[1], memory.shape[1], dtype=bool)
    return cross_attention(x, memory, weights, num_heads, seen)


def _no_axis_for_heads(x, memory, weights, num_heads, memory_mask):
    return attend(pick(weights, "cross_"), x, memory, memory, num_heads, memory_mask)


def _wrong_weights(own, cross):
    def self_attention(x, weights, num_heads, mask):
        return attend(pick(weights, own), x, x, x, num_heads, mask)

    def cross_attention(x, memory, weights, num_heads, memory_mask):
        return attend(pick(weights, cross), x, memory, memory, num_heads, memory_mask[:, None])

    return program(own=self_attention, cross=cross_attention)


def _some_from_self_attention(letters):
    """Cross-attention with some matrices of self-attention."""

    def cross(x, memory, weights, num_heads, memory_mask):
        four = [weights[f"{'' if letter in letters else 'cross_'}w_{letter}"] for letter in "qkvo"]
        return attend(four, x, memory, memory, num_heads, memory_mask[:, None])

    return program(cross=cross)


def _not_projected(letters):
    """Cross-attention in which some of queries, keys and values are what they come from."""

    def cross(x, memory, weights, num_heads, memory_mask):
        four = [
            np.eye(x.shape[-1]) if letter in letters else matrix
            for letter, matrix in zip("qkvo", pick(weights, "cross_"), strict=True)
        ]
        return attend(four, x, memory, memory, num_heads, memory_mask[:, None])

    return program(cross=cross)


def _self_attention_again(x, memory, weights, num_heads, mask, memory_mask):
    """The second attention is one more self-attention, with the mask of the first."""

    def cross(x, memory, weights, num_heads, memory_mask):
        return attend(pick(weights, "cross_"), x, x, x, num_heads, mask)

    return program(cross=cross)(x, memory, weights, num_heads, mask, memory_mask)


def everything(mask):
    return np.ones_like(mask)


SOURCES = (
    Mistake(
        "the sources of cross-attention swapped",
        "Your queries come from the memory, and the keys and values from the target. If n and m differ, the sum with "
        "the residual stream raises an error; if they are equal, nothing does.",
        "Should the output of cross-attention have as many rows as the target, or as many as the source?",
        _fed("memory", "x", "x"),
        variants=(_fed("memory", "x", "x", _all), _fed("memory", "x", "x", _on_its_queries)),
    ),
    Mistake(
        "the memory normalised",
        "You normalised the memory before cross-attention. But the norms of this layer belong to the target's residual stream.",
        "Each norm of the layer comes after a sum. What is added up in each of the three sums?",
        program(cross=_with_normed_memory(2)),
        variants=(program(cross=_with_normed_memory(1)), program(cross=_with_normed_memory(None))),
    ),
    Mistake(
        "cross-attention looks at the target",
        "In your second attention, keys and values come from the target too, so the memory is never read.",
        "Cross-attention has two inputs. Which one do you use for the queries, and which one is left for keys and values?",
        _fed("x", "x", "x", _all),
        variants=(_fed("x", "x", "x"), _self_attention_again),
    ),
    Mistake(
        "keys and values from different sides",
        "In your second attention, keys come from one side and values from the other. So the weights are applied to "
        "values that they were not computed for.",
        "A key and its value belong to the same token. Which input do both come from?",
        _fed("x", "memory", "x"),
        variants=(_fed("x", "x", "memory"), _fed("x", "x", "memory", _all), _fed("memory", "memory", "x")),
    ),
    Mistake(
        "the memory looks at itself",
        "In your second attention, the queries come from the memory as well. The encoder has already done that work.",
        "Should the output have as many rows as the target, or as many as the source?",
        _fed("memory", "memory", "memory"),
        variants=(_fed("memory", "memory", "memory", _all),),
    ),
    Mistake(
        "the same weights in both attentions",
        "Both attentions use the same matrices.",
        'Cross-attention has its own matrices: weights["cross_w_q"], and so on.',
        _wrong_weights("", ""),
        variants=(_wrong_weights("cross_", "cross_"),),
    ),
    Mistake(
        "some matrices of self-attention in cross-attention",
        "Cross-attention uses at least one matrix of self-attention, and the others are its own.",
        "Compare all four names, those of the queries, the keys, the values and the output, with the table in the exercise.",
        _some_from_self_attention("v"),
        variants=tuple(_some_from_self_attention(letters) for letters in ("q", "k", "o", "kv", "qkv", "qk", "qo", "vo")),
    ),
    Mistake(
        "the memory not projected",
        "In cross-attention, keys or values are the memory as it is. Each should be computed from it with a matrix.",
        "How do the queries use their matrix? Keys and values do the same.",
        _not_projected("v"),
        variants=(_not_projected("k"), _not_projected("kv")),
    ),
    Mistake(
        "the weights of the attentions swapped",
        "Self-attention uses the matrices of cross-attention, and the other way round.",
        "The names of the second attention's matrices begin with cross_.",
        _wrong_weights("cross_", ""),
    ),
)

MASKS = (
    Mistake(
        "no causal mask",
        "Your self-attention ignores `mask`, so each position sees the tokens after it. In training, such a decoder copies the answers.",
        "In self-attention, where do you apply `mask` to the scores?",
        program(own=_own(everything)),
    ),
    Mistake(
        "no memory mask",
        "Your cross-attention ignores `memory_mask`, so the source's padding gets some of the weight. Padding has vectors in the memory too.",
        "In cross-attention, where do you apply `memory_mask` to the scores?",
        program(cross=_cross(everything)),
    ),
    Mistake(
        "no masks",
        "Neither of the two attentions uses its mask.",
        "Before softmax, set the scores to −∞ where the mask is False.",
        program(own=_own(everything), cross=_cross(everything)),
    ),
    Mistake(
        "the opposite mask",
        "You hide the tokens for which the mask is True. So each position sees exactly the tokens that it should not see.",
        "In this exercise, True marks the tokens that a position may look at. np.where(mask, scores, -np.inf) keeps their "
        "scores.",
        program(own=_own(np.logical_not), cross=_cross(np.logical_not)),
        variants=(program(own=_own(np.logical_not)), program(cross=_cross(np.logical_not))),
    ),
    Mistake(
        "the mask on the queries",
        "You swapped the two axes of `mask`. So where the mask lets position i look at position j, in your layer position j "
        "looks at position i.",
        "The last axis belongs to the keys, in the scores and in the mask.",
        program(own=_own(np.transpose)),
    ),
    Mistake(
        "a causal mask of your own",
        "You built your own causal mask. The mask that you are given is often causal, but not always.",
        "Use `mask` as it is, even if some positions may look ahead.",
        program(own=_own(lambda mask: np.tri(len(mask), dtype=bool))),
        variants=(program(own=_own(lambda mask: mask & np.tri(len(mask), dtype=bool))),),
    ),
    Mistake(
        "cross-attention masked causally",
        "Your cross-attention hides source tokens whose position is after that of the query. But the order of the target says nothing "
        "about the order of the source.",
        "Is there any reason why target position 2 should not see source position 3?",
        program(cross=_cross_causal),
    ),
    Mistake(
        "no axis for the heads",
        "You applied the memory mask, (b, 1, m), directly to scores of shape (b, h, n, m). Broadcasting aligns axes from the right, so its "
        "batch axis meets the heads. That raises an error or, if b = h, applies the mask of a different sample (lesson 05).",
        "memory_mask[:, None] has an extra axis for the heads.",
        program(cross=_no_axis_for_heads),
    ),
)

MISTAKES = (*SOURCES, *MASKS)
