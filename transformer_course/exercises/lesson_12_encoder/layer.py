"""Sheet 12: an encoder layer for a batch, with heads and a mask."""

import math
from functools import partial

import numpy as np

from ..families import adapted, named, pairs
from ..families.feed_forward import FEED_FORWARD
from ..families.norm import layer_norm
from ..families.wiring import OFTEN, wiring
from ..kinds import Implement
from ..toolkit import normal, softmax
from . import attention_mistakes
from .steps import EPS, above_six, layer_of, mistakes_of_parts, self_attention

reference = layer_of()


def _weights(rng, d, d_ff):
    draw = {name: normal(rng, d, d) / 2 for name in ("w_q", "w_k", "w_v", "w_o")}
    draw |= {"w1": normal(rng, d, d_ff) / 2, "b1": normal(rng, d_ff), "w2": normal(rng, d_ff, d) / 2, "b2": normal(rng, d)}
    for number in (1, 2):
        signs = rng.choice([-1, 1], d)
        draw[f"gamma{number}"] = signs * rng.integers(4, 16, d) / 8.0  # exact in float32
        draw[f"beta{number}"] = rng.integers(-8, 9, d) / 8.0
    return draw


def _real(n, *lengths):
    """The padding mask (b, 1, n) of texts that are so long."""
    return (np.arange(n) < np.array(lengths)[:, None])[:, None]


def _any_mask(rng, b, n):
    """A mask (b, n, n) without a rule; each query has a key at least, and misses one at least."""
    mask = rng.random((b, n, n)) < 0.5
    for row in mask.reshape(-1, n):
        may, may_not = rng.permutation(n)[:2]
        row[may], row[may_not] = True, False
    return mask


def _small(question):
    """The same question with so little variation in front of both norms that ε matters in each."""
    x, weights, *rest = question
    shrunk = {"gamma1", "beta1", "b1", "b2"}  # what the second norm is given
    return [x / 256, {name: value / 256 if name in shrunk else value for name, value in weights.items()}, *rest]


def _draw(rng):
    def question(b, n, d, h, d_ff, mask):
        return [normal(rng, b, n, d), _weights(rng, d, d_ff), h, mask]

    large = _weights(rng, 8, 6)
    large["w_q"], large["w_k"] = (rng.integers(-1, 2, (8, 8)).astype(float) for _ in range(2))
    tokens = rng.integers(-2, 3, (1, 5, 8)).astype(float)
    tokens[0, 0] = [2, -1, 1, 0, -2, 1, 2, -1]  # no token that is all the same
    tokens[0, 1] = 0  # but for one whose scores are all 0, far below the largest
    # with heads of 4 the scale is 1/2: these scores are exact in float32
    q, k = ((tokens @ large[name]).reshape(1, 5, 2, 4) for name in ("w_q", "w_k"))
    scores = np.einsum("bnhk,bmhk->bhnm", q, k[:, :4]) / 2  # the last place is padding
    large["w_q"] *= (-1.0 if scores.max() < -scores.min() else 1.0) * (
        1000 // np.abs(scores).max()
    )  # the largest: nearly 1000
    low = _weights(rng, 4, 6)
    low["w_q"], low["w_k"] = np.diag([-32.0, 0, 0, 0]), np.diag([1.0, 0, 0, 0])
    down = normal(rng, 2, 4, 4)
    down[:, :, 0] = 8 + rng.permutation(4) / 128  # these scores are between −1024 and −1031, and exact in float32
    down[1, 3, 0] = -8  # but real tokens have a score of 1024 or more with this padding
    return [
        question(b=2, n=5, d=6, h=3, d_ff=7, mask=_real(5, 5, 3)),
        above_six(question(b=1, n=3, d=4, h=2, d_ff=9, mask=_real(3, 3))),  # nothing is forbidden
        question(b=2, n=4, d=8, h=2, d_ff=5, mask=_real(4, 2, 4)),  # as many texts as heads
        question(b=4, n=5, d=6, h=2, d_ff=3, mask=_any_mask(rng, 4, 5)),
        question(b=1, n=4, d=4, h=1, d_ff=4, mask=_real(4, 3)),  # what has lost an axis is stretched, without an error
        _small(question(b=1, n=4, d=6, h=2, d_ff=5, mask=_real(4, 3))),
        question(b=3, n=6, d=5, h=1, d_ff=8, mask=_real(6, 1, 6, 4)),
        [tokens, large, 2, _real(5, 4)],
        [down, low, 1, _real(4, 3, 3)],
    ]


