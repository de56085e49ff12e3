"""Sheet 13: the whole layer of a decoder, post-norm."""

from itertools import combinations

import numpy as np

from ..families import adapted, in_part, named, pairs
from ..families.feed_forward import FEED_FORWARD
from ..families.inputs_of_attention import MASKS, MODULES, SOURCES
from ..families.multi_head import MASKED, MULTI_HEAD
from ..families.norm import layer_norm
from ..families.wiring import OFTEN, wiring
from ..kinds import Implement
from ..lesson_12_encoder.attention_mistakes import SCALES
from ..lesson_12_encoder.steps import EPS, above_six, decoder_layer, mistakes_of_parts, transposed
from ..toolkit import integers, normal, softmax

reference = decoder_layer()


def drawn_weights(rng, d, d_ff):
    """Weights whose products keep about the size of what goes in, and norms that differ."""
    square = {f"{prefix}w_{letter}": normal(rng, d, d) / 2 for prefix in ("", "cross_") for letter in "qkvo"}
    forward = {"w1": normal(rng, d, d_ff) / 2, "b1": normal(rng, d_ff), "w2": normal(rng, d_ff, d) / 2, "b2": normal(rng, d)}
    norms = {f"{name}{k}": normal(rng, d) / 4 + (name == "gamma") for k in (1, 2, 3) for name in ("gamma", "beta")}
    return {name: value.astype(np.float32).astype(float) for name, value in {**square, **forward, **norms}.items()}


