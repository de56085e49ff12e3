"""What decoding keeps of the tokens behind it.

Shapes: ``b`` batch, ``h`` heads, ``n`` new tokens, ``m`` all tokens so far, ``d_k`` and ``d_v`` widths of keys and values.
"""

import torch
from jaxtyping import Float, Int
from torch import Tensor


class KeyValueCache:
    """The keys and values of all tokens so far, so that decoding computes those of the newest token alone.

    Room for ``max_length`` tokens is taken at once, when the first come: joining two tensors at each step would copy
    the whole past each time. ``length`` says how many tokens it holds. It is for decoding alone: what it holds is
    overwritten in place, so no gradient can go back through it.

    Source: Shazeer 2019, "Fast Transformer Decoding: One Write-Head is All You Need", section 2.4.
    """

    def __init__(self, max_length: int):
        self.max_length = max_length
        self.length = 0
        self._keys = self._values = torch.empty(0)

    def extend(
        self, key: Float[Tensor, "b h n d_k"], value: Float[Tensor, "b h n d_v"]
    ) -> tuple[Float[Tensor, "b h m d_k"], Float[Tensor, "b h m d_v"]]:
        """Put ``n`` more tokens behind the others; return the keys and values of all ``m`` of them.

        Raises ValueError when they do not fit into ``max_length``, or are of another batch, number of heads or width.
        """
        start, end = self.length, self.length + key.shape[2]
        if end > self.max_length:
            raise ValueError(
                f"the cache has room for {self.max_length} tokens, saw token {end}; make it with a larger max_length"
            )
        old, new = ([*t.shape[:2], t.shape[3]] for t in (self._keys if start else key, key))
        if old != new:
            raise ValueError(
                f"the cache holds keys of batch, heads and width {old}, saw {new}; take new caches for a new text"
            )
        if start == 0:
            self._keys, self._values = (t.new_empty(*t.shape[:2], self.max_length, t.shape[3]) for t in (key, value))
        self._keys.narrow(2, start, end - start).copy_(key)
        self._values.narrow(2, start, end - start).copy_(value)
        self.length = end
        return self.contents()

    def contents(self) -> tuple[Float[Tensor, "b h m d_k"], Float[Tensor, "b h m d_v"]]:
        """Return the keys and values of all tokens that it holds; raises ValueError while there are none."""
        if not self.length:
            raise ValueError("the cache is empty; extend it first")
        return self._keys.narrow(2, 0, self.length), self._values.narrow(2, 0, self.length)

    def select(self, rows: Int[Tensor, "b"]) -> None:
        """Keep these rows of the batch, in this order: beam search goes on with some of its hypotheses, some twice."""
        self._keys, self._values = self._keys[rows], self._values[rows]
