"""Stage B4: the parts around attention, LayerNorm and the feed-forward network, as classes."""

import math

import numpy as np

from ..build_2_one_head.causal_head import linear
from ..kinds import Module
from ..toolkit import mistake, normal, softmax


def layer_norm(given, x):
    centred = x - x.mean(-1, keepdims=True)
    return given["gamma"] * centred / np.sqrt(x.var(-1, keepdims=True) + given.get("eps", 1e-5)) + given["beta"]


def _normalised(divisor, axis=-1):
    """LayerNorm with ``divisor(x, axis, eps)`` in place of the root of the variance plus ε."""

    def forward(given, x):
        below = divisor(x, axis, given.get("eps", 1e-5))
        return given["gamma"] * (x - x.mean(axis, keepdims=True)) / below + given["beta"]

    return forward


def _root(x, axis, eps):
    return np.sqrt(x.var(axis, keepdims=True) + eps)


def _without(given, x, *names):
    return layer_norm({**given, **{name: {"gamma": 1.0, "beta": 0.0}[name] for name in names}}, x)


def _eps_after_the_division(given, x):
    return _normalised(lambda x, axis, eps: x.std(axis, keepdims=True))(given, x) + given.get("eps", 1e-5)


def _eps_before_gamma(given, x):
    return given["gamma"] * _eps_after_the_division({**given, "gamma": 1.0, "beta": 0.0}, x) + given["beta"]


def _rms(given, x):
    return given["gamma"] * x / np.sqrt((x**2).mean(-1, keepdims=True) + given.get("eps", 1e-5)) + given["beta"]


def norm_shapes(d_model, eps=1e-5):
    return {"gamma": (d_model,), "beta": (d_model,)}


def _draw_norm(rng):
    def calls(d, *shapes):
        drawn = [[2 * normal(rng, *shape, d) + 1] for shape in shapes]
        # a spread about as large as the root of ε, around a mean that an answer can subtract in float32
        narrow = [normal(rng, 3, 4, d) / 256 + 1 / 32]
        return [*drawn, narrow]

    return [
        ({"d_model": 6}, calls(6, (2, 5), (3, 3), (4,))),
        ({"d_model": 4, "eps": 0.25}, calls(4, (3, 5), (2, 2))),
        ({"d_model": 9}, calls(9, (2, 3))),
    ]