def _stretch(rng, may, asking, asked):
    """W_Q and W_K, 8 × 8 for two heads, with which the largest allowed score is nearly 1000. They ignore column 0. All are whole
    numbers, and the scale of heads of 4 is 1/2: exact in float32."""
    w_q, w_k = integers(rng, 1, 8, 8), integers(rng, 1, 8, 8)
    w_q[0] = w_k[0] = 0
    q, k = (array.reshape(len(array), -1, 2, 4) for array in (asking @ w_q, asked @ w_k))
    scores = np.where(may, np.einsum("bnhk,bmhk->bhnm", q, k) / 2, 0)
    return w_q * (-1.0 if scores.max() < -scores.min() else 1.0) * (1000 // np.abs(scores).max()), w_k


def _large(rng):
    """One question with large scores in self-attention, one in cross-attention."""
    causal, real = np.tri(5, dtype=bool), np.arange(3) < np.array([3, 2])[:, None, None]
    x, memory, weights = integers(rng, 2, 2, 5, 8), normal(rng, 2, 3, 8), drawn_weights(rng, 8, 6)
    x[:, 0] = 2 * np.eye(8)[0]  # a row of scores that are 0, far below the largest
    weights["w_q"], weights["w_k"] = _stretch(rng, causal, x, x)
    yield [x, memory, weights, 2, causal, real]

    x, memory, weights = normal(rng, 2, 5, 8), integers(rng, 2, 2, 3, 8), drawn_weights(rng, 8, 6)
    weights["gamma1"] *= 0  # all queries are made from beta1, and so exact
    weights["beta1"] = np.array([0, 2, *integers(rng, 2, 6)])
    weights["cross_w_q"], weights["cross_w_k"] = _stretch(rng, real[:, None], np.tile(weights["beta1"], (2, 5, 1)), memory)
    yield [x, memory, weights, 2, causal, real]


def _low(rng):
    """One question in which some allowed scores are −1024 or less, and forbidden ones 1024 or more, in both attentions. Scores
    depend on column 0 alone, and are exact in float32."""
    weights = drawn_weights(rng, 4, 5)
    for prefix in ("", "cross_"):
        weights[f"{prefix}w_q"], weights[f"{prefix}w_k"] = np.diag([-32.0, 0, 0, 0]), np.diag([1.0, 0, 0, 0])
    weights["gamma1"][0], weights["beta1"][0] = 0, 8  # so column 0 of what asks the memory is 8
    x, memory = normal(rng, 2, 5, 4), normal(rng, 2, 3, 4)
    x[..., 0] = 8 + rng.permutation(5) / 128
    memory[..., 0] = 8 + rng.permutation(3) / 128
    x[1, 1:, 0] = memory[1, 2, 0] = -8  # in the other sample, forbidden scores are as low as the allowed ones
    return [x, memory, weights, 1, np.tri(5, dtype=bool), np.arange(3) < np.array([2, 2])[:, None, None]]


def _small(question):
    """The same question with so little variation in front of all three norms that ε matters in each."""
    x, memory, weights, *rest = question
    shrunk = {"gamma1", "beta1", "gamma2", "beta2", "b1", "b2"}  # what the second and the third norm are given
    weights = {name: value / 256 if name in shrunk else value for name, value in weights.items()}
    return [x / 256, memory / 256, weights, *rest]


def _draw(rng):
    def sized(b, n, m, d, h, d_ff, lengths, back=None):
        mask = np.tri(n, dtype=bool)
        if back is not None:  # each place may look at so many places before it, and at the next one
            mask = np.tri(n, k=1, dtype=bool) & ~np.tri(n, k=-back - 1, dtype=bool)
        real = np.arange(m) < np.array(lengths)[:, None, None]
        return [normal(rng, b, n, d), normal(rng, b, m, d), drawn_weights(rng, d, d_ff), h, mask, real]

    return [
        sized(b=1, n=5, m=3, d=6, h=2, d_ff=7, lengths=[3]),
        sized(b=2, n=4, m=4, d=8, h=2, d_ff=5, lengths=[2, 4]),  # n = m and b = h: what is silent elsewhere shows here
        sized(b=3, n=3, m=5, d=12, h=4, d_ff=9, lengths=[5, 1, 3]),
        sized(b=2, n=6, m=2, d=6, h=1, d_ff=8, lengths=[2, 1], back=1),  # not causal: the mask is used as it comes
        _small(sized(b=1, n=4, m=2, d=6, h=2, d_ff=5, lengths=[2])),
        above_six(sized(b=3, n=2, m=5, d=6, h=3, d_ff=7, lengths=[5, 5, 5], back=1)),  # nothing is hidden
        sized(b=1, n=4, m=4, d=4, h=1, d_ff=4, lengths=[3]),  # what has lost an axis is stretched, without an error
        *_large(rng),
        _low(rng),
    ]


def _head_by_head(x, memory, weights, num_heads, mask, memory_mask):
    def attend(prefix, asking, asked, may):
        w_q, w_k, w_v, w_o = (weights[f"{prefix}w_{letter}"] for letter in "qkvo")
        width = w_q.shape[1] // num_heads
        total = 0
        for columns in (slice(i * width, (i + 1) * width) for i in range(num_heads)):
            scores = asking @ w_q[:, columns] @ (asked @ w_k[:, columns]).T / np.sqrt(width)
            total = total + softmax(np.where(may, scores, -np.inf)) @ (asked @ w_v[:, columns]) @ w_o[columns]
        return total

    def norm(y, k):
        return layer_norm(y, weights[f"gamma{k}"], weights[f"beta{k}"], EPS)

    found = []
    for target, source, real in zip(x, memory, memory_mask, strict=True):
        y = norm(target + attend("", target, target, mask), 1)
        y = norm(y + attend("cross_", y, source, real), 2)
        hidden = np.maximum(y @ weights["w1"] + weights["b1"], 0)
        found.append(norm(y + hidden @ weights["w2"] + weights["b2"], 3))
    return np.array(found)


def _padding_cut_off(x, memory, weights, num_heads, mask, memory_mask):
    """Each sample by itself, with what is padding taken away."""
    parts = []
    for i in range(len(x)):
        real = memory_mask[i, 0]
        whole = np.ones((1, 1, real.sum()), dtype=bool)
        parts.append(reference(x[i : i + 1], memory[i : i + 1, real], weights, num_heads, mask, whole))
    return np.concatenate(parts)


def _copied(letters):
    """Cross-attention with these matrices of self-attention."""

    def answer(x, memory, weights, *rest):
        return reference(x, memory, weights | {f"cross_w_{letter}": weights[f"w_{letter}"] for letter in letters}, *rest)

    return answer


def _both(steps):
    return decoder_layer(own=steps, cross=steps)


def _spelled(name, *builds):
    """What each spelling of a mistake of attention is in a decoder layer, such as one that only cross-attention has."""
    (known,) = named({**MULTI_HEAD, **MASKED}, name)
    return tuple(build(steps) for steps in (known.answer, *known.variants) for build in builds)


def _in_one(name):
    return {name: _spelled(name, lambda steps: decoder_layer(own=steps), lambda steps: decoder_layer(cross=steps))}


# Mistakes of attention that are right here, always an error, or the same as those of one of the layer's two masks.
NOT_HERE = (
    "the heads after the tokens",
    "the heads' contributions kept apart",
    "heads still apart",
    "the weights returned",
    "the scale from the values",
    "the smallest score or the mean subtracted",
    "the axis for the heads at place 1",
    "the axis for the heads after the queries",
    "mask ignored",
    "mask inverted",
    "the mask transposed",
)


MATRICES = [f"{prefix}w_{letter}" for prefix in ("", "cross_") for letter in "qkvo"]
IN = [name for name in MATRICES if not name.endswith("o")]


WIRING = wiring(
    ("self-attention", "cross-attention", "the feed-forward network"),
    orders=("post",),
    norms="Each norm has its own γ and β: gamma1 and beta1 belong to self-attention, gamma2 and beta2 to cross-attention, gamma3 "
    "and beta3 to the feed-forward network.",
)
WIRED = named(WIRING, *OFTEN)

layer = Implement(
    id="decoder.layer",
    answer_name="decoder_layer",
    prompt="A decoder layer with post-norm: masked self-attention, cross-attention and the feed-forward network, for a batch.",
    reference=reference,
    draw=_draw,
    alternatives=(_head_by_head, _padding_cut_off),
    why=(
        "Queries always come from the decoder, and the keys and values come from the target first and then from the "
        "memory, each with its own mask."
    ),
    hints=(
        "Write three small functions first: attention with a mask, the feed-forward network, and LayerNorm. Then the layer itself takes "
        "three lines, one for each sublayer.",
        "Give your attention two inputs, one for the queries and one for the keys and values. In which of the two calls are they different?",
        "The scores of cross-attention have shape (b, h, n, m). `mask` broadcasts by itself, but `memory_mask`, (b, 1, m), needs an axis for the "
        "heads: memory_mask[:, None].",
        "Write x = norm(x + attend(x, x, …), gamma1, beta1), then x = norm(x + attend(x, memory, …), gamma2, beta2). Do the same with the "
        "feed-forward network, gamma3 and beta3.",
    ),
    mistakes={
        **adapted(SOURCES, lambda read: decoder_layer(read=read)),
        **adapted(
            MODULES,
            lambda modules: decoder_layer(modules=modules),
            names="The names of the second attention's matrices begin with cross_.",
        ),
        "some matrices of self-attention in cross-attention": (
            "Cross-attention uses at least one matrix of self-attention, and the others are its own.",
            "Compare all four names, those of the queries, the keys, the values and the output, with the table in the exercise.",
            *(_copied(letters) for size in (1, 2, 3) for letters in combinations("qkvo", size)),
        ),
        "the memory not projected": (
            "In cross-attention, keys or values are the memory as it is. Each should be computed from it with a matrix.",
            "How do the queries use their matrix? Keys and values do the same.",
            *(decoder_layer(cross={"layers": ("w_q", *layers)}) for layers in (("w_k", None), (None, "w_v"), (None, None))),
        ),
        **adapted(
            MASKS,
            lambda masks: decoder_layer(masks=masks),
            more={"no masks": _spelled("mask ignored", _both), "the opposite mask": _spelled("mask inverted", _both)},
        ),
        **adapted(WIRING, lambda wire: decoder_layer(wire=wire)),
        **pairs(lambda steps, wire: decoder_layer(own=steps, cross=steps, wire=wire), SCALES, WIRED),
        **pairs(lambda network, wire: decoder_layer(network=network, wire=wire), named(FEED_FORWARD, "GELU"), WIRED),
        **in_part(
            "your attention",
            {**MULTI_HEAD, **MASKED},
            _both,
            but=NOT_HERE,
            more=_in_one("w_o left out") | _in_one("exp overflows"),
            axis="axis=-1",
            keepdims="keepdims=True (in torch keepdim=True)",
        ),
        **transposed(reference, MATRICES, MATRICES[:4], MATRICES[4:], ("w_o", "cross_w_o"), IN),
        **mistakes_of_parts(decoder_layer),
    },
)
