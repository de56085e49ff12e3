"""What goes wrong with the two sums and norms of an encoder layer, and with its feed-forward network."""

import numpy as np

from ..exercise import Mistake
from .steps import attend, layer_of, network, norm, post, standard


def _bare(x, sublayer, gamma, beta):
    return norm(sublayer(x), gamma, beta)


def _pre(x, sublayer, gamma, beta):
    return x + sublayer(norm(x, gamma, beta))


def _inside(x, sublayer, gamma, beta):
    return x + norm(sublayer(x), gamma, beta)


def _no_norm(x, sublayer, gamma, beta):
    return x + sublayer(x)


def _normed_by(standardised):
    """Post-norm with another way to standardise."""
    return layer_of(around=lambda x, sublayer, gamma, beta: gamma * standardised(x + sublayer(x)) + beta)


def _over_tokens(y):
    return (y - y.mean(-2, keepdims=True)) / np.sqrt(y.var(-2, keepdims=True) + 1e-5)


def _unbiased(y):
    return (y - y.mean(-1, keepdims=True)) / np.sqrt(y.var(-1, ddof=1, keepdims=True) + 1e-5)


def _other_second(reads, adds):
    """The second sublayer reads, or is added to, what first came in (0) in place of what the first one made (1)."""

    def answer(x, weights, num_heads, mask):
        both = x, norm(x + attend()(x, weights, num_heads, mask), weights["gamma1"], weights["beta1"])
        return norm(both[adds] + network()(both[reads], weights), weights["gamma2"], weights["beta2"])

    return answer


def _network_first(around_norms):
    def answer(x, weights, num_heads, mask):
        steps = [lambda y: network()(y, weights), lambda y: attend()(y, weights, num_heads, mask)]
        for number, step in zip(around_norms, steps, strict=True):
            x = post(x, step, weights[f"gamma{number}"], weights[f"beta{number}"])
        return x

    return answer


def _half(x, weights, num_heads, mask):
    return post(x, lambda y: attend()(y, weights, num_heads, mask), weights["gamma1"], weights["beta1"])


def _zeroed(name):
    return lambda x, weights, h, mask: layer_of()(x, weights | {name: 0 * weights[name]}, h, mask)


RESIDUALS = (
    Mistake(
        "no residual connection",
        "You pass on only the normalised output of each sublayer. What the token was before is lost.",
        "norm(x + sublayer(x)), in both places.",
        layer_of(around=_bare),
    ),
    Mistake(
        "no residual around attention",
        "Around the feed-forward network there is a residual connection, around attention there is none. That is note 2's layer.",
        "Both sublayers are added to what they read.",
        layer_of(around=_bare, around_second=post),
    ),
    Mistake(
        "no residual around the feed-forward network",
        "There is a residual connection around attention, but none around the feed-forward network.",
        "Both sublayers are added to what they read.",
        layer_of(around=post, around_second=_bare),
    ),
    Mistake(
        "the first input added twice",
        "Your second sum adds the x that came into the layer, so the result of attention is lost from the residual stream.",
        "Give the result of the first line a name, and use it in both places of the second.",
        _other_second(reads=1, adds=0),
    ),
    Mistake(
        "the feed-forward network beside attention",
        "Your feed-forward network reads the x that came into the layer, so it never sees the result of attention.",
        "Give the result of the first line a name, and use it in both places of the second.",
        _other_second(reads=0, adds=1),
        variants=(_other_second(reads=0, adds=0),),
    ),
    Mistake(
        "the feed-forward network first",
        "Your two sublayers are in the wrong order.",
        "First attention with gamma1 and beta1, then the feed-forward network.",
        _network_first((1, 2)),
        variants=(_network_first((2, 1)),),
    ),
    Mistake(
        "half of the layer",
        "This is right up to the first norm. The second sublayer is missing.",
        "One more line, with the feed-forward network, gamma2 and beta2.",
        _half,
    ),
)

