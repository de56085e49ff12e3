"""Masks: which query may attend to which key. Boolean, and True means "may".

(`torch.nn.functional.scaled_dot_product_attention` means the same by True, `torch.nn.MultiheadAttention` the opposite.)

Shapes: ``b`` batch, ``n`` queries, ``m`` keys.
"""

import torch
from jaxtyping import Bool, Int
from torch import Tensor


def causal_mask(n: int) -> Bool[Tensor, "n n"]:
    """Let token ``i`` attend to the tokens 0 … ``i``, itself included, and to none that comes later.

    The last rows, ``causal_mask(m)[-n:]``, are the mask of ``n`` new tokens after ``m - n`` earlier ones.

    Raises ValueError for ``n`` below 1.
    Source: Vaswani et al. 2017, section 3.2.3.
    """
    if n < 1:
        raise ValueError(f"a causal mask needs at least one token, saw {n}")
    return torch.ones(n, n, dtype=torch.bool).tril()


def padding_mask(tokens: Int[Tensor, "b m"], pad: int) -> Bool[Tensor, "b 1 m"]:
    """Let every query attend to the real tokens and to no padding: True where ``tokens`` is not ``pad``.

    The middle axis stands for the queries, which are all treated alike: what is masked are keys.

    Raises ValueError when ``tokens`` has not two axes.
    """
    if tokens.ndim != 2:
        raise ValueError(
            f"tokens are (b, m), one row a sequence, saw {tuple(tokens.shape)}; try tokens[None] for a single one"
        )
    return (tokens != pad)[:, None, :]


def next_tokens_mask(start: int, tokens: Int[Tensor, "b n"]) -> Bool[Tensor, "n m"] | None:
    """Return the causal mask of ``n`` tokens after ``start`` cached ones; a single token may look at all: None."""
    n = tokens.shape[1]
    return None if n == 1 else causal_mask(start + n)[start:].to(tokens.device)


def check_mask(mask: Bool[Tensor, "..."], scores: tuple[int, ...]) -> None:
    """Refuse a mask that does not fit scores of this shape, whose last two axes are queries and keys.

    Raises ValueError for what is not boolean, for other sizes, and for a query that may attend to nothing: softmax would
    give it NaN, a very low score in place of -inf the same weight everywhere, and neither says that something is wrong.
    """
    if not isinstance(mask, Tensor) or mask.dtype != torch.bool:
        seen = mask.dtype if isinstance(mask, Tensor) else type(mask).__name__
        raise ValueError(f"a mask is a boolean tensor, True = may attend, saw {seen}; try mask.bool() if 1 means that it may")
    fits = mask.ndim in (2, len(scores))
    for size, expected in zip(reversed(mask.shape), reversed(scores), strict=False):  # axes correspond from the last one on
        fits = fits and size in (1, expected)
    if not fits:
        one_a_sample = "; for one mask a sample, try mask.unsqueeze(1)" if (mask.ndim, len(scores)) == (3, 4) else ""
        raise ValueError(
            f"a mask needs two axes (n, m), or one for each axis of the scores {tuple(scores)}, "
            f"saw {tuple(mask.shape)}{one_a_sample}"
        )
    has_key = mask.any(-1)
    if not has_key.all():
        row = (~has_key).nonzero()[0].tolist()
        raise ValueError(
            f"each query needs a key that it may attend to, and row {row} of the mask {tuple(mask.shape)} has none"
        )


def check_right_padding(tokens: Int[Tensor, "b n"], pad: int) -> None:
    """Refuse sequences that begin with padding, or have some between their tokens.

    Padding on the right is told from what comes after all tokens; elsewhere it would move the positions of others.
    Raises ValueError with the first such row.
    """
    real = tokens != pad
    wrong = ~real[:, 0] | (real[:, 1:] & ~real[:, :-1]).any(-1)
    if wrong.any():
        row = int(wrong.nonzero()[0])
        raise ValueError(
            f"sequences are padded on the right and not empty, saw row {row} = {tokens[row].tolist()}; try pad_right"
        )


def check_cached(tokens: Int[Tensor, "b n"], pad: int, start: int) -> int:
    """Return ``start``, the position of the first of ``tokens``, unless they hold padding, which the cache would keep.

    Raises ValueError for padding. (`decoding` reads texts of different lengths without any.)
    """
    if tokens.shape[1] > 1 and (tokens == pad).any():
        raise ValueError("with caches, all rows of new tokens need one length, saw padding; see greedy for other lengths")
    return start
