"""Stage B5: what goes wrong in a decoder layer: where cross-attention gets its inputs, the masks, and the wiring."""

import numpy as np

from ..build_4_a_gpt.block import network
from ..toolkit import mistake
from . import steps
from .steps import PARTS, attend
from .steps import decoder_layer as program


def _fed(query, key, value, masked=True):
    """Cross-attention with other inputs: each "x" or "memory"."""

    def cross(given, x, memory, mask):
        source = {"x": x, "memory": memory}
        return attend(given, "cross_attention", source[query], source[key], source[value], mask if masked else None)

    return program(cross=cross)


def _target_twice(given, x, memory, mask, memory_mask):
    """Both attentions get the target, with the target's mask."""
    return program(cross=lambda given, x, memory, _: attend(given, "cross_attention", x, x, x, mask))(
        given, x, memory, mask, None
    )


def _memory_normalised(only_pre):
    """The memory goes through the decoder's LayerNorm too, with pre-norm alone as x does, or in both orders."""

    def layer(given, x, memory, mask, memory_mask):
        if given.get("norm", "pre") == "pre" or not only_pre:
            memory = steps.norm_of(given, "cross_attention", memory)
        return steps.decoder_layer()(given, x, memory, mask, memory_mask)

    return layer


SOURCES = (
    mistake(
        "sources swapped",
        "In cross-attention, the queries come from the memory, and keys and values from the target. Then each *source* "
        "token gets an output. If source and target have the same length, that raises no error.",
        "The *target* looks at the source. How many rows should come out: as many as the target has, or as the source has?",
        _fed("memory", "x", "x"),
        _fed("memory", "x", "x", masked=False),
    ),
    mistake(
        "cross-attention to the target",
        "Your second attention takes its keys and values from the target too, so the memory is never read.",
        "Query, key and value are separate arguments. Which of them come from the memory?",
        _fed("x", "x", "x", masked=False),
        _fed("x", "x", "x"),
        _target_twice,
    ),
    mistake(
        "keys and values from different sides",
        "In cross-attention, keys and values come from different sequences. A weight computed for one token is then "
        "applied to another token's value.",
        "Keys and values both come from the memory.",
        _fed("x", "memory", "x"),
        _fed("x", "memory", "x", masked=False),
        _fed("x", "x", "memory"),
        _fed("x", "x", "memory", masked=False),
    ),
    mistake(
        "the memory attends to itself",
        "In your second attention, the queries come from the memory as well. The encoder has already done that.",
        "The queries come from the decoder's own residual stream.",
        _fed("memory", "memory", "memory"),
        _fed("memory", "memory", "memory", masked=False),
    ),
    mistake(
        "the memory normalised again",
        "You pass the memory through this layer's LayerNorm. The encoder has already normalised its output; here only the "
        "residual stream is normalised.",
        "Pass on `memory` as it is.",
        _memory_normalised(only_pre=True),
        _memory_normalised(only_pre=False),
    ),
    mistake(
        "the same attention twice",
        "Both sublayers use the same attention module. Cross-attention has its own projections.",
        "Call `self.self_attention` first, then `self.cross_attention`.",
        program(cross=lambda given, x, memory, mask: attend(given, "self_attention", x, memory, memory, mask)),
        program(own=lambda given, x, mask: attend(given, "cross_attention", x, x, x, mask)),
    ),
    mistake(
        "attention modules swapped",
        "The two attention modules are swapped.",
        "Call `self.self_attention` on the target, then `self.cross_attention` on the memory.",
        program(
            own=lambda given, x, mask: attend(given, "cross_attention", x, x, x, mask),
            cross=lambda given, x, memory, mask: attend(given, "self_attention", x, memory, memory, mask),
        ),
    ),
)


def _masks(own=lambda mask: mask, cross=lambda mask: mask):
    return program(
        own=lambda given, x, mask: steps.self_attention(given, x, own(mask)),
        cross=lambda given, x, memory, mask: steps.cross_attention(given, x, memory, cross(mask)),
    )


def _none(mask):
    return None


def _opposite(mask):
    return None if mask is None else ~mask


def _own_causal(given, x, mask):
    return steps.self_attention(given, x, np.tri(x.shape[1], dtype=bool))