NORMS = (
    Mistake(
        "norm before",
        "That is pre-norm, x + sublayer(norm(x)). The exercise asks for the original's post-norm, with the norm behind the sum.",
        "norm(x + sublayer(x)).",
        layer_of(around=_pre),
    ),
    Mistake(
        "norm inside the sum",
        "Each sublayer's result is normed, and then added. The norm stands behind the sum: it rescales the stream too.",
        "norm(x + sublayer(x)): mind the brackets.",
        layer_of(around=_inside),
    ),
    Mistake(
        "no norm",
        "Both sums are right so far, and the norms are missing: gamma and beta are never used.",
        "norm(x + sublayer(x)), with gamma and beta.",
        layer_of(around=_no_norm),
    ),
    Mistake(
        "one norm left out",
        "One of the two LayerNorms is missing.",
        "There is one after each sum. Are all of gamma1, beta1, gamma2 and beta2 used?",
        layer_of(around=post, around_second=_no_norm),
        variants=(layer_of(around=_no_norm, around_second=post),),
    ),
    Mistake(
        "the two norms exchanged",
        "The first norm has the second one's γ and β, and the other way round.",
        "gamma1 and beta1 belong to attention, gamma2 and beta2 to the feed-forward network.",
        layer_of(norms=(2, 1)),
    ),
    Mistake(
        "one norm for both",
        "Both LayerNorms use the same γ and β.",
        "Use gamma1 and beta1 after attention, gamma2 and beta2 after the feed-forward network.",
        layer_of(norms=(1, 1)),
        variants=(layer_of(norms=(2, 2)),),
    ),
    Mistake(
        "gamma or beta left out",
        "You normalise, but γ and β do not both have an effect.",
        "Each norm is gamma * … + beta. Which of the four arguments is never used: gamma1, beta1, gamma2 or beta2?",
        layer_of(around=lambda x, sublayer, gamma, beta: standard(x + sublayer(x))),
        variants=(
            layer_of(around=lambda x, sublayer, gamma, beta: gamma * standard(x + sublayer(x))),
            layer_of(around=lambda x, sublayer, gamma, beta: standard(x + sublayer(x)) + beta),
        ),
    ),
    Mistake(
        "gamma and beta exchanged",
        "You swapped γ and β: β multiplies, and γ is added.",
        "gamma * … + beta.",
        layer_of(around=lambda x, sublayer, gamma, beta: beta * standard(x + sublayer(x)) + gamma),
    ),
    Mistake(
        "normed over the tokens",
        "You took the mean and variance over the tokens of a text, so each token's result depends on the others (lesson 11).",
        "Take them along the last axis, and keep that axis with length 1.",
        _normed_by(_over_tokens),
    ),
    Mistake(
        "the unbiased variance",
        "You divided the sum of squares by d − 1, as torch's var and std do.",
        "LayerNorm divides by d: x.var(-1, keepdim=True, correction=0) in torch.",
        _normed_by(_unbiased),
    ),
)

NETWORK = (
    Mistake(
        "no ReLU",
        "The feed-forward network has no bend: its two maps are one linear map.",
        "np.maximum(…, 0) after the first map.",
        layer_of(feed_forward=network(bend=lambda hidden: hidden)),
    ),
    Mistake(
        "the ReLU at the end",
        "Your ReLU comes after the second map, or after both, so it does not separate the two.",
        "np.maximum(x @ w1 + b1, 0) @ w2 + b2.",
        layer_of(feed_forward=lambda x, w: np.maximum(network(bend=lambda hidden: hidden)(x, w), 0)),
        variants=(layer_of(feed_forward=lambda x, w: np.maximum(network()(x, w), 0)),),
    ),
    Mistake(
        "a bias left out",
        "Your feed-forward network does not use both of its biases.",
        "Check b1 and b2 one by one: np.maximum(x @ w1 + b1, 0) @ w2 + b2.",
        _zeroed("b1"),
        variants=(_zeroed("b2"), lambda x, w, h, mask: layer_of()(x, w | {"b1": 0 * w["b1"], "b2": 0 * w["b2"]}, h, mask)),
    ),
)

MISTAKES = (*RESIDUALS, *NORMS, *NETWORK)
