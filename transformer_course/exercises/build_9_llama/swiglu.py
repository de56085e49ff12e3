"""Stage B9: a feed-forward network with a gate, SwiGLU."""

import numpy as np

from ..build_2_one_head.causal_head import linear
from ..build_4_a_gpt.parts import draw_network
from ..families import adapted
from ..families.feed_forward import gelu, gelu_tanh, leaky, relu, sigmoid, silu
from ..families.wiring import INPUT_ADDED
from ..kinds import Module
from ..toolkit import same, softmax


def program(activation=silu, gate="w_gate", up="w_up", combine=np.multiply, before=same, after=same):
    """The gated network with some of its steps replaced; a projection that is None is left out."""

    def forward(given, x):
        x = before(x)
        opened = activation(linear(given, gate, x))
        hidden = opened if up is None else combine(opened, linear(given, up, x))
        return after(linear(given, "w_down", hidden))

    return forward


swiglu = program()


def shapes(d_model, d_ff):
    return {"w_gate.weight": (d_ff, d_model), "w_up.weight": (d_ff, d_model), "w_down.weight": (d_model, d_ff)}


swiglu_class = Module(
    id="build.swiglu",
    answer_name="SwiGLU",
    prompt="A gated feed-forward network as an nn.Module: SwiGLU, without biases.",
    shapes=shapes,
    reference=swiglu,
    draw=draw_network,
    why="The gate decides, for each token and each hidden unit, how much of what `w_up` computes is passed on.",
    hints=(
        "Three nn.Linear layers with `bias=False`: `self.w_gate` and `self.w_up` from d_model to d_ff, `self.w_down` back.",
        "`w_gate` and `w_up` both get x. Only one of their outputs goes through SiLU, `F.silu`.",
        "Multiply the two, number by number, and give the product to `w_down`.",
    ),
    mistakes={
        "gate and values swapped": (
            "Your nonlinear function is applied to the output of `w_up`. It belongs to the gate.",
            "Which of the two layers is called `w_gate`?",
            *(program(activation, gate="w_up", up="w_gate") for activation in (silu, sigmoid, relu, gelu)),
        ),
        "no SiLU": (
            "There is no nonlinear function: you multiply the outputs of two linear layers.",
            "Apply `F.silu` to the output of `w_gate`.",
            program(activation=same),
        ),
        "a different function for the gate": (
            "The function of your gate is not SiLU, but a different one, such as ReLU, GELU, or the sigmoid of the first "
            "gated networks.",
            "Use `F.silu`, which is x · sigmoid(x).",
            *map(program, (sigmoid, relu, gelu, gelu_tanh, np.tanh, softmax, np.abs, leaky(0.01))),
        ),
        "SiLU on more than the gate": (
            "SiLU is applied to the output of `w_up` too, or to the product. Then more than the gate goes through it.",
            "Apply SiLU to the output of `w_gate` alone, then multiply.",
            program(same, combine=lambda gate, up: silu(gate * up)),
            program(combine=lambda opened, up: opened * silu(up)),
        ),
        "added in place of multiplied": (
            "You add the two outputs. A gate multiplies: where it is near 0, nothing is passed on.",
            "Use `*`.",
            program(combine=np.add),
            program(combine=lambda opened, up: opened + silu(up)),
            program(same, combine=lambda gate, up: silu(gate + up)),
        ),
        "no gate": (
            "Only one of the two wide layers is used, so this is a network without a gate, as in stage B4.",
            "Multiply the output of `w_up` by SiLU of the output of `w_gate`.",
            *(program(activation, gate, up=None) for activation in (silu, relu, same) for gate in ("w_gate", "w_up")),
        ),
        "one layer used twice": (
            "One of the two wide layers is used twice, and the other never.",
            "The gate comes from `w_gate`, and what it multiplies from `w_up`.",
            program(up="w_gate"),
            program(gate="w_up"),
        ),
        "a function at the wrong place": (
            "You apply a function to x or to the output of `w_down`. Only the output of `w_gate` goes through one.",
            "`w_gate` and `w_up` get x as it is, and the residual stream gets what `w_down` gives.",
            *(program(activation, after=after) for activation in (silu, same) for after in (silu, relu)),
            *(program(activation, before=before) for activation in (silu, same) for before in (silu, relu)),
            lambda given, x: linear(given, "w_down", linear(given, "w_gate", silu(x)) * linear(given, "w_up", x)),
        ),
        **adapted(INPUT_ADDED, lambda add: add(swiglu)),
    },
)
