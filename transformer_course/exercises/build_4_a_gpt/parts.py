"""Stage B4: the parts around attention, LayerNorm and the feed-forward network, as classes."""

import math
from dataclasses import replace

import numpy as np

from ..build_2_one_head.causal_head import linear
from ..families import adapted, norm
from ..kinds import Module
from ..toolkit import mistake, normal, softmax


def of_weights(norm):
    """A norm of arrays as the forward pass of a class."""
    return lambda given, x: norm(x, given["gamma"], given["beta"], given.get("eps", 1e-5))


layer_norm = of_weights(norm.layer_norm)


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
        ({"d_model": 8}, [*calls(8, (2, 3)), [norm.far_from_zero(rng)]]),
    ]


layer_norm_class = Module(
    id="build.layer_norm",
    answer_name="LayerNorm",
    prompt="LayerNorm as an nn.Module, with a gain and a bias per dimension.",
    shapes=norm_shapes,
    reference=layer_norm,
    draw=_draw_norm,
    starts={"gamma": 1.0, "beta": 0.0},
    rounded=replace(norm.ROUNDED, answer=of_weights(norm.ROUNDED.answer)),
    why="Each token is normalised along its own last axis, so its output never depends on other tokens or on the batch.",
    hints=(
        "`gamma` and `beta` are learned, but they are not layers: assign nn.Parameter to `self.gamma` and `self.beta`, of "
        "ones and of zeros. Keep `eps` too.",
        "In `forward`, compute the mean and the variance along the last axis, with `keepdim=True`.",
        "In torch, `var` divides by d − 1 unless you pass `correction=0`. Add ε to the variance, take the square root, "
        "divide, multiply by `gamma` and add `beta`.",
    ),
    mistakes=(
        *adapted(norm.LAYER_NORM, of_weights, axis="dim=-1", keepdims="keepdim=True", eps="self.eps"),
        mistake(
            "another ε by default",
            "Without an `eps`, your class uses another default value than the exercise asks for.",
            "Write `eps=1e-5` in the signature of `__init__`.",
            lambda given, x: layer_norm({"eps": 1e-6, **given}, x),
            lambda given, x: layer_norm({"eps": 1e-8, **given}, x),
            lambda given, x: layer_norm({"eps": 1e-12, **given}, x),
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
