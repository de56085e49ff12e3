"""The data flow of each operation, with the shapes on the way: one file for each lesson's drawings."""

from collections.abc import Callable
from difflib import get_close_matches

from matplotlib.axes import Axes

from .attention import attention, mask
from .claim_test import claim_test
from .costs import blocks, cache, shared_keys
from .cross_attention import cross_attention
from .data_parallel import data_parallel
from .embedding import embedding
from .encoder_layer import encoder_layer
from .family import family
from .feed_forward import feed_forward
from .fine_tuning import chat_labels, lora
from .generation import generation
from .heads import heads
from .interventions import interventions
from .mixture import mixture
from .norms import norm_orders, norms
from .output import output
from .residual_view import induction, lens
from .rewards import rewards
from .rotary import rotary
from .small_and_fast import quantization, speculative
from .today import experts, two_blocks
from .training import training

DRAWINGS = (
    *(mixture, attention, mask, heads, embedding, rotary, feed_forward, norms, norm_orders, data_parallel, encoder_layer),
    *(interventions, claim_test, induction, lens, cross_attention, output, training, generation),
    *(blocks, cache, shared_keys, family, quantization, speculative, chat_labels, lora, rewards),
    *(two_blocks, experts),
)
SCHEMATICS: dict[str, Callable[[], Axes]] = {draw.__name__: draw for draw in DRAWINGS}


def schematic(name: str) -> Axes:
    """Draw the data flow of an operation with its shapes; ``SCHEMATICS`` lists the names.

    Queries, keys and values have the same colours in all drawings; so have the weights, those of a heat map.

    Raises ValueError for an unknown name, and suggests the most similar one.
    """
    if name not in SCHEMATICS:
        near = get_close_matches(name, SCHEMATICS, n=1, cutoff=0.0)[0]
        raise ValueError(f"unknown schematic {name!r}; did you mean {near!r}?")
    return SCHEMATICS[name]()
