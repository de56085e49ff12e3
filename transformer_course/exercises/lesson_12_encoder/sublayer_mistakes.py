"""What goes wrong with the two sums and norms of an encoder layer, and with its feed-forward network."""

import math

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
    """Post-norm with another way to normalise."""
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


def gelu(z):
    return z * (1 + np.vectorize(math.erf)(z / math.sqrt(2))) / 2


def _gelu_by_tanh(z):
    return z * (1 + np.tanh(math.sqrt(2 / math.pi) * (z + 0.044715 * z**3))) / 2


def _swish(factor):
    return lambda z: z / (1 + np.exp(-factor * z))


OTHER_ACTIVATIONS = (_gelu_by_tanh, _swish(1.702), _swish(1), np.tanh, lambda z: 1 / (1 + np.exp(-z)))


def _zeroed(name):
    return lambda x, weights, h, mask: layer_of()(x, weights | {name: 0 * weights[name]}, h, mask)


RESIDUALS = (
    Mistake(
        "no residual connection",
        "You pass on only the normalised output of each sublayer. What the token was before is lost.",
        "Write norm(x + sublayer(x)) for both sublayers.",
        layer_of(around=_bare),
    ),
    Mistake(
        "no residual around attention",
        "You have a residual connection around the feed-forward network, but none around attention.",
        "Add the output of each sublayer to the input of that sublayer.",
        layer_of(around=_bare, around_second=post),
    ),
    Mistake(
        "no residual around the feed-forward network",
        "You have a residual connection around attention, but none around the feed-forward network.",
        "Add the output of each sublayer to the input of that sublayer.",
        layer_of(around=post, around_second=_bare),
    ),
    Mistake(
        "the first input added twice",
        "Your second sum adds the x that came into the layer, so the result of attention is lost from the residual stream.",
        "Give the result of the first sublayer a name, and use it twice in the second: as its input, and in the sum.",
        _other_second(reads=1, adds=0),
    ),
    Mistake(
        "the feed-forward network beside attention",
        "Your feed-forward network reads the x that came into the layer, so it never sees the result of attention.",
        "Give the result of the first sublayer a name, and use it twice in the second: as its input, and in the sum.",
        _other_second(reads=0, adds=1),
        variants=(_other_second(reads=0, adds=0),),
    ),
    Mistake(
        "the feed-forward network first",
        "Your two sublayers are in the wrong order.",
        "Apply attention with gamma1 and beta1 first, then the feed-forward network.",
        _network_first((1, 2)),
        variants=(_network_first((2, 1)),),
    ),
    Mistake(
        "half of the layer",
        "Your result is right up to the first norm, but the second sublayer is missing.",
        "Add a line with the feed-forward network, gamma2 and beta2.",
        _half,
    ),
)

NORMS = (
    Mistake(
        "norm before",
        "That is pre-norm, x + sublayer(norm(x)). The exercise asks for post-norm, with the norm after the sum.",
        "Write norm(x + sublayer(x)).",
        layer_of(around=_pre),
    ),
    Mistake(
        "norm inside the sum",
        "You normalised the output of each sublayer and then added it. In post-norm, the norm comes after the sum, so it rescales the stream too.",
        "Write norm(x + sublayer(x)), and check the brackets.",
        layer_of(around=_inside),
    ),
    Mistake(
        "no norm",
        "Both sums are right, but the norms are missing: gamma and beta are never used.",
        "Write norm(x + sublayer(x)), with gamma and beta.",
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
        "the two norms swapped",
        "You swapped the norms: the first one uses the γ and β of the second, and the second those of the first.",
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
        "You normalise, but γ or β, or both, have no effect on your result.",
        "Each norm is gamma * … + beta. Which of the four arguments is never used: gamma1, beta1, gamma2 or beta2?",
        layer_of(around=lambda x, sublayer, gamma, beta: standard(x + sublayer(x))),
        variants=(
            layer_of(around=lambda x, sublayer, gamma, beta: gamma * standard(x + sublayer(x))),
            layer_of(around=lambda x, sublayer, gamma, beta: standard(x + sublayer(x)) + beta),
        ),
    ),
    Mistake(
        "gamma and beta swapped",
        "You swapped γ and β: β multiplies, and γ is added.",
        "Write gamma * … + beta.",
        layer_of(around=lambda x, sublayer, gamma, beta: beta * standard(x + sublayer(x)) + gamma),
    ),
    Mistake(
        "normed over the tokens",
        "You computed the mean and variance over the tokens of a sequence, so each token's result depends on the others (lesson 11).",
        "Compute them along the last axis, with keepdims=True.",
        _normed_by(_over_tokens),
    ),
    Mistake(
        "the unbiased variance",
        "You divided the sum of squares by d − 1, as torch's var and std do.",
        "LayerNorm divides by d. In torch, write x.var(-1, keepdim=True, correction=0).",
        _normed_by(_unbiased),
    ),
)

NETWORK = (
    Mistake(
        "no ReLU",
        "Your feed-forward network has no nonlinearity, so its two maps collapse into one linear map.",
        "Apply np.maximum(…, 0) after the first map.",
        layer_of(feed_forward=network(activation=lambda hidden: hidden)),
    ),
    Mistake(
        "a different activation function",
        "Between the two maps, you applied a different activation function, such as GELU.",
        "The table in the exercise says which one this network has.",
        layer_of(feed_forward=network(activation=gelu)),
        variants=tuple(layer_of(feed_forward=network(activation=activation)) for activation in OTHER_ACTIVATIONS),
    ),
    Mistake(
        "the ReLU at the end",
        "You have a ReLU after the second map, so no number in the output of your network is negative.",
        "It belongs only between the two maps: np.maximum(x @ w1 + b1, 0) @ w2 + b2.",
        layer_of(feed_forward=lambda x, w: np.maximum(network(activation=lambda hidden: hidden)(x, w), 0)),
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
