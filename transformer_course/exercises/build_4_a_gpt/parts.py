"""Stage B4: the parts around attention, LayerNorm and the feed-forward network, as classes."""

from dataclasses import replace
from functools import partial

import numpy as np

from ..families import adapted, norm
from ..families import feed_forward as network
from ..kinds import Module
from ..toolkit import normal

layer_norm = norm.as_class(norm.layer_norm)
feed_forward = network.as_class(network.feed_forward)


def norm_shapes(d_model, eps=1e-5):
    return {"gamma": (d_model,), "beta": (d_model,)}


def draw_norms(rng, around=1 / 32):
    def calls(d, *shapes):
        drawn = [[2 * normal(rng, *shape, d) + 1] for shape in shapes]
        # a spread about as large as the root of ε, around a mean that an answer can subtract in float32, or around 0
        return [*drawn, [normal(rng, 3, 4, d) / 256 + around]]

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
    draw=draw_norms,
    starts={"gamma": 1.0, "beta": 0.0},
    rounded=replace(norm.ROUNDED, answer=norm.as_class(norm.ROUNDED.answer)),
    why="Each token is normalised along its own last axis, so its output never depends on other tokens or on the batch.",
    hints=(
        "`gamma` and `beta` are learned, but they are not layers: assign nn.Parameter to `self.gamma` and `self.beta`, of "
        "ones and of zeros. Keep `eps` too.",
        "In `forward`, compute the mean and the variance along the last axis, with `keepdim=True`.",
        "In torch, `var` divides by d − 1 unless you pass `correction=0`. Add ε to the variance, take the square root, "
        "divide, multiply by `gamma` and add `beta`.",
    ),
    mistakes=norm.of_class(norm.LAYER_NORM, norm.layer_norm, "variance"),
)


def network_shapes(d_model, d_ff):
    return {"w_1.weight": (d_ff, d_model), "w_1.bias": (d_ff,), "w_2.weight": (d_model, d_ff), "w_2.bias": (d_model,)}


def draw_network(rng, largest=1):
    return [
        ({"d_model": 5, "d_ff": 11}, [[normal(rng, 2, 4, 5)], [largest * normal(rng, 3, 2, 5)]]),
        ({"d_model": 3, "d_ff": 8}, [[normal(rng, 4, 2, 3)]]),
        ({"d_model": 6, "d_ff": 6}, [[normal(rng, 2, 3, 6)]]),
    ]


feed_forward_class = Module(
    id="build.feed_forward",
    answer_name="FeedForward",
    prompt="The feed-forward network as an nn.Module: two linear maps with a ReLU between them.",
    shapes=network_shapes,
    reference=feed_forward,
    draw=partial(draw_network, largest=8),  # large enough for functions that are like ReLU only near 0
    optional={"dropout": 0.5},
    why="Both maps act on the last axis only, so every token goes through the same network by itself.",
    hints=(
        "Two nn.Linear layers: `self.w_1` from d_model to d_ff, and `self.w_2` back from d_ff to d_model.",
        "Between them comes the nonlinearity: `torch.relu`, which turns negative numbers into 0.",
        "`forward` is one line: `w_2` of the ReLU of `w_1` of x. Tokens do not see each other here, so no axis has to move.",
    ),
    mistakes=adapted(
        network.FEED_FORWARD,
        network.as_class,
        more={"a different nonlinearity": (network.as_class(network.network(lambda h: np.clip(h, 0, 6))),)},
        relu="`torch.relu`",
    ),
)
