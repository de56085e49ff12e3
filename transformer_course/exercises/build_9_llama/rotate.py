"""Stage B9: queries and keys rotated by their positions, by angles in float32 whatever the dtype of the vectors."""

import numpy as np

from ..families import adapted
from ..families.positions import ROTARY, rotate_by
from ..families.positions import rotate as rotate_rows
from ..kinds.error_hints import ErrorHint
from ..kinds.on_tensors import OnTensors
from ..toolkit import mistake, normal, tiny


def rotated(x, by=rotate_rows):
    """Rotate (b, h, n, d), each row by its position, which is its number in the sequence."""
    return by(np.asarray(x, float), np.arange(x.shape[-2]))


def rotate(x):
    return rotated(x)


def along(axis):
    """Rotated by the place on another axis."""
    return lambda x: rotated(x.swapaxes(axis, -2)).swapaxes(axis, -2)


def _draw(rng):
    shapes = (1, 1, 2, 4), (2, 3, 5, 4), (2, 4, 4, 6), (3, 1, 7, 8), (1, 2, 40, 12)
    return [
        *([normal(rng, *shape, limit=2)] for shape in shapes),
        *([tiny(rng, *shape)] for shape in ((1, 1, 3, 4), (2, 3, 2, 6), (2, 4, 4, 8))),
        [normal(rng, 1, 1, 1500, 16, limit=2).astype(np.float16)],
    ]


def _angles_in(dtype):
    """All angles, worked out in this dtype."""
    return lambda positions, d: np.asarray(
        positions.astype(dtype)[:, None] / np.power(10000.0, (np.arange(0, d, 2) / d).astype(dtype), dtype=dtype), float
    )


rotary = OnTensors(
    id="build.rotate",
    answer_name="rotate",
    prompt="Rotary positions for queries and keys: each pair of numbers turned by the position of its token.",
    reference=rotate,
    draw=_draw,
    sensitive=lambda x: np.abs(x).max() > 1 / 32,
    error_hints=(
        ErrorHint(
            r"must match the size|could not be broadcast|Expected size",
            "The angles have a row per token and a column per pair. Print `x.shape`: which of its four sizes is n?",
        ),
    ),
    rounded=mistake(
        "angles in the dtype of x",
        "Your angles have the dtype of x. bfloat16 and float16 have too few digits for positions: far from the start, tokens "
        "get the angles of others.",
        "Make them with `dtype=torch.float32`. Only their cosines and sines, which are between −1 and 1, get the dtype of x.",
        lambda x: rotated(x, rotate_by(_angles_in(np.asarray(x).dtype))),
    ),
    why="A dot product of two rotated vectors depends only on how far apart they are, and turning them changes no length.",
    hints=(
        "`angles` has shape (n, width / 2): a row per token and a column per pair. So have the last two axes of "
        "`x[..., 0::2]`, the first numbers of all pairs, and of `x[..., 1::2]`.",
        "The formula needs `angles.cos().to(x.dtype)` and `angles.sin().to(x.dtype)`. It works for all pairs at once.",
        "`torch.stack([first, second], dim=-1)` puts the new numbers of each pair side by side, on an axis of their own, and "
        "`.flatten(-2)` joins that axis with the one before it.",
    ),
    mistakes={
        "rotated along the heads": (
            "You rotate by the number of the head, not by the position: you took n, or the angles, along axis 1.",
            "x has shape (b, heads, n, width), so n is `x.shape[-2]`.",
            along(1),
            lambda x: rotate_rows(np.asarray(x, float), np.arange(x.shape[1])),
        ),
        "rotated along the batch": (
            "You rotate by the number of the sequence in the batch, not by the position.",
            "x has shape (b, heads, n, width), so n is `x.shape[-2]`.",
            along(0),
        ),
        **adapted(ROTARY, lambda by: lambda x: rotated(x, by), but=("the place in the list",)),
    },
)
