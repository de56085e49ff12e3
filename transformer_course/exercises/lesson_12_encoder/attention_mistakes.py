"""What goes wrong with the attention of an encoder layer: its mask, its heads, its weights."""

from functools import partial

from ..families import adapted, in_part, named, pairs
from ..families.attention import hide
from ..families.mask import filled
from ..families.multi_head import MASKED, MULTI_HEAD, TWO_IN_SEVERAL, naive
from ..families.norm import LAYER_NORM
from ..families.softmax import over_queries
from .steps import layer_of, self_attention, transposed


def _layer(**steps):
    return layer_of(partial(self_attention, **steps))


def _queries_too(hide):
    """Hides the queries that the mask hides as keys, as well as those."""
    return lambda scores, mask: hide(scores, mask & mask.swapaxes(-2, -1))


SCALES = named(MULTI_HEAD, "not scaled", "divided by d_k", "divided by √d_model")

MISTAKES = {
    **in_part(
        "your attention",
        {**MULTI_HEAD, **MASKED},
        lambda steps: _layer(**steps),
        lambda steps: _layer(**naive(steps)),
        but=(
            "the heads after the tokens",  # with a mask, an error in any case, like the next two
            "heads still apart",
            "the heads' contributions kept apart",
            "the scale from the number of queries",
            "the scale from the values",
            "the smallest score or the mean subtracted",
            "w_q and w_k swapped",
            "the axis for the heads at place 1",
        ),
        more={"softmax over the queries": tuple(_layer(weigh=weigh, hide=filled(-1e9)) for weigh in over_queries)},
        axis="axis=-1",
        keepdims="keepdims=True (in torch keepdim=True)",
    ),
    **in_part("your attention", TWO_IN_SEVERAL, lambda steps: _layer(**steps)),
    **adapted(
        pairs(
            lambda steps, norm: layer_of(partial(self_attention, **steps), norm=norm),
            SCALES,
            named(LAYER_NORM, "ε outside the square root", "divided by d − 1"),
        ),
        lambda layer: layer,
        inside="`variance + 1e-5`",
    ),
    "the queries of padding hidden too": (
        "You hid the queries of padding as well as its keys. Then no key is left for these queries, and softmax cannot compute "
        "their rows (lesson 04).",
        "Nothing uses the rows of padding, so leave them unmasked: apply `mask` as it is.",
        *(_layer(hide=_queries_too(hiding)) for hiding in (hide, filled(-1e9))),
    ),
    **transposed(layer_of(), ("w_o",), ("w_q", "w_k", "w_v", "w_o"), ("w_q", "w_k", "w_v")),
}
