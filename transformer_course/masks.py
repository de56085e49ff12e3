"""Masks: boolean tensors that say which query may attend to which key. True means "may attend".

(`torch.nn.functional.scaled_dot_product_attention` uses the same convention, `torch.nn.MultiheadAttention` the opposite.)

Shapes: ``b`` batch, ``n`` queries, ``m`` keys.
"""

import torch
from jaxtyping import Bool, Int
from torch import Tensor


def causal_mask(n: int) -> Bool[Tensor, "n n"]:
    """Return the mask that lets token ``i`` attend to tokens 0 … ``i``, itself included, and to no later token.

    The last rows, ``causal_mask(m)[-n:]``, are the mask for ``n`` new tokens after ``m - n`` earlier ones.

    Raises ValueError if ``n`` is below 1.
    Source: Vaswani et al. 2017, section 3.2.3.
    """
    if n < 1:
        raise ValueError(f"a causal mask needs at least one token, got {n}")
    return torch.ones(n, n, dtype=torch.bool).tril()


def padding_mask(tokens: Int[Tensor, "b m"], pad: int) -> Bool[Tensor, "b 1 m"]:
    """Return the mask that hides padding from every query: True where ``tokens`` is not ``pad``.

    The middle axis is for the queries. It has length 1, because the same keys are masked for all of them.

    Raises ValueError unless ``tokens`` has two axes.
    """
    if tokens.ndim != 2:
        raise ValueError(
            f"tokens must have shape (b, m), one row per sequence, got {tuple(tokens.shape)}; "
            "for a single sequence, try tokens[None]"
        )
    return (tokens != pad)[:, None, :]


def next_tokens_mask(start: int, tokens: Int[Tensor, "b n"]) -> Bool[Tensor, "n m"] | None:
    """Return the causal mask for ``n`` tokens after ``start`` cached ones, or None for one token, which may see them all."""
    n = tokens.shape[1]
    return None if n == 1 else causal_mask(start + n)[start:].to(tokens.device)


def check_mask(mask: Bool[Tensor, "..."], scores: tuple[int, ...]) -> None:
    """Check that a mask fits scores of this shape, whose last two axes are queries and keys.

    Raises ValueError if the mask is not boolean, if its size does not fit, or if a query may attend to nothing. Softmax
    would turn such a query's weights into NaN, or make them all equal if masked scores were very low instead of -inf. In
    neither case would it raise an error.
    """
    if not isinstance(mask, Tensor) or mask.dtype != torch.bool:
        got = mask.dtype if isinstance(mask, Tensor) else type(mask).__name__
        raise ValueError(
            f"a mask must be a boolean tensor (True = may attend), got {got}; if 1 means 'may attend', try mask.bool()"
        )
    fits = mask.ndim in (2, len(scores))
    for size, expected in zip(reversed(mask.shape), reversed(scores), strict=False):  # from the last axis to the first
        fits = fits and size in (1, expected)
    if not fits:
        per_sample = "; for one mask per sample, try mask.unsqueeze(1)" if (mask.ndim, len(scores)) == (3, 4) else ""
        raise ValueError(
            f"a mask must have shape (n, m), or one axis for each axis of the scores {tuple(scores)}, "
            f"got {tuple(mask.shape)}{per_sample}"
        )
    has_key = mask.any(-1)
    if not has_key.all():
        row = (~has_key).nonzero()[0].tolist()
        raise ValueError(
            f"every query needs a key that it may attend to, but row {row} of the mask {tuple(mask.shape)} has none"
        )


def check_right_padding(tokens: Int[Tensor, "b n"], pad: int) -> None:
    """Check that no sequence begins with padding or has padding between its tokens.

    Padding after the last token affects no other token; anywhere else it would shift the positions of those after it.

    Raises ValueError, which quotes the first such row.
    """
    real = tokens != pad
    wrong = ~real[:, 0] | (real[:, 1:] & ~real[:, :-1]).any(-1)
    if wrong.any():
        row = int(wrong.nonzero()[0])
        raise ValueError(
            f"sequences must be padded on the right and not be empty, got row {row} = {tokens[row].tolist()}; try pad_right"
        )


def check_cached(tokens: Int[Tensor, "b n"], pad: int, start: int) -> int:
    """Return ``start``, the position of the first of ``tokens``, after checking that they contain no padding.

    The cache would store the padding. (`decoding` handles sequences of different lengths without any.)

    Raises ValueError if there is padding.
    """
    if tokens.shape[1] > 1 and (tokens == pad).any():
        raise ValueError(
            "with caches, all rows of new tokens must have the same length, got padding; for different lengths, see greedy"
        )
    return start
