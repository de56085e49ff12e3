"""Sheet 18: images as patches."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Implement


def patches(images, size):
    b, height, width = images.shape
    squares = images.reshape(b, height // size, size, width // size, size).swapaxes(2, 3)
    return squares.reshape(b, -1, size * size)


def _draw(rng):
    def sized(b, rows, columns, size):
        pixels = rng.permutation(b * rows * columns * size * size) - 20  # all different, exact in float32
        return [pixels.reshape(b, rows * size, columns * size).astype(float), size]

    return [
        [np.arange(24.0).reshape(1, 4, 6), 2],
        sized(2, 3, 2, 2),
        sized(3, 2, 4, 3),
        sized(1, 1, 3, 2),
        sized(2, 4, 1, 3),
        sized(2, 2, 3, 1),
        sized(1, 1, 1, 4),
    ]


def _in_loops(images, size):
    _, height, width = images.shape
    rows = []
    for image in images:
        corners = [(i, j) for i in range(0, height, size) for j in range(0, width, size)]
        rows.append([image[i : i + size, j : j + size].ravel() for i, j in corners])
    return np.array(rows)


def _by_einsum(images, size):
    b, height, width = images.shape
    cut = images.reshape(b, height // size, size, width // size, size)
    return np.einsum("biujv->bijuv", cut).reshape(b, height // size * (width // size), size**2)


def _by_split(images, size):
    columns = images.shape[2] // size
    bands = np.split(images, images.shape[1] // size, axis=1)
    squares = [square for band in bands for square in np.split(band, columns, axis=2)]
    return np.stack([square.reshape(len(images), -1) for square in squares], axis=1)


def _as_it_lies(images, size):
    return images.reshape(len(images), -1, size * size)


def _by_columns(images, size):
    b, height, width = images.shape
    return images.reshape(b, height // size, size, width // size, size).transpose(0, 3, 1, 2, 4).reshape(b, -1, size * size)


def _turned_inside(images, size):
    b, height, width = images.shape
    return images.reshape(b, height // size, size, width // size, size).transpose(0, 1, 3, 4, 2).reshape(b, -1, size * size)


def _turned_both(images, size):
    return patches(images.swapaxes(1, 2), size)


def _far_apart(images, size):
    b, height, width = images.shape
    spread = images.reshape(b, size, height // size, size, width // size)
    return spread.transpose(0, 2, 4, 1, 3).reshape(b, -1, size * size)


def _swapped_in_front(images, size):
    """As for a single image: the axes are counted from the front, where a batch has one more."""
    b, height, width = images.shape
    squares = images.reshape(b, height // size, size, width // size, size).swapaxes(1, 2)
    return squares.reshape(b, -1, size * size)


def _exchanged(images, size):
    b, height, width = images.shape
    return images.reshape(b, width // size, size, height // size, size).swapaxes(2, 3).reshape(b, -1, size * size)


cut = Implement(
    id="family.patches",
    answer_name="patches",
    prompt="A batch of images as patches.",
    reference=patches,
    draw=_draw,
    alternatives=(_in_loops, _by_einsum, _by_split),
    why=(
        "The first reshape gives each patch its own pair of axes, and the swap brings a patch's rows together before the "
        "last reshape."
    ),
    hints=(
        "The lesson splits the axis of rows in two, which row of patches and which row inside, and the axis of columns likewise. A batch "
        "has one more axis in front.",
        "After images.reshape(b, H // size, size, W // size, size), which two axes must change places, so that the two that count inside "
        "a patch stand last?",
        "Swap axes 2 and 3, then lay the last two out as one, and the two before them: reshape(b, -1, size * size).",
    ),
    mistakes=(
        Mistake(
            "cut as it lies",
            "Each of your patches is a piece of the image as it lies in memory, row by row: a strip, no square.",
            "Split both axes of the image first, as the lesson does.",
            _as_it_lies,
            variants=(
                lambda images, size: images.reshape(
                    len(images), images.shape[1] // size * (images.shape[2] // size), size, size
                ).reshape(len(images), -1, size * size),
            ),
        ),
        Mistake(
            "swapped as for one image",
            "You swapped axes 1 and 2, which is right for a single image. In a batch, that swaps a wrong pair.",
            "In a batch, the axes are (b, rows, size, columns, size). Which two of them have to change places?",
            _swapped_in_front,
        ),
        Mistake(
            "column by column",
            "The patches are right, and they come column by column. A text of patches is read row by row.",
            "Which of the two axes that count patches should stand first?",
            _by_columns,
        ),
        Mistake(
            "mirrored inside",
            "The patches come in the right order. But inside each, the pixels are laid out column by column.",
            "Inside a patch, the row comes before the column.",
            _turned_inside,
        ),
        Mistake(
            "the image mirrored",
            "Patches come column by column, and so do the pixels inside: rows and columns are exchanged.",
            "No axis of the image needs to be exchanged with the other before it is cut.",
            _turned_both,
        ),
        Mistake(
            "every so many pixels",
            "Your patches take pixels that are far apart, one every few rows and columns. You split each axis the "
            "wrong way round.",
            "In reshape, the axis that counts patches stands before the one that counts inside a patch.",
            _far_apart,
        ),
        Mistake(
            "height and width exchanged",
            "For square images all is right. These are not: how many patches lie below each other depends on the height, how many side by "
            "side on the width.",
            "b, height, width = images.shape",
            _exchanged,
        ),
        Mistake(
            "patches stay squares",
            "The patches are right, and each is still a square of its own. A token is one vector.",
            "One more reshape: the last two axes become one.",
            lambda images, size: patches(images, size).reshape(len(images), -1, size, size),
        ),
        Mistake(
            "the batch in one row",
            "The patches are right, and those of all images stand in one row. Each image is a text of its own.",
            "The first axis stays b.",
            lambda images, size: patches(images, size).reshape(-1, size * size),
        ),
        Mistake(
            "a grid of patches",
            "The patches are right, and they still lie in a grid of rows and columns. A text has one axis of tokens.",
            "One more reshape: the two axes that count patches become one.",
            lambda images, size: patches(images, size).reshape(
                len(images), images.shape[1] // size, images.shape[2] // size, size * size
            ),
        ),
    ),
)