layer_norm_class = Module(
    id="build.layer_norm",
    answer_name="LayerNorm",
    prompt="LayerNorm as an nn.Module, with a gain and a bias per dimension.",
    shapes=norm_shapes,
    reference=layer_norm,
    draw=_draw_norm,
    starts={"gamma": 1.0, "beta": 0.0},
    why="Each token is normalised along its own last axis, so its output never depends on other tokens or on the batch.",
    hints=(
        "`gamma` and `beta` are learned, but they are not layers: assign nn.Parameter to `self.gamma` and `self.beta`, of "
        "ones and of zeros. Keep `eps` too.",
        "In `forward`, compute the mean and the variance along the last axis, with `keepdim=True`.",
        "In torch, `var` divides by d − 1 unless you pass `correction=0`. Add ε to the variance, take the square root, "
        "divide, multiply by `gamma` and add `beta`.",
    ),
    mistakes=(
        mistake(
            "averaged over tokens",
            "You average over tokens, so other tokens affect the result, as in BatchNorm.",
            "Use the last axis, `dim=-1`. It holds the numbers of a single vector, however many axes come before it.",
            *(_normalised(_root, axis) for axis in (-2, 0, 1, (1, 2), (0, 1))),
        ),
        mistake(
            "averaged over everything",
            "You took one mean and one variance over the whole input. Each vector needs its own.",
            "Pass `dim=-1` and `keepdim=True`.",
            _normalised(_root, None),
        ),
        mistake(
            "divided by d − 1",
            "You divided the sum of squares by d − 1. That estimates a variance from a sample, but here the d numbers are "
            "all there is.",
            "Divide by d: pass `correction=0` to `var` or `std`.",
            _normalised(lambda x, axis, eps: np.sqrt(x.var(axis, ddof=1, keepdims=True) + eps)),
        ),
        mistake(
            "ε outside the square root",
            "You added ε to the standard deviation, after the square root. For a vector with very little spread, that makes "
            "a large difference.",
            "Add ε to the variance: take the square root of `variance + self.eps`.",
            _normalised(lambda x, axis, eps: x.std(axis, keepdims=True) + eps),
            _normalised(lambda x, axis, eps: x.std(axis, ddof=1, keepdims=True) + eps),
        ),
        mistake(
            "ε added after the division",
            "You added ε after the division: `a / b + eps` is `(a / b) + eps`. It should keep the divisor away from 0 when "
            "all numbers of a vector are nearly equal.",
            "Brackets decide what is divided by what: take the square root of `variance + self.eps`, then divide.",
            _eps_after_the_division,
            _eps_before_gamma,
        ),
        mistake(
            "no ε in the divisor",
            "There is no ε in your divisor. ε keeps the divisor away from 0 when all numbers of a vector are nearly equal.",
            "Add `self.eps` to the variance, inside the square root.",
            _normalised(lambda x, axis, eps: x.std(axis, keepdims=True)),
            # 1e-5 instead of `self.eps`, added after the division: too little to be told from none at all
            lambda given, x: _eps_after_the_division({**given, "eps": 1e-5}, x),
            lambda given, x: _eps_before_gamma({**given, "eps": 1e-5}, x),
        ),
        mistake(
            "ε fixed",
            "You use a fixed ε, whatever was passed to the constructor.",
            "Keep the argument: `self.eps = eps`.",
            lambda given, x: layer_norm({**given, "eps": 1e-5}, x),
        ),
        mistake(
            "divided by the variance",
            "You divided by the variance. If all numbers of a vector become ten times as large, your result shrinks to a "
            "tenth. It should stay the same.",
            "Divide by the standard deviation. How do you get it from the variance?",
            _normalised(lambda x, axis, eps: x.var(axis, keepdims=True) + eps),
        ),
        mistake(
            "multiplied by the standard deviation",
            "You multiplied by the standard deviation. That makes large numbers even larger; the norm should make them all "
            "about the same size.",
            "Divide by it.",
            _normalised(lambda x, axis, eps: 1 / _root(x, axis, eps)),
        ),
        mistake(
            "two roots",
            "You take the square root of a standard deviation. `std` is a square root already.",
            "Take the root of `variance + self.eps`, or use `var` in place of `std`.",
            _normalised(lambda x, axis, eps: np.sqrt(x.std(axis, keepdims=True) + eps)),
            _normalised(lambda x, axis, eps: np.sqrt(x.std(axis, ddof=1, keepdims=True) + eps)),
        ),
        mistake(
            "only the mean divided",
            "Only the mean is divided: Python reads `x - mean / std` as `x - (mean / std)`.",
            "Put the difference in brackets: `(x - mean)`.",
            lambda given, x: (
                given["gamma"] * (x - x.mean(-1, keepdims=True) / _root(x, -1, given.get("eps", 1e-5))) + given["beta"]
            ),
            lambda given, x: (
                given["gamma"] * x - x.mean(-1, keepdims=True) / _root(x, -1, given.get("eps", 1e-5)) + given["beta"]
            ),
        ),
        mistake(
            "the mean added",
            "You added the mean, so it is now counted twice.",
            "Subtract it.",
            lambda given, x: (
                given["gamma"] * (x + x.mean(-1, keepdims=True)) / _root(x, -1, given.get("eps", 1e-5)) + given["beta"]
            ),
        ),
        mistake(
            "β subtracted",
            "You subtracted β.",
            "Add it.",
            lambda given, x: layer_norm({**given, "beta": -given["beta"]}, x),
        ),
        mistake(
            "γ + β as the gain",
            "You multiplied by γ + β, so β changes the scale and shifts nothing.",
            "First multiply by `gamma`, then add `beta`.",
            lambda given, x: layer_norm({**given, "gamma": given["gamma"] + given["beta"], "beta": 0.0}, x),
        ),
        mistake(
            "RMSNorm",
            "You never subtracted the mean, and you divided by the root mean square. That is RMSNorm, which many newer models "
            "use in place of LayerNorm.",
            "Subtract the mean first, then divide.",
            _rms,
        ),
        mistake(
            "mean not subtracted",
            "You divided by the standard deviation, but never subtracted the mean.",
            "Subtract the mean first, then divide.",
            lambda given, x: given["gamma"] * x / _root(x, -1, given.get("eps", 1e-5)) + given["beta"],
        ),
        mistake(
            "β before γ",
            "You added β first, so γ multiplied it too.",
            "Multiply by `gamma`, then add `beta`, with no brackets around the sum.",
            lambda given, x: given["gamma"] * (_without(given, x, "gamma")),
        ),
        mistake(
            "γ and β left out",
            "You normalised. So far, so good, but γ and β have no effect.",
            "Multiply by `self.gamma` and add `self.beta`.",
            lambda given, x: _without(given, x, "gamma", "beta"),
        ),
        mistake(
            "β left out",
            "You never add β, so it is never used.",
            "Add `self.beta` last.",
            lambda given, x: _without(given, x, "beta"),
        ),
        mistake(
            "γ left out",
            "You never multiply by γ, so it is never used.",
            "Multiply by `self.gamma` before you add `self.beta`.",
            lambda given, x: _without(given, x, "gamma"),
        ),
        mistake(
            "γ and β swapped",
            "You multiplied by β and added γ.",
            "γ is the gain, which multiplies. β is the bias, which is added.",
            lambda given, x: layer_norm({**given, "gamma": given["beta"], "beta": given["gamma"]}, x),
        ),
    ),
)


