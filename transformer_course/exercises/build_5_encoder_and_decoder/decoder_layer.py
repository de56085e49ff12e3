"""Stage B5: a decoder layer, from self-attention, cross-attention, the feed-forward network and residual connections."""

import numpy as np

from ..families import adapted
from ..families.inputs_of_attention import MASKS, MODULES, SOURCES
from ..families.wiring import wiring
from ..kinds import Module
from ..toolkit import normal
from . import steps
from .steps import decoder_layer as program
from .steps import real_tokens

NAMES = ("self-attention", "cross-attention", "the feed-forward network")


def _causal_without_one(x, memory, mask, memory_mask):
    return np.tri(x.shape[1], dtype=bool) if mask is None else mask, memory_mask


def _draw(rng):
    def call(d, b, n, m, mask=True, memory_mask=None):
        causal = np.tri(n, dtype=bool) if mask is True else mask
        return [normal(rng, b, n, d), normal(rng, b, m, d), causal, memory_mask]

    window = np.tri(5, k=1, dtype=bool) & ~np.tri(5, k=-3, dtype=bool)  # not causal: the mask is used as it comes
    return [
        (
            {"d_model": 6, "num_heads": 2, "d_ff": 5},
            [call(6, 2, 5, 3, memory_mask=real_tokens(2, 3)), call(6, 2, 4, 4, memory_mask=real_tokens(4, 2))],
        ),
        (steps.POST, [call(6, 3, 4, 4, memory_mask=real_tokens(4, 1, 3)), call(6, 2, 3, 5, mask=None)]),
        (steps.PRE, [call(4, 2, 5, 3, mask=window, memory_mask=real_tokens(3, 2)), call(4, 2, 3, 3)]),
    ]


decoder_layer = Module(
    id="build.decoder_layer",
    answer_name="DecoderLayer",
    prompt="A decoder layer with pre-norm or post-norm: masked self-attention, cross-attention and a feed-forward network.",
    shapes=steps.decoder_shapes,
    reference=program(),
    draw=_draw,
    dropped=steps.dropped(program),
    why="Queries always come from the decoder, while keys and values come from the target in self-attention, and from the "
    "memory in cross-attention.",
    hints=(
        "Start from your encoder layer. A third sublayer, with its own residual connection, goes between the other two.",
        "For `Residual`, make cross-attention a function of one argument as well: it gets the queries as `y`. Where do "
        "its keys and values come from, and which mask has one column for each of them?",
        "`x = self.cross_attention_residual(x, lambda y: self.cross_attention(y, memory, memory, memory_mask))`, between "
        "self-attention, which gets `mask`, and the feed-forward network.",
    ),
    mistakes=(
        *adapted(SOURCES, lambda cross: program(cross=cross)),
        *adapted(
            MODULES,
            lambda modules: program(modules=modules),
            names="Call `self.self_attention` on the target, then `self.cross_attention` on the memory.",
        ),
        *adapted(
            MASKS,
            lambda masks: program(masks=masks),
            more={"a causal mask of your own": (program(masks=_causal_without_one),)},
        ),
        *adapted(wiring(NAMES, **steps.HINTS), lambda wire: program(wire=wire)),
    ),
)
