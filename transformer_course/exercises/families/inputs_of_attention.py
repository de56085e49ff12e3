"""What goes wrong in what an attention is given: the sources of its queries, keys and values, its matrices, and its masks."""

from itertools import product

import numpy as np


def _fed(*places):
    """Cross-attention with queries, keys and values from these sides, with each mask that it could get, or with none."""

    def cross(which):
        def attend(attend, x, memory, mask, memory_mask):
            sides = {"x": x, "memory": memory}
            return attend(*(sides[place] for place in places), (None, mask, memory_mask)[which])

        return attend

    return [cross(which) for which in (2, 0, 1)]


# A piece is cross(attend, x, memory, mask, memory_mask), and calls attend(query, key, value, mask).
SOURCES = {
    "the sources of cross-attention swapped": (
        "In cross-attention, your queries come from the memory, and the keys and values from the target. Then each *source* "
        "token gets an output. If source and target have the same length, that raises no error.",
        "The *target* looks at the source. How many rows should come out: as many as the target has, or as the source has?",
        *_fed("memory", "x", "x"),
        lambda attend, x, memory, mask, memory_mask: attend(
            memory, x, x, None if memory_mask is None else memory_mask.swapaxes(-2, -1)
        ),
    ),
    "cross-attention looks at the target": (
        "Your second attention takes its keys and values from the target too, so the memory is never read.",
        "Cross-attention has two inputs. Which one gives the queries, and which one is left for keys and values?",
        *_fed("x", "x", "x"),
    ),
    "keys and values from different sides": (
        "In cross-attention, keys come from one side and values from the other. A weight computed for one token is then "
        "applied to another token's value.",
        "A key and its value belong to the same token. Which input do both come from?",
        *_fed("x", "memory", "x"),
        *_fed("x", "x", "memory"),
        *_fed("memory", "memory", "x"),
        *_fed("memory", "x", "memory"),
    ),
    "the memory looks at itself": (
        "In your second attention, the queries come from the memory as well. The encoder has already done that work.",
        "The queries come from the decoder's own residual stream.",
        *_fed("memory", "memory", "memory"),
    ),
}

MODULES = {  # A piece names the attention used first and the one used second, each "self" or "cross".
    "the same attention twice": (
        "Both attentions use the same matrices. Cross-attention has its own projections.",
        "{names}",
        ("self", "self"),
        ("cross", "cross"),
    ),
    "the two attentions swapped": (
        "Self-attention uses the matrices of cross-attention, and the other way round.",
        "{names}",
        ("cross", "self"),
    ),
}


def _masks(own=lambda mask, x: mask, cross=lambda mask, x, memory: mask):
    return lambda x, memory, mask, memory_mask: (own(mask, x), cross(memory_mask, x, memory))


def _and(mask, other):
    return other if mask is None else mask & other


def _causal(x, other=None):
    return np.tri(x.shape[1], (x if other is None else other).shape[1], dtype=bool)


def _opposites():
    changes = {False: lambda mask, *inputs: mask, True: lambda mask, *inputs: None if mask is None else ~mask}
    return [_masks(changes[own], changes[cross]) for own, cross in product((True, False), repeat=2) if own or cross]


# A piece masks(x, memory, mask, memory_mask) gives the masks of self-attention and of cross-attention.
MASKS = {
    "no causal mask": (
        "Self-attention ignores `mask`, so each token sees later ones. In training, such a decoder copies the answers.",
        "`mask` belongs to self-attention. Where do you apply it?",
        _masks(own=lambda mask, x: None),
    ),
    "no memory mask": (
        "Cross-attention ignores `memory_mask`, so the source's padding gets weight too: the memory has vectors there.",
        "`memory_mask` belongs to cross-attention. Where do you apply it?",
        _masks(cross=lambda mask, x, memory: None),
    ),
    "no masks": (
        "Neither of the two attentions uses its mask.",
        "`mask` belongs to self-attention, `memory_mask` to cross-attention.",
        _masks(lambda mask, x: None, lambda mask, x, memory: None),
    ),
    "masks swapped": (
        "The two masks are swapped. If source and target have the same length, that raises no error.",
        "A mask has one column per key. Which mask is as wide as the memory?",
        lambda x, memory, mask, memory_mask: (memory_mask, mask),
    ),
    "one mask for both": (
        "Both attentions get the same mask. One of them has the target's tokens as keys, the other the source's.",
        "A mask has one column per key. Which mask is as wide as the memory?",
        lambda x, memory, mask, memory_mask: (mask, mask),
        lambda x, memory, mask, memory_mask: (memory_mask, memory_mask),
    ),
    "the opposite mask": (
        "You hide the tokens for which a mask is True, and show the others. Here True means “may attend”.",
        "Use both masks as they are.",
        *_opposites(),
    ),
    "the mask on the queries": (
        "You swapped the two axes of `mask`. So where it lets position i look at position j, in your layer position j looks "
        "at position i.",
        "The last axis belongs to the keys, in the scores and in the mask.",
        _masks(own=lambda mask, x: None if mask is None else mask.swapaxes(-2, -1)),
    ),
    "a causal mask of your own": (
        "You made a causal mask yourself. The mask that the layer is given is often causal, but not always.",
        "Use `mask` as it is, even if some positions may look ahead.",
        _masks(own=lambda mask, x: _causal(x)),
        _masks(own=lambda mask, x: _and(mask, _causal(x))),
    ),
    "cross-attention masked causally": (
        "Your cross-attention also hides source tokens whose position is after that of the query. The source is there from "
        "the start: the order of the target says nothing about it.",
        "Is there any reason why target position 2 should not see source position 3?",
        _masks(cross=lambda mask, x, memory: _and(mask, _causal(x, memory))),
        _masks(cross=lambda mask, x, memory: _causal(x, memory)),
    ),
}
