"""Stage B5: an encoder layer and a decoder layer in NumPy, some of whose steps can be replaced."""

import numpy as np

from ..build_3_several_heads.multi_head import multi_head_attention as attention
from ..build_3_several_heads.multi_head import shapes as attention_shapes
from ..build_4_a_gpt.block import network, to_itself, under, within
from ..build_4_a_gpt.parts import layer_norm, network_shapes, norm_shapes
from ..families.wiring import around, in_turn
from ..kinds import Dropped

# Parts of a layer, and the residual connections around them.
ENCODER = {"self_attention": "attention_residual", "feed_forward": "feed_forward_residual"}
DECODER = {part: f"{part}_residual" for part in ("self_attention", "cross_attention", "feed_forward")}

POST = {"d_model": 6, "num_heads": 3, "d_ff": 7, "dropout": 0.5, "norm": "post"}
PRE = {"d_model": 4, "num_heads": 2, "d_ff": 9, "dropout": 0.5, "norm": "pre"}


def _wired(wire, given, parts, *sublayers):
    """The sublayers as a function of x, with the norms of these parts' residual connections."""
    norms = [lambda y, name=name: layer_norm(within(given, f"{name}.norm"), y) for name in parts.values()]
    return lambda x: wire(given.get("norm", "pre"), norms, [*sublayers, lambda y: network(given, y)], x)


def encoder_layer(wire=in_turn, mask=lambda mask, x: mask):
    """An encoder layer. ``mask(mask, x)`` is the mask that its attention gets."""

    def forward(given, x, given_mask):
        own = to_itself(attention, within(given, "self_attention"), mask(given_mask, x))
        return _wired(wire, given, ENCODER, own)(x)

    return forward


def to_memory(attend, x, memory, mask, memory_mask):
    return attend(x, memory, memory, memory_mask)


def decoder_layer(wire=in_turn, cross=to_memory, modules=("self", "cross"), masks=lambda x, memory, *masks: masks):
    """A decoder layer, whose pieces are those of ``families/inputs_of_attention.py``."""

    def forward(given, x, memory, mask, memory_mask):
        mask, memory_mask = masks(x, memory, mask, memory_mask)
        first, second = (within(given, f"{name}_attention") for name in modules)

        def read(query, change=lambda memory: memory):
            return cross(lambda *inputs: attention(second, *inputs), query, change(memory), mask, memory_mask)

        return _wired(wire, given, DECODER, to_itself(attention, first, mask), read)(x)

    return forward


def _shapes(parts):
    def shapes(d_model, num_heads, d_ff, dropout=0.0, norm="pre"):
        own = {part: attention_shapes(d_model) for part in parts if part.endswith("attention")}
        own |= {"feed_forward": network_shapes(d_model, d_ff)}
        own |= {f"{name}.norm": norm_shapes(d_model) for name in parts.values()}
        return {name: shape for part, shapes in own.items() for name, shape in under(part, shapes).items()}

    return shapes


encoder_shapes, decoder_shapes = _shapes(ENCODER), _shapes(DECODER)


def dropped(layer):
    """What a layer gives in training mode if everything is dropped."""
    return Dropped(
        layer(wire=around({"pre": lambda norm, f, x: x, "post": lambda norm, f, x: norm(x)})),
        "what each sublayer returns should become 0 before it is added",
        "`Residual` applies dropout to what the sublayer returns, `self.dropout(sublayer(…))`. Does the layer pass `dropout` "
        "on to each of its residual connections?",
    )


def real_tokens(*lengths):
    """A padding mask (b, 1, m) for sequences of these lengths, padded to the longest."""
    return np.arange(max(lengths)) < np.array(lengths)[:, None, None]


HINTS = {  # of ``wiring``, for layers whose residual connections are objects of one class
    "orders": ("pre", "post"),
    "norms": "Each residual connection, and so each LayerNorm, is named after the sublayer that it goes around.",
    "copy": "In `lambda y: …`, `y` is what the residual connection passes on: with pre-norm, the normalised x. In "
    "self-attention, query, key and value are all `y`; in cross-attention, the query is.",
    "by_hand": False,
}
