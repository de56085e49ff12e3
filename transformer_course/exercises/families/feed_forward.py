"""What goes wrong in a feed-forward network. A piece is ``network(x, w1, b1, w2, b2)``, for vectors on the last axis of x."""

import math

import numpy as np

from ..toolkit import same, softmax


def relu(h):
    return np.maximum(0, h)


def gelu(h):
    return h * (1 + np.array([math.erf(value) for value in (h / math.sqrt(2)).flat]).reshape(h.shape)) / 2


def gelu_tanh(h):
    return h * (1 + np.tanh(math.sqrt(2 / math.pi) * (h + 0.044715 * h**3))) / 2


def sigmoid(h):
    return 1 / (1 + np.exp(-h))


def silu(h):
    return h * sigmoid(h)


def softplus(h):
    return np.log1p(np.exp(h))


def leaky(slope):
    return lambda h: np.where(h > 0, h, slope * h)


def network(activation=relu, first=same, last=same, bias_1=np.add, bias_2=np.add):
    """The network with one of its steps replaced: ``first`` is done to x, ``last`` to what comes out."""
    return lambda x, w1, b1, w2, b2: last(bias_2(activation(bias_1(first(x) @ w1, b1)) @ w2, b2))


feed_forward = network()


def _with_input(activation=relu, where_it_fits=False):
    def answer(x, *weights):
        output = network(activation)(x, *weights)
        return output if where_it_fits and output.shape != x.shape else x + output

    return answer


FEED_FORWARD = {
    "no ReLU": (
        "There is no ReLU, so your two matrices could be written as one.",
        "Between the two products, each negative hidden unit becomes 0.",
        network(same),
    ),
    "ReLU at the end": (
        "You apply ReLU after the second matrix, and nothing before it. So the two matrices could be written as one, and your "
        "outputs are never negative.",
        "Which numbers should go through max(0, …): those before the second matrix, or those after it?",
        network(same, last=relu),
    ),
    "ReLU at the end too": (
        "Everything is right up to the last step, where you apply ReLU a second time. So no output can be negative: such a "
        "network could only ever add something, never subtract.",
        "Return the outputs as they are.",
        network(last=relu),
    ),
    "ReLU on x": (
        "You apply ReLU to x, before the first matrix, so all negative numbers of the input are lost.",
        "Which numbers should go through max(0, …): those of x, or the hidden units?",
        network(same, first=relu),
        network(first=relu),
    ),
    "ReLU before b1": (
        "You apply ReLU first and then add b1. So all units switch on at 0, and b1 only shifts the result.",
        "Compute x W1 + b1 first, and then max(0, …).",
        network(same, bias_1=lambda values, bias: relu(values) + bias),
    ),
    "b1 left out": (
        "Your hidden units lack b1. Without it, all of them switch on at 0.",
        "There are four steps, and two of them are sums: b1 before max(0, …), and b2 at the end.",
        network(bias_1=same),
        network(bias_1=same, bias_2=same),
    ),
    "b2 left out": (
        "Everything is right except that b2 is missing: each output is off by the same amount for all tokens.",
        "Add b2 at the very end.",
        network(bias_2=same),
    ),
    "a bias subtracted": (
        "You subtracted a bias.",
        "Both biases are added.",
        network(bias_1=np.subtract),
        network(bias_2=np.subtract),
        network(bias_1=np.subtract, bias_2=np.subtract),
    ),
    "signs dropped": (
        "You take the absolute value of the hidden units, so units that should be switched off pass something on.",
        "Compare each number with 0, and take the larger of the two: max(0, −4) is 0.",
        network(np.abs),
    ),
    "min for max": (
        "You keep the negative hidden units and set the positive ones to 0.",
        "ReLU is max(0, h), not min(0, h).",
        network(lambda h: np.minimum(0, h)),
        network(lambda h: relu(-h)),
    ),
    "ones for what is positive": (
        "In your network, a positive hidden unit becomes 1 (or True), so its size is lost.",
        "h > 0 is a comparison. What should stay where it is True?",
        network(lambda h: (h > 0) * 1.0),
    ),
    "the largest of an array": (
        "You took a maximum over an axis, which picks one of many hidden units.",
        "ReLU compares each number with 0, as {relu} does. `max` alone picks the largest number of an array.",
        network(lambda h: np.max(h, axis=0)),
        network(lambda h: np.max(h, axis=0, keepdims=True)),
        network(lambda h: np.max(h, axis=-1, keepdims=True) * np.ones(h.shape)),
        network(lambda h: relu(np.max(h, axis=0))),
    ),
    "GELU": (
        "You used GELU, as GPT-2 does. Here the nonlinearity is ReLU, as in the original Transformer.",
        "Use {relu}: it keeps positive numbers, and turns all others into 0.",
        *map(network, (gelu, gelu_tanh, lambda h: h * sigmoid(1.702 * h))),
    ),
    "a different nonlinearity": (
        "Your nonlinearity is not ReLU, but a different function, such as a sigmoid, tanh, SiLU or softmax.",
        "Use {relu}: it keeps positive numbers, and turns all others into 0.",
        *map(network, (np.tanh, sigmoid, silu, softmax, np.exp, np.square)),
        *map(network, (leaky(0.01), leaky(0.1), leaky(0.2), lambda h: relu(h) ** 2)),
        *map(network, (softplus, lambda h: h * np.tanh(softplus(h)), lambda h: np.where(h > 0, h, np.expm1(h)))),
    ),
    "x added": (
        "You added x to the outputs. That is a residual connection (lesson 10), which goes around the network.",
        "Return what the second matrix and b2 give, and nothing more.",
        *map(_with_input, (relu, gelu, gelu_tanh, same)),
        _with_input(where_it_fits=True),
    ),
    "the hidden units": (
        "You returned the hidden units, before the second matrix.",
        "Multiply by W2, and add b2.",
        lambda x, w1, b1, w2, b2: relu(x @ w1 + b1),
        lambda x, w1, b1, w2, b2: x @ w1 + b1,
        lambda x, w1, b1, w2, b2: x @ w1,
    ),
}


def as_class(network):
    """A network of arrays as the forward pass of a class, from the weights of its two layers."""
    return lambda given, x: network(x, given["w_1.weight"].T, given["w_1.bias"], given["w_2.weight"].T, given["w_2.bias"])
