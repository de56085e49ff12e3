"""Look-up: a query retrieves the value paired with its name. Does the size of the scores at initialisation matter?

Shapes: ``b`` batch, ``m`` pairs, ``d`` width.
"""

import math
from collections.abc import Iterator, Sequence

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course._util.progress_bar import progress
from transformer_course.attention import scaled_dot_product_attention

NAMES, VALUES, PAIRS = 32, 16, 16


def lookup_batches(size: int, seed: int) -> Iterator[tuple[Int[Tensor, "b m"], Int[Tensor, "b m"], Int[Tensor, "b"]]]:
    """Yield endless batches: 16 different names per row, the value paired with each, and the index of the queried pair."""
    generator = torch.Generator().manual_seed(seed)
    while True:
        names = torch.rand(size, NAMES, generator=generator).argsort(1)[:, :PAIRS]
        values = torch.randint(VALUES, (size, PAIRS), generator=generator)
        yield names, values, torch.randint(PAIRS, (size,), generator=generator)


class Lookup(nn.Module):
    """Attention of one query over 16 pairs; the vector of a pair is the sum of its name's and its value's vector, over √2.

    ``scaled`` says whether scores are divided by √d_k. ``init_scale`` multiplies W_Q and W_K at initialisation, and so the
    scores by its square. With ``init_scale`` 1, the entries of queries and keys are initialised with a variance of 1.
    """

    def __init__(self, d_k: int, scaled: bool = True, init_scale: float = 1.0, d_model: int = 64):
        super().__init__()
        self.names, self.values = nn.Embedding(NAMES, d_model), nn.Embedding(VALUES, d_model)
        self.w_q = nn.Parameter(init_scale * torch.randn(d_model, d_k) / math.sqrt(d_model))
        self.w_k = nn.Parameter(init_scale * torch.randn(d_model, d_k) / math.sqrt(d_model))
        self.w_v = nn.Parameter(torch.randn(d_model, d_model) / math.sqrt(d_model))
        self.output = nn.Linear(d_model, VALUES)
        self.scale = 1 / math.sqrt(d_k) if scaled else 1.0

    def attend(self, names: Int[Tensor, "b m"], values: Int[Tensor, "b m"], index: Int[Tensor, "b"]) -> tuple[Tensor, Tensor]:
        """Return the output (b, d) and the weights (b, m) for the name at ``index``."""
        pairs = (self.names(names) + self.values(values)) / math.sqrt(2)
        query = self.names(names.gather(1, index[:, None]))
        output, weights = scaled_dot_product_attention(query @ self.w_q, pairs @ self.w_k, pairs @ self.w_v, scale=self.scale)
        return output[:, 0], weights[:, 0]

    def forward(
        self, names: Int[Tensor, "b m"], values: Int[Tensor, "b m"], index: Int[Tensor, "b"]
    ) -> Float[Tensor, "b values"]:
        """Return the logits of the queried value."""
        return self.output(self.attend(names, values, index)[0])


def lookup_losses(d_k: int, scaled: bool = True, init_scale: float = 1.0, seed: int = 0, steps: int = 500) -> list[float]:
    """Train a `Lookup` with Adam on batches of 64, and return the loss of each step. Guessing gives a loss of ln 16 = 2.77.

    The learning rate is constant, so a longer run begins exactly like a shorter one. If it fell to 0 at the end, as in
    `train`, we could not tell "not yet" from "never".
    """
    torch.manual_seed(seed)
    model = Lookup(d_k, scaled, init_scale)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    losses = []
    for _, (names, values, index) in zip(progress(range(steps), "training"), lookup_batches(64, seed), strict=False):
        loss = F.cross_entropy(model(names, values, index), values.gather(1, index[:, None])[:, 0])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def step_below(level: float, losses: Sequence[float]) -> float:
    """Return the first step at which the mean loss of the last ten is below ``level``; infinity if there is none."""
    means = np.convolve(losses, np.ones(10) / 10, "valid")
    return int(np.argmax(means < level)) + 10 if means.min() < level else math.inf
