"""Sheet 18: images as patches."""

import numpy as np

from ..kinds import Implement


def _split(height, width, size):
    return height // size, size, width // size, size


def _cut(*order, split=_split):
    """Split both axes of the image in two by ``split``, put the five axes in this order, and merge those of a patch."""

    def answer(images, size):
        b, *sides = images.shape
        return images.reshape(b, *split(*sides, size)).transpose(0, *order).reshape(b, -1, size * size)

    return answer


patches = _cut(1, 3, 2, 4)


def _the_other_way_round(height, width, size):
    """Split with the pixels inside a patch before the patches."""
    return size, height // size, size, width // size


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


def _overlapping(images, size):
    windows = np.lib.stride_tricks.sliding_window_view(images, (size, size), axis=(1, 2))
    return windows.reshape(len(images), -1, size * size)


def _as_if_square(side):
    """Loop over as many rows as columns of patches, counted along one side."""

    def answer(images, size):
        edges = range(0, images.shape[side], size)
        return np.array([[image[i : i + size, j : j + size].ravel() for i in edges for j in edges] for image in images])

    return answer


cut = Implement(
    id="family.patches",
    answer_name="patches",
    prompt="A batch of images as patches.",
    reference=patches,
    draw=_draw,
    why=(
        "The first reshape gives each patch its own pair of axes, and the swap brings a patch's rows together before the "
        "last reshape."
    ),
    hints=(
        "Split the axis of H pixels in two: which row of patches, and which row of pixels inside the patch. Then do the same "
        "with the axis of W pixels.",
        "After images.reshape(b, H // size, size, W // size, size), which two axes must you swap, so that the two axes "
        "inside a patch come last?",
        "Swap axes 2 and 3. Then merge the two axes that count patches, and the two inside a patch: reshape(b, -1, size * "
        "size).",
    ),
    mistakes={
        "cut as it lies": (
            "Each of your patches is a strip of neighbouring pixels, in the order in which the image is stored, not a square.",
            "Split both axes of the image in two before you merge any.",
            lambda images, size: images.reshape(len(images), -1, size * size),
        ),
        "swapped as for one image": (
            "You swapped axes 1 and 2, which is right for a single image. A batch has one more axis in front, so here you "
            "need a different pair.",
            "In a batch, the axes are (b, rows, size, columns, size). Which two of them have to be swapped?",
            _cut(2, 1, 3, 4),
        ),
        "another pair swapped": (
            "You split the axes correctly, but then moved the wrong ones. Your patches mix pixels from different squares.",
            "The axes are (b, rows, size, columns, size). The last two should both be `size`, without changing the order of "
            "the others.",
            _cut(4, 2, 3, 1),
            _cut(1, 4, 3, 2),
            _cut(1, 2, 4, 3),
        ),
        "column by column": (
            "Your patches are right, but they are ordered column by column, and the exercise asks for row by row.",
            "Of the two axes that count patches, which one should come first?",
            _cut(3, 1, 2, 4),
        ),
        "mirrored inside": (
            "The patches are in the right order. But inside each patch, the pixels are ordered column by column.",
            "Inside a patch, the row comes before the column.",
            _cut(1, 3, 4, 2),
        ),
        "the image mirrored": (
            "Rows and columns are swapped, both among the patches and among the pixels inside them.",
            "Cut the image as it is, without transposing it first.",
            _cut(3, 1, 4, 2),
            _cut(3, 2, 1, 4),
        ),
        "every so many pixels": (
            "The two halves of each split axis are in the wrong order, so the pixels of your patches do not form squares.",
            "In reshape, the axis that counts patches comes before the one that counts pixels inside a patch.",
            _cut(2, 4, 1, 3, split=_the_other_way_round),
            _cut(1, 3, 2, 4, split=_the_other_way_round),
        ),
        "overlapping": (
            "Your patches overlap: each begins one pixel after the one before it. An image is cut so that each pixel belongs "
            "to exactly one patch.",
            "The next patch begins `size` pixels further on.",
            _overlapping,
        ),
        "height and width exchanged": (
            "For square images, your answer is right, but these are not square. You used the width to count the rows of "
            "patches, and the height to count the columns.",
            "Start with b, height, width = images.shape.",
            _cut(1, 3, 2, 4, split=lambda height, width, size: _split(width, height, size)),
        ),
        "one side for both": (
            "For square images, your answer is right, but these are not square. You counted the rows and the columns of "
            "patches along the same side.",
            "How many patches fit along the height, and how many along the width?",
            _as_if_square(1),
            _as_if_square(2),
        ),
        "patches stay squares": (
            "The patches are right, but each is still a square with two axes. A token should be one vector.",
            "One more reshape merges the last two axes.",
            lambda images, size: patches(images, size).reshape(len(images), -1, size, size),
        ),
        "the batch in one row": (
            "The patches are right, but those of all images are in one long list. Each image should stay a separate sequence.",
            "The first axis of the result has length b.",
            lambda images, size: patches(images, size).reshape(-1, size * size),
        ),
        "patches before images": (
            "The patches are right, but the axis of the images is not the first one.",
            "The result has shape (b, n, size * size).",
            lambda images, size: patches(images, size).swapaxes(0, 1),
        ),
        "the first image alone": (
            "You cut only the first image of the batch.",
            "The result has one more axis in front, with a row for each image.",
            lambda images, size: patches(images, size)[0],
            lambda images, size: patches(images, size)[:1],
        ),
        "a grid of patches": (
            "The patches are right, but they are still in a grid of rows and columns. A sequence has one axis of tokens.",
            "One more reshape merges the two axes that count patches.",
            lambda images, size: patches(images, size).reshape(
                len(images), images.shape[1] // size, images.shape[2] // size, size * size
            ),
        ),
    },
)
