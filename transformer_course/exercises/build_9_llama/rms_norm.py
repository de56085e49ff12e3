"""Stage B9: RMSNorm, which divides each vector by its root mean square."""

from functools import partial

from ..build_4_a_gpt.parts import draw_norms
from ..families import norm
from ..kinds import Module

rms_norm = norm.as_class(norm.rms_norm)


def shapes(d_model, eps=1e-5):
    return {"gamma": (d_model,)}


rms_norm_class = Module(
    id="build.rms_norm",
    answer_name="RMSNorm",
    prompt="RMSNorm as an nn.Module, with a gain per dimension.",
    shapes=shapes,
    reference=rms_norm,
    draw=partial(draw_norms, around=0),
    starts={"gamma": 1.0},
    why="Dividing by the root mean square gives every vector the same size before γ, and leaves its mean in.",
    hints=(
        "Start from your `LayerNorm`. Leave out `beta`, and keep `gamma` and `eps`.",
        "Square the numbers of each vector, and take their mean along the last axis, with `keepdim=True`.",
        "Add ε to the mean square, take the square root, divide x by it, and multiply by `gamma`.",
    ),
    mistakes=norm.of_class(norm.RMS_NORM, norm.rms_norm, "mean_square"),
)
