"""Handwritten digits of 8 × 8 pixels: scikit-learn's copy of a UCI data set."""

import torch

from transformer_course.data.split import Split, split


def digit_images(test: int = 500, seed: int = 0) -> Split:
    """Return two pairs of tensors (images, labels): 1,797 images (b, 8, 8), with values from 0 to 1, and labels 0 to 9.

    Raises ValueError unless both parts get at least one image.
    Source: Alpaydin and Kaynak 1998, "Optical Recognition of Handwritten Digits", UCI Machine Learning Repository.
    """
    from sklearn.datasets import load_digits

    images, labels = load_digits(return_X_y=True)
    images, labels = torch.tensor(images, dtype=torch.float32).reshape(-1, 8, 8) / 16, torch.tensor(labels)
    return Split(*((images[rows], labels[rows]) for rows in split(list(range(len(labels))), test, seed)))
