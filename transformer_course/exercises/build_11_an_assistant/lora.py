"""Stage B11: a linear layer that stays as it is, with a small correction that is trained."""

from transformer_course.runner.modules import run_around_linear

from ..families import adapted
from ..families.lora import LORA, lora
from ..kinds import Module
from ..toolkit import normal


class AroundLinear(Module):
    """A class whose constructor takes a linear layer, where the question has the layer's sizes and whether it has a bias."""

    backends = (run_around_linear.__name__,)

    def described(self, question):
        sizes = question["sizes"]
        layer = f"nn.Linear({sizes['d_in']}, {sizes['d_out']}{'' if sizes.get('bias', True) else ', bias=False'})"
        return f"{self.answer_name}({layer}, {sizes['rank']}, {sizes['alpha']:g})"


def _forward(piece, bias=1):
    def forward(given, x):
        frozen = x @ given["base.weight"].T + bias * given.get("base.bias", 0.0)
        return piece(frozen, x, given["a"].T, given["b"].T, given["alpha"])

    return forward


def shapes(d_in, d_out, rank, alpha, bias=True):
    weights = {"base.weight": (d_out, d_in), "base.bias": (d_out,), "a": (rank, d_in), "b": (d_out, rank)}
    return weights if bias else {name: shape for name, shape in weights.items() if name != "base.bias"}


def _draw(rng):
    def layer(d_in, d_out, rank, alpha, *shapes, **more):
        sizes = {"d_in": d_in, "d_out": d_out, "rank": rank, "alpha": alpha, **more}
        return sizes, [[normal(rng, *shape, d_in)] for shape in shapes]

    large = layer(96, 5, 8, 4.0, (2,))  # so that it shows from what the initial numbers were drawn
    return [layer(5, 7, 2, 6.0, (3, 4), (2, 6)), layer(8, 6, 3, 1.5, (4, 5)), layer(6, 5, 4, 12.0, (3, 2), bias=False), large]


lora_linear = AroundLinear(
    id="build.lora",
    answer_name="LoRALinear",
    prompt="A linear layer that is frozen, with a correction of low rank that is trained.",
    shapes=shapes,
    reference=_forward(lora),
    draw=_draw,
    starts={"b": 0.0},
    stirred={"a": lambda d_in, **sizes: d_in**-0.5},
    frozen=("base.weight", "base.bias"),
    why="With B at zero the model begins as it was, and with A at random B has a gradient from the first step on.",
    hints=(
        "`base.requires_grad_(False)` freezes a layer. Keep it as `self.base`: `forward` calls it.",
        "`base.weight` has shape (d_out, d_in). `self.a` is an nn.Parameter of shape (rank, d_in), drawn at random, and "
        "`self.b` one of shape (d_out, rank), all zeros.",
        "`x @ self.a.T` has the width r, and `@ self.b.T` makes it d_out. Multiply by alpha / rank, and add `self.base(x)`.",
    ),
    mistakes={
        **adapted(
            LORA, _forward, rank="`rank` is an argument of the constructor. Keep alpha / rank for `forward`.", frozen="layer"
        ),
        "the bias of the layer left out": (
            "You use the weight of the frozen layer, but not its bias.",
            "`self.base(x)` is all that the layer gives.",
            _forward(lora, bias=0),
        ),
    },
)
