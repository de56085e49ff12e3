"""Rotary positions in several right ways, and the same with one of their steps replaced."""

import numpy as np


def turn(i, d):
    """By how much pair i turns with each token."""
    return 1 / 10000 ** (2 * i / d)


def by_pairs(x):
    """(…, d) to both numbers of each pair, (…, d/2)."""
    return x[..., 0::2], x[..., 1::2]


def side_by_side(first, second):
    return np.stack([first, second], axis=-1).reshape(*first.shape[:-1], -1)


def turned(x, y, angle):
    return x * np.cos(angle) - y * np.sin(angle), x * np.sin(angle) + y * np.cos(angle)


def by_halves(x):
    return x[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2 :]


def one_after_another(first, second):
    return np.concatenate([first, second], axis=-1)


def rotate_by(by=turn, split=by_pairs, how=turned, join=side_by_side, read=lambda positions: positions):
    """Rotary positions with one of their steps replaced."""

    def rotate(x, positions):
        d = x.shape[-1]
        angles = read(np.asarray(positions))[:, None] * by(np.arange(d // 2), d)
        return join(*how(*split(x), angles))

    return rotate


rotate = rotate_by()


def by_complex_numbers(x, positions):
    """Each pair as a complex number."""
    hands = x[..., 0::2] + 1j * x[..., 1::2]
    hands = hands * np.exp(1j * np.outer(positions, turn(np.arange(x.shape[-1] // 2), x.shape[-1])))
    return np.stack([hands.real, hands.imag], axis=-1).reshape(x.shape)


def by_matrices(x, positions):
    """A matrix of d × d for each position, which turns all pairs at once."""
    out = np.empty(np.shape(x))
    for j, p in enumerate(positions):
        matrix = np.zeros((x.shape[-1], x.shape[-1]))
        for i in range(x.shape[-1] // 2):
            a = p * turn(i, x.shape[-1])
            matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]
        out[..., j, :] = x[..., j, :] @ matrix.T
    return out


def by_repeated_angles(x, positions):
    """x · cos + (the pairs' numbers swapped, with a minus) · sin."""
    d = x.shape[-1]
    angles = np.repeat(np.outer(positions, np.exp(-np.log(10000.0) * np.arange(0, d, 2) / d)), 2, axis=-1)
    across = np.stack([-x[..., 1::2], x[..., 0::2]], axis=-1).reshape(x.shape)
    return x * np.cos(angles) + across * np.sin(angles)