def relu(x):
    return np.maximum(x, 0.0)


def program(activation=relu, before=lambda x: x, after=lambda x: x):
    """The feed-forward network with a function before, between and after its two maps."""
    return lambda given, x: after(linear(given, "w_2", activation(linear(given, "w_1", before(x)))))


feed_forward = program()


def gelu(x):
    return x * (1 + np.array([math.erf(value) for value in (x / math.sqrt(2)).flat]).reshape(x.shape)) / 2


def gelu_tanh(x):
    return x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))) / 2


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def network_shapes(d_model, d_ff):
    return {"w_1.weight": (d_ff, d_model), "w_1.bias": (d_ff,), "w_2.weight": (d_model, d_ff), "w_2.bias": (d_model,)}


def _draw_network(rng):
    return [
        ({"d_model": 5, "d_ff": 11}, [[normal(rng, 2, 4, 5)], [normal(rng, 3, 2, 5)]]),
        ({"d_model": 3, "d_ff": 8}, [[normal(rng, 4, 2, 3)]]),
        ({"d_model": 6, "d_ff": 6}, [[normal(rng, 2, 3, 6)]]),
    ]


feed_forward_class = Module(
    id="build.feed_forward",
    answer_name="FeedForward",
    prompt="The feed-forward network as an nn.Module: two linear maps with a ReLU between them.",
    shapes=network_shapes,
    reference=feed_forward,
    draw=_draw_network,
    optional={"dropout": 0.5},
    why="Both maps act on the last axis only, so every token goes through the same network by itself.",
    hints=(
        "Two nn.Linear layers: `self.w_1` from d_model to d_ff, and `self.w_2` back from d_ff to d_model.",
        "Between them comes the nonlinearity: `torch.relu`, which turns negative numbers into 0.",
        "`forward` is one line: `w_2` of the ReLU of `w_1` of x. Tokens do not see each other here, so no axis has to move.",
    ),
    mistakes=(
        mistake(
            "no ReLU",
            "There is no nonlinearity between the two maps. Together they then amount to a single linear map.",
            "Apply `torch.relu` to what `self.w_1` gives.",
            program(activation=lambda x: x),
        ),
        mistake(
            "ReLU at the end",
            "Your ReLU comes after the second map. The output then has no negative numbers, and the two maps still amount to "
            "a single one.",
            "It belongs between the maps.",
            program(activation=lambda x: x, after=relu),
        ),
        mistake(
            "ReLU twice",
            "You apply ReLU after both maps. The output then has no negative numbers, so the network could only add to the "
            "residual stream, never subtract.",
            "Leave out the second one.",
            program(after=relu),
        ),
        mistake(
            "ReLU at the start",
            "Your ReLU comes before the first map, and cuts off the negative numbers of the input.",
            "It belongs between the maps.",
            program(activation=lambda x: x, before=relu),
        ),
        mistake(
            "GELU",
            "You used GELU, as GPT-2 does. Here the nonlinearity is ReLU, as in the original Transformer.",
            "Use `torch.relu`.",
            program(activation=gelu),
            program(activation=gelu_tanh),
        ),
        mistake(
            "a different nonlinearity",
            "Your nonlinearity is not ReLU, but a different function, such as a sigmoid, tanh, SiLU or softmax.",
            "Use `torch.relu`: it keeps positive numbers, and turns all others into 0.",
            program(activation=np.tanh),
            program(activation=sigmoid),
            program(activation=lambda x: x * sigmoid(x)),
            program(activation=softmax),
            program(activation=np.abs),
            program(activation=lambda x: np.where(x > 0, x, 0.01 * x)),
        ),
        mistake(
            "the positive numbers removed",
            "You replace the positive numbers with 0. ReLU keeps these, and replaces the negative ones.",
            "Use `torch.relu`.",
            program(activation=lambda x: np.minimum(x, 0.0)),
        ),
        mistake(
            "the input added",
            "You added the input to the output. The residual connection belongs to the block, which adds it there.",
            "Return only what `self.w_2` gives.",
            lambda given, x: x + feed_forward(given, x),
        ),
    ),
)
