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


def _far_apart_and_swapped(images, size):
    b, height, width = images.shape
    spread = images.reshape(b, size, height // size, size, width // size)
    return spread.swapaxes(2, 3).reshape(b, -1, size * size)


def _swapped(first, second):
    """A wrong answer that swaps these two of the axes (b, rows, size, columns, size)."""

    def answer(images, size):
        b, height, width = images.shape
        split = images.reshape(b, height // size, size, width // size, size)
        return split.swapaxes(first, second).reshape(b, -1, size * size)

    return answer


def _overlapping(images, size):
    windows = np.lib.stride_tricks.sliding_window_view(images, (size, size), axis=(1, 2))
    return windows.reshape(len(images), -1, size * size)


def _as_if_square(side):
    """Loop over as many rows as columns of patches, counted along one side."""

    def answer(images, size):
        edges = range(0, images.shape[side], size)
        return np.array([[image[i : i + size, j : j + size].ravel() for i in edges for j in edges] for image in images])

    return answer


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
        "Split the axis of H pixels in two: which row of patches, and which row of pixels inside the patch. Then do the same "
        "with the axis of W pixels.",
        "After images.reshape(b, H // size, size, W // size, size), which two axes must you swap, so that the two axes inside "
        "a patch come last?",
        "Swap axes 2 and 3. Then merge the two axes that count patches, and the two inside a patch: "
        "reshape(b, -1, size * size).",
    ),
    mistakes=(
        Mistake(
            "cut as it lies",
            "Each of your patches is a strip of neighbouring pixels, in the order in which the image is stored, not a square.",
            "Split both axes of the image in two before you merge any.",
            _as_it_lies,
            variants=(
                lambda images, size: images.reshape(
                    len(images), images.shape[1] // size * (images.shape[2] // size), size, size
                ).reshape(len(images), -1, size * size),
            ),
        ),
        Mistake(
            "swapped as for one image",
            "You swapped axes 1 and 2, which is right for a single image. A batch has one more axis in front, so here you "
            "need a different pair.",
            "In a batch, the axes are (b, rows, size, columns, size). Which two of them have to be swapped?",
            _swapped(1, 2),
        ),
        Mistake(
            "another pair swapped",
            "You split the axes correctly, but then moved the wrong ones. Your patches mix pixels from different squares.",
            "The axes are (b, rows, size, columns, size). The last two should both be `size`, without changing the order of "
            "the others.",
            _swapped(1, 4),
            variants=(_swapped(2, 4), _swapped(3, 4)),
        ),
        Mistake(
            "column by column",
            "Your patches are right, but they are ordered column by column, and the exercise asks for row by row.",
            "Of the two axes that count patches, which one should come first?",
            _by_columns,
        ),
        Mistake(
            "mirrored inside",
            "The patches are in the right order. But inside each patch, the pixels are ordered column by column.",
            "Inside a patch, the row comes before the column.",
            _turned_inside,
        ),
        Mistake(
            "the image mirrored",
            "Rows and columns are swapped, both among the patches and among the pixels inside them.",
            "Cut the image as it is, without transposing it first.",
            _turned_both,
            variants=(_swapped(1, 3),),
        ),
        Mistake(
            "every so many pixels",
            "The two halves of each split axis are in the wrong order, so the pixels of your patches do not form squares.",
            "In reshape, the axis that counts patches comes before the one that counts pixels inside a patch.",
            _far_apart,
            variants=(_far_apart_and_swapped,),
        ),
        Mistake(
            "overlapping",
            "Your patches overlap: each begins one pixel after the one before it. An image is cut so that each pixel belongs to "
            "exactly one patch.",
            "The next patch begins `size` pixels further on.",
            _overlapping,
        ),
        Mistake(
            "height and width exchanged",
            "For square images, your answer is right, but these are not square. You used the width to count the rows of patches, "
            "and the height to count the columns.",
            "Start with b, height, width = images.shape.",
            _exchanged,
        ),
        Mistake(
            "one side for both",
            "For square images, your answer is right, but these are not square. You counted the rows and the columns of patches along the "
            "same side.",
            "How many patches fit along the height, and how many along the width?",
            _as_if_square(1),
            variants=(_as_if_square(2),),
        ),
        Mistake(
            "patches stay squares",
            "The patches are right, but each is still a square with two axes. A token should be one vector.",
            "One more reshape merges the last two axes.",
            lambda images, size: patches(images, size).reshape(len(images), -1, size, size),
        ),
        Mistake(
            "the batch in one row",
            "The patches are right, but those of all images are in one long list. Each image should stay a separate sequence.",
            "The first axis of the result has length b.",
            lambda images, size: patches(images, size).reshape(-1, size * size),
        ),
        Mistake(
            "patches before images",
            "The patches are right, but the axis of the images is not the first one.",
            "The result has shape (b, n, size * size).",
            lambda images, size: patches(images, size).swapaxes(0, 1),
        ),
        Mistake(
            "the first image alone",
            "You cut only the first image of the batch.",
            "The result has one more axis in front, with a row for each image.",
            lambda images, size: patches(images, size)[0],
            variants=(lambda images, size: patches(images, size)[:1],),
        ),
        Mistake(
            "a grid of patches",
            "The patches are right, but they are still in a grid of rows and columns. A sequence has one axis of tokens.",
            "One more reshape merges the two axes that count patches.",
            lambda images, size: patches(images, size).reshape(
                len(images), images.shape[1] // size, images.shape[2] // size, size * size
            ),
        ),
    ),
)
