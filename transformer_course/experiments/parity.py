"""Parity: is the number of ones in a row of bits odd? How far attention alone gets, and what a nonlinearity adds.

Shapes: ``b`` rows of bits, ``n`` bits, ``d`` width.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import repeat

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.attention import MultiHeadAttention
from transformer_course.layers import FeedForward
from transformer_course.positions import LearnedPositions
from transformer_course.training import train

BITS = 6
QUERY = 2  # the token after the bits, at whose position the model answers


def all_rows(bits: int = BITS) -> tuple[Int[Tensor, "b n+1"], Int[Tensor, "b"]]:
    """Return all rows of this many bits (two or more), each followed by the query token, and the number of ones in each."""
    rows = torch.cartesian_prod(*[torch.arange(2)] * bits)
    return F.pad(rows, (0, 1), value=QUERY), rows.sum(1)


class ParityReader(nn.Module):
    """Attention, ``layers`` times, an optional feed-forward network, and a linear map from the last token to the answer.

    Each part has a residual connection (lesson 10). There is no LayerNorm (lesson 11), because it is nonlinear too.
    ``nonlinear=False`` removes max(0, x) from the feed-forward network, but keeps its parameters.
    """

    def __init__(
        self,
        num_heads: int,
        layers: int = 1,
        feed_forward: bool = False,
        nonlinear: bool = True,
        bits: int = BITS,
        d_model: int = 32,
    ):
        super().__init__()
        self.table = nn.Embedding(3, d_model)
        nn.init.normal_(self.table.weight, std=d_model**-0.5)
        self.positions = LearnedPositions(d_model, bits + 1, std=d_model**-0.5)
        self.attentions = nn.ModuleList(MultiHeadAttention(d_model, num_heads) for _ in range(layers))
        self.feed_forward = FeedForward(d_model, 4 * d_model) if feed_forward else None
        if feed_forward and not nonlinear:
            self.feed_forward.activation = nn.Identity()
        self.output = nn.Linear(d_model, 1)

    def forward(self, rows: Int[Tensor, "b n+1"]) -> Float[Tensor, "b"]:
        """Return the logit of "odd" for each row."""
        x = self.positions(self.table(rows))
        for attention in self.attentions:
            x = x + attention(x, x, x)
        if self.feed_forward is not None:
            x = x + self.feed_forward(x)
        return self.output(x[:, -1])[:, 0]


@dataclass(frozen=True)
class Parity:
    """The losses of a training run, and what the trained model predicts."""

    losses: list[float]  # of each step; guessing gives ln 2 = 0.69
    accuracy: float  # over all rows
    p_odd: Float[Tensor, "n+1"]  # the mean probability of "odd", by the number of ones
    parameters: int


def train_parity(num_heads: int, bits: int = BITS, seed: int = 0, steps: int = 300, **options) -> Parity:
    """Train a reader on all rows at once, and return its losses and predictions. ``options`` are those of `ParityReader`.

    There are no other rows, so none can be held out: the question is what a model can express and learn, not whether it
    generalises.
    """
    torch.manual_seed(seed)
    reader, (rows, ones) = ParityReader(num_heads, bits=bits, **options), all_rows(bits)
    odd = ones % 2

    def loss_of(reader: ParityReader, rows: Tensor) -> Tensor:
        return F.binary_cross_entropy_with_logits(reader(rows), odd.float())

    all_at_once: Iterator[tuple[Tensor]] = repeat((rows,))
    losses = train(reader, all_at_once, loss_of, steps, lr=3e-3, warmup=20, weight_decay=0.0)
    with torch.no_grad():
        p = reader(rows).sigmoid()
    p_odd = torch.stack([p[ones == count].mean() for count in range(bits + 1)])
    parameters = sum(p.numel() for p in reader.parameters())
    return Parity(losses, ((p > 0.5) == odd.bool()).float().mean().item(), p_odd, parameters)