def _causal_too(given, x, mask):
    causal = np.tri(x.shape[1], dtype=bool)
    return steps.self_attention(given, x, causal if mask is None else causal & mask)


def _cross_causal(given, x, memory, mask):
    causal = np.tri(x.shape[1], memory.shape[1], dtype=bool)
    return steps.cross_attention(given, x, memory, causal if mask is None else causal & mask)


def _swapped(given, x, memory, mask, memory_mask):
    return steps.decoder_layer()(given, x, memory, memory_mask, mask)


def _same(own, cross):
    """Both attentions get the same one of the two masks."""

    def forward(given, x, memory, mask, memory_mask):
        masks = {"mask": mask, "memory_mask": memory_mask}
        return steps.decoder_layer()(given, x, memory, masks[own], masks[cross])

    return forward


MASKS = (
    mistake(
        "no causal mask",
        "Self-attention ignores `mask`, so each token sees later ones. In training, the decoder would copy the answers.",
        "`mask` belongs to self-attention.",
        _masks(own=_none),
    ),
    mistake(
        "no memory mask",
        "Cross-attention ignores `memory_mask`, so the source's padding gets weight too: the memory has vectors there.",
        "`memory_mask` belongs to cross-attention.",
        _masks(cross=_none),
    ),
    mistake(
        "no masks",
        "Neither attention uses its mask.",
        "`mask` belongs to self-attention, `memory_mask` to cross-attention.",
        _masks(own=_none, cross=_none),
    ),
    mistake(
        "masks swapped",
        "The masks are swapped. If source and target have the same length, that raises no error.",
        "A mask has one column per key. Which mask is as wide as the memory?",
        _swapped,
    ),
    mistake(
        "one mask for both",
        "Both attentions get the same mask. One of them has the target's tokens as keys, the other the source's.",
        "A mask has one column per key. Which mask is as wide as the memory?",
        _same("mask", "mask"),
        _same("memory_mask", "memory_mask"),
    ),
    mistake(
        "mask inverted",
        "You inverted a mask. Here, and in your attention, True means “may attend”.",
        "Pass both masks on as they are.",
        _masks(_opposite, _opposite),
        _masks(own=_opposite),
        _masks(cross=_opposite),
    ),
    mistake(
        "a mask of your own",
        "You made a causal mask yourself. The layer should use the `mask` that it is given, which may be a different one, "
        "or None.",
        "Pass on `mask` as it is.",
        program(own=_own_causal),
        program(own=_causal_too),
    ),
    mistake(
        "cross-attention masked causally",
        "Your cross-attention also hides source tokens further along than the target token. The source is there from the "
        "start: only its padding is hidden.",
        "Pass on `memory_mask` alone.",
        program(cross=_cross_causal),
    ),
)


def _add(given, part, x, sublayer):
    return steps.in_order(given, lambda y: steps.norm_of(given, part, y), x, sublayer)


def _to_itself(given, x, mask):
    return _add(given, "self_attention", x, lambda y: steps.self_attention(given, y, mask))


def _with_network(given, x):
    return _add(given, "feed_forward", x, lambda y: network(given, y))


def _lost_self_attention(given, x, memory, mask, memory_mask):
    x = _add(given, "cross_attention", x, lambda y: steps.cross_attention(given, y, memory, memory_mask))
    return _with_network(given, x)


def _lost_cross_attention(given, x, memory, mask, memory_mask):
    return _with_network(given, _to_itself(given, x, mask))


def _queries_from_the_input(given, x, memory, mask, memory_mask):
    """Cross-attention ignores the y that it is given, and takes the layer's input."""
    after = _to_itself(given, x, mask)
    after = _add(given, "cross_attention", after, lambda y: steps.cross_attention(given, x, memory, memory_mask))
    return _with_network(given, after)


def _queries_not_normalised(*parts):
    """These attentions get the residual stream x, where Residual gives them y."""

    def layer(given, x, memory, mask, memory_mask):
        x = _add(given, "self_attention", x, lambda y, x=x: steps.self_attention(given, x if "own" in parts else y, mask))
        x = _add(
            given,
            "cross_attention",
            x,
            lambda y, x=x: steps.cross_attention(given, x if "cross" in parts else y, memory, memory_mask),
        )
        return _with_network(given, x)

    return layer