def _text_by_text(x, weights, num_heads, mask):
    """Loops over texts, heads and tokens, with a very low number for what is forbidden."""
    b, n, d = x.shape
    width, outputs = d // num_heads, []

    def norm(y, number):
        return layer_norm(y, weights[f"gamma{number}"], weights[f"beta{number}"], EPS)

    for text in range(b):
        may = np.broadcast_to(mask[text], (n, n))
        heads = []
        for own in (slice(i * width, (i + 1) * width) for i in range(num_heads)):
            q, k, v = (x[text] @ weights[name][:, own] for name in ("w_q", "w_k", "w_v"))
            heads.append(softmax(np.where(may, q @ k.T / math.sqrt(width), -1e9)) @ v)
        middle = norm(x[text] + np.concatenate(heads, axis=-1) @ weights["w_o"], 1)
        hidden = np.maximum(middle @ weights["w1"] + weights["b1"], 0)
        outputs.append(norm(middle + hidden @ weights["w2"] + weights["b2"], 2).tolist())
    return outputs


def _by_einsum(x, weights, num_heads, mask):
    q, k, v = (
        np.einsum("bnd,dhk->bnhk", x, weights[name].reshape(len(weights[name]), num_heads, -1))
        for name in ("w_q", "w_k", "w_v")
    )
    scores = np.where(mask[:, None], np.einsum("bnhk,bmhk->bhnm", q, k) * q.shape[-1] ** -0.5, -np.inf)
    found = np.einsum("bhnm,bmhk->bnhk", softmax(scores), v).reshape(x.shape) @ weights["w_o"]
    return layer_of(lambda *given: found)(x, weights, num_heads, mask)


def _renormalised(scores, mask):
    """All keys first, and then only what is allowed, distributed again: the same on paper, unless all that is allowed is tiny."""
    largest = np.where(mask, scores, -np.inf).max(-1, keepdims=True)
    shares = np.where(mask, np.exp(scores - largest), 0)
    return shares / shares.sum(-1, keepdims=True)


WIRING = wiring(
    ("attention", "the feed-forward network"),
    orders=("post",),
    norms="gamma1 and beta1 belong to attention, gamma2 and beta2 to the feed-forward network.",
)
WIRED = named(WIRING, *OFTEN)

encoder_layer = Implement(
    id="encoder.layer",
    answer_name="encoder_layer",
    prompt="An encoder layer in post-norm order, for a batch of padded sequences.",
    reference=reference,
    draw=_draw,
    alternatives=(_text_by_text, _by_einsum, layer_of(partial(self_attention, weigh_masked=_renormalised))),
    why=(
        "Each sublayer's output is added to its input, the sum is normalised, and the mask keeps every head from attending "
        "to padding."
    ),
    hints=(
        "Start as the lesson does, with one line per sublayer: x = norm(x + attention(x)), then the same with the feed-forward "
        "network and the second γ and β. Then write the three functions.",
        "In attention, split (b, n, d) into (b, h, n, d/h). The scores are (b, h, n, n). Then merge the heads to (b, n, d) and "
        "multiply by w_o. You swap the axes of heads and tokens twice (sheet 05).",
        "The mask has no axis for the heads. mask[:, None] has one, of length 1: (b, 1, 1, n) or (b, 1, n, n). Where it is False, "
        "set the score to −∞ before softmax.",
        "Compute scores = np.where(mask[:, None], q @ k.swapaxes(-2, -1) / np.sqrt(q.shape[-1]), -np.inf), and subtract the "
        "largest score of each row before exp.",
    ),
    mistakes={
        **adapted(WIRING, lambda wire: layer_of(wire=wire)),
        **attention_mistakes.MISTAKES,
        **pairs(lambda steps, wire: layer_of(partial(self_attention, **steps), wire=wire), attention_mistakes.SCALES, WIRED),
        **pairs(lambda network, wire: layer_of(network=network, wire=wire), named(FEED_FORWARD, "GELU"), WIRED),
        **mistakes_of_parts(layer_of),
    },
)
