"""Look-up: a query asks for the value that stands beside its name. Does it matter how large the scores are at the start?

Shapes: ``b`` batch, ``m`` pairs, ``d`` width.
"""

import math
from collections.abc import Iterator

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course._util.progress_bar import progress
from transformer_course.attention import scaled_dot_product_attention

NAMES, VALUES, PAIRS = 32, 16, 16


def lookup_texts(size: int, seed: int) -> Iterator[tuple[Int[Tensor, "b m"], Int[Tensor, "b m"], Int[Tensor, "b"]]]:
    """Yield batches without end: 16 different names, the value beside each, and the place of the pair that is asked for."""
    generator = torch.Generator().manual_seed(seed)
    while True:
        names = torch.rand(size, NAMES, generator=generator).argsort(1)[:, :PAIRS]
        values = torch.randint(VALUES, (size, PAIRS), generator=generator)
        yield names, values, torch.randint(PAIRS, (size,), generator=generator)


class Lookup(nn.Module):
    """One attention of one query against 16 pairs, each the mixture of a name's and a value's vector.

    ``scaled`` says whether scores are divided by √d_k. ``start`` multiplies the first W_Q and W_K, and so the first scores
    by its square; with ``start`` 1, the entries of queries and keys start with a variance of 1.
    """

    def __init__(self, d_k: int, scaled: bool = True, start: float = 1.0, d_model: int = 64):
        super().__init__()
        self.names, self.values = nn.Embedding(NAMES, d_model), nn.Embedding(VALUES, d_model)
        self.w_q = nn.Parameter(start * torch.randn(d_model, d_k) / math.sqrt(d_model))
        self.w_k = nn.Parameter(start * torch.randn(d_model, d_k) / math.sqrt(d_model))
        self.w_v = nn.Parameter(torch.randn(d_model, d_model) / math.sqrt(d_model))
        self.output = nn.Linear(d_model, VALUES)
        self.scale = 1 / math.sqrt(d_k) if scaled else 1.0

    def attend(self, names: Int[Tensor, "b m"], values: Int[Tensor, "b m"], place: Int[Tensor, "b"]) -> tuple[Tensor, Tensor]:
        """Return the output (b, d) and the weights (b, m) of the query for the name at ``place``."""
        pairs = (self.names(names) + self.values(values)) / math.sqrt(2)
        query = self.names(names.gather(1, place[:, None]))
        output, weights = scaled_dot_product_attention(query @ self.w_q, pairs @ self.w_k, pairs @ self.w_v, scale=self.scale)
        return output[:, 0], weights[:, 0]

    def forward(
        self, names: Int[Tensor, "b m"], values: Int[Tensor, "b m"], place: Int[Tensor, "b"]
    ) -> Float[Tensor, "b values"]:
        """Return the logits of the value that is asked for."""
        return self.output(self.attend(names, values, place)[0])


def lookup_losses(d_k: int, scaled: bool = True, start: float = 1.0, seed: int = 0, steps: int = 500) -> list[float]:
    """Train a `Lookup` with Adam on batches of 64, and return the loss of each step; guessing gives ln 16 = 2.77.

    The learning rate is constant, so that a run of more steps begins exactly as a shorter one does: where the rate falls
    to 0 at the end (as in `train`), "not yet" and "never" cannot be told apart.
    """
    torch.manual_seed(seed)
    model = Lookup(d_k, scaled, start)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    losses = []
    for _, (names, values, place) in zip(progress(range(steps), "training"), lookup_texts(64, seed), strict=False):
        loss = F.cross_entropy(model(names, values, place), values.gather(1, place[:, None])[:, 0])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