def _ordered(*numbers, norms=None):
    order = [PARTS[number] for number in numbers]
    return program(order=order, norms=order if norms is None else [PARTS[number] for number in norms])


WIRING = (
    mistake(
        "cross-attention first",
        "Cross-attention comes before self-attention. Both return the same shape, so there is no error.",
        "The target's tokens look at each other first, then at the source.",
        _ordered(1, 0, 2),
        _ordered(1, 0, 2, norms=(0, 1, 2)),
    ),
    mistake(
        "feed-forward network too early",
        "The feed-forward network comes before cross-attention. It should work on what both attentions have found.",
        "Which sublayer comes last?",
        _ordered(0, 2, 1),
        _ordered(0, 2, 1, norms=(0, 1, 2)),
        _ordered(2, 0, 1),
        _ordered(2, 0, 1, norms=(0, 1, 2)),
    ),
    mistake(
        "the self-attention output lost",
        "Cross-attention starts from the layer's input again, so the self-attention output is lost.",
        "Assign the result of each residual connection to x.",
        _lost_self_attention,
    ),
    mistake(
        "no cross-attention",
        "The memory has no effect: cross-attention is missing, or its result is not kept. What is left is an encoder layer.",
        "Assign the result of each residual connection to x.",
        _lost_cross_attention,
    ),
    mistake(
        "queries from the layer's input",
        "The queries of cross-attention come from the layer's input. They should come from the residual stream after "
        "self-attention.",
        "`Residual` calls your function with the right queries. Does your function use its argument?",
        _queries_from_the_input,
    ),
    mistake(
        "the argument of the lambda not used",
        "At least one of your functions ignores its argument `y` and uses x. With pre-norm, attention then gets the residual "
        "stream itself, not the normalised copy.",
        "In `lambda y: …`, the queries are `y`.",
        _queries_not_normalised("own", "cross"),
        _queries_not_normalised("cross"),
        _queries_not_normalised("own"),
    ),
    mistake(
        "always pre-norm",
        'Your layer is pre-norm whatever `norm` says. With "post", the sums should be normalised.',
        "Pass `norm` on to all three residual connections.",
        program(residual=steps.ALWAYS_PRE),
    ),
    mistake(
        "always post-norm",
        'Your layer is post-norm whatever `norm` says. With "pre", only the sublayers\' inputs are normalised.',
        "Pass `norm` on to all three residual connections.",
        program(residual=steps.ALWAYS_POST),
    ),
    mistake(
        "no residual connections",
        "Your sublayers replace x, and nothing is added to it. Whatever a sublayer does not copy is lost.",
        "Call the residual connections: they do the adding.",
        program(residual=steps.NO_SUM),
    ),
    mistake(
        "norms swapped",
        "Two of the residual connections are swapped, and with them their LayerNorms.",
        "Each is named after the sublayer that it goes around.",
        _ordered(0, 1, 2, norms=(0, 2, 1)),
        _ordered(0, 1, 2, norms=(1, 0, 2)),
        _ordered(0, 1, 2, norms=(2, 1, 0)),
    ),
    mistake(
        "one norm used twice",
        "Two sublayers use the same residual connection, and so the same LayerNorm. Each should have its own.",
        "Each is named after the sublayer that it goes around.",
        _ordered(0, 1, 2, norms=(0, 0, 2)),
        _ordered(0, 1, 2, norms=(0, 1, 1)),
        _ordered(0, 1, 2, norms=(0, 0, 0)),
        _ordered(0, 1, 2, norms=(0, 2, 2)),
        _ordered(0, 1, 2, norms=(1, 1, 2)),
    ),
    mistake(
        "the feed-forward network twice",
        "The feed-forward network is applied twice.",
        "Three sublayers, one line each.",
        _ordered(0, 1, 2, 2),
        _ordered(0, 2, 1, 2),
    ),
    mistake(
        "no feed-forward network",
        "The feed-forward network is missing, or its result is not returned.",
        "It is the third sublayer.",
        _ordered(0, 1),
    ),
)
