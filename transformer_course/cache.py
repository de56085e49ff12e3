"""The key–value cache: during decoding, it keeps the keys and values of earlier tokens.

Shapes: ``b`` batch, ``h`` heads, ``n`` new tokens, ``m`` all tokens so far, ``d_k`` and ``d_v`` widths of keys and values.
"""

import torch
from jaxtyping import Float, Int
from torch import Tensor


class KeyValueCache:
    """The keys and values of all tokens so far, so that each decoding step computes only those of the newest token.

    Memory for ``max_length`` tokens is allocated when the first ones arrive, because concatenating at every step would
    copy the whole past each time. ``length`` is the number of tokens stored. For decoding only: the buffers are
    overwritten in place, so gradients cannot flow back through them.

    Source: Shazeer 2019, "Fast Transformer Decoding: One Write-Head is All You Need", section 2.4.
    """

    def __init__(self, max_length: int):
        self.max_length = max_length
        self.length = 0
        self._keys = self._values = torch.empty(0)

    def extend(
        self, key: Float[Tensor, "b h n d_k"], value: Float[Tensor, "b h n d_v"]
    ) -> tuple[Float[Tensor, "b h m d_k"], Float[Tensor, "b h m d_v"]]:
        """Append ``n`` tokens; return the keys and values of all ``m`` tokens.

        Raises ValueError if they do not fit into ``max_length``, or differ in batch size, number of heads or width.
        """
        start, end = self.length, self.length + key.shape[2]
        if end > self.max_length:
            raise ValueError(
                f"the cache has room for {self.max_length} tokens, got token {end}; create it with a larger max_length"
            )
        old, new = ([*t.shape[:2], t.shape[3]] for t in (self._keys if start else key, key))
        if old != new:
            raise ValueError(
                f"the cache holds keys with batch size, heads and width {old}, got {new}; use new caches for a new sequence"
            )
        if start == 0:
            self._keys, self._values = (t.new_empty(*t.shape[:2], self.max_length, t.shape[3]) for t in (key, value))
        self._keys.narrow(2, start, end - start).copy_(key)
        self._values.narrow(2, start, end - start).copy_(value)
        self.length = end
        return self.contents()

    def contents(self) -> tuple[Float[Tensor, "b h m d_k"], Float[Tensor, "b h m d_v"]]:
        """Return the keys and values of all stored tokens. Raises ValueError if there are none."""
        if not self.length:
            raise ValueError("the cache is empty; call extend first")
        return self._keys.narrow(2, 0, self.length), self._values.narrow(2, 0, self.length)

    def forget_after(self, length: int) -> None:
        """Keep the first ``length`` tokens only, as after a draft that was rejected. Raises ValueError if there are fewer."""
        if not 0 <= length <= self.length:
            raise ValueError(f"the cache holds {self.length} tokens, so it cannot keep the first {length}")
        self.length = length

    def select(self, rows: Int[Tensor, "b"]) -> None:
        """Keep these rows of the batch, in this order. (Beam search drops some hypotheses, and may continue one twice.)"""
        self._keys, self._values = self._keys[rows], self._values[rows]
