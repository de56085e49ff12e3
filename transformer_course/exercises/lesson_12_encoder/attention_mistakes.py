"""What goes wrong with the attention of an encoder layer: its mask, its heads, its weights."""

from ..families import adapted
from ..families.attention import hide
from ..families.mask import filled
from ..families.multi_head import MASKED, MULTI_HEAD, multi_head, naive
from ..families.softmax import over_queries
from ..toolkit import mistake
from .steps import layer_of


def _layer(transposed=(), **steps):
    """The layer with some steps of its attention replaced, and some of its matrices transposed."""

    def attention(x, weights, num_heads, mask):
        matrices = {name: weights[name].T if name in transposed else weights[name] for name in ("w_q", "w_k", "w_v", "w_o")}
        return multi_head(lambda name, t: t @ matrices[name], (x, x, x), num_heads, mask, **steps)

    return layer_of(attention)


def _queries_too(hide):
    """Hides the queries that the mask hides as keys, as well as those."""
    return lambda scores, mask: hide(scores, mask & mask.swapaxes(-2, -1))


MISTAKES = (
    *adapted(
        (*MULTI_HEAD, *MASKED),
        lambda steps: _layer(**steps),
        lambda steps: _layer(**naive(steps)),
        but=(
            "the heads after the tokens",  # with a mask, an error in any case, like the next three
            "heads still apart",
            "the heads' contributions kept apart",
            "without keepdims",
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
    mistake(
        "the queries of padding hidden too",
        "You hid the queries of padding as well as its keys. Then no key is left for these queries, and softmax cannot compute "
        "their rows (lesson 04).",
        "Nothing uses the rows of padding, so leave them unmasked: apply `mask` as it is.",
        *(_layer(hide=_queries_too(hiding)) for hiding in (hide, filled(-1e9))),
    ),
    mistake(
        "matrices transposed",
        "You transposed some or all of the four matrices. torch's own layers store theirs that way, but here they are used as "
        "they are, with the tokens on the left.",
        "Write x @ w_q and merged @ w_o, without .T.",
        *(_layer(transposed=names) for names in (("w_o",), ("w_q", "w_k", "w_v", "w_o"), ("w_q", "w_k", "w_v"))),
    ),
)
