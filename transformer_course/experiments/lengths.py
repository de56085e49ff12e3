"""Lengths: models that were trained on texts of 6 to 20 tokens read texts of 80. Whose positions still work there?

Shapes: ``b`` batch, ``n`` tokens, ``d`` width.
"""

from collections.abc import Callable, Iterator
from typing import get_args

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.attention import MultiHeadAttention
from transformer_course.config import Positions
from transformer_course.embedding import TokenEmbedding
from transformer_course.inspection import attention_maps
from transformer_course.masks import causal_mask
from transformer_course.positions import LearnedPositions, SinusoidalPositions
from transformer_course.training import train

KINDS, SHORTEST, LONGEST, TABLE = 16, 6, 20, 80

# What each token but the first is asked for, (b, n - 1).
TASKS: dict[str, Callable[[Tensor], Tensor]] = {
    "previous": lambda tokens: tokens[:, :-1],
    "first": lambda tokens: tokens[:, :1].expand(-1, tokens.shape[1] - 1),
}


def short_texts(size: int, seed: int, rows: int = LONGEST) -> Iterator[tuple[Int[Tensor, "b n"], int]]:
    """Yield batches without end: texts of 6 to 20 random tokens, one length a batch, and the row of the first token.

    That is row 0; with more than 20 ``rows``, it is any from which the text still ends within them.
    """
    generator = torch.Generator().manual_seed(seed)
    while True:
        n = int(torch.randint(SHORTEST, LONGEST + 1, (), generator=generator))
        free = rows - n if rows > LONGEST else 0
        start = int(torch.randint(free + 1, (), generator=generator))
        yield torch.randint(KINDS, (size, n), generator=generator), start


class Copier(nn.Module):
    """One attention with one head and a causal mask, and a linear map that reads the answer off each token's vector.

    Attention adds what it brings to what was there (lesson 10). The learned table starts with the root mean square of the
    waves, so that neither has an advantage of size.

    Raises ValueError for positions of another name.
    """

    def __init__(self, positions: Positions, d_model: int = 32):
        super().__init__()
        if positions not in get_args(Positions):
            raise ValueError(f"positions is one of {', '.join(get_args(Positions))}, got {positions!r}")
        self.embedding = TokenEmbedding(KINDS, d_model)
        self.positions = {
            "learned": lambda: LearnedPositions(d_model, TABLE, std=0.5**0.5),
            "sinusoidal": lambda: SinusoidalPositions(d_model, TABLE),
        }.get(positions, lambda: None)()
        self.attention = MultiHeadAttention(d_model, num_heads=1, bias=False, rotary=positions == "rotary")
        self.output = nn.Linear(d_model, KINDS)

    def forward(self, tokens: Int[Tensor, "b n"], start: int = 0, reach: int = TABLE) -> Float[Tensor, "b n-1 kinds"]:
        """Return the logits of each token's answer; the first is asked for nothing.

        A token sees the last ``reach`` tokens, itself included.
        """
        x = self.embedding(tokens)
        if self.positions is not None:
            x = self.positions(x, start)
        x = x + self.attention(x, x, x, causal_mask(tokens.shape[1]).triu(1 - reach))
        return self.output(x)[:, 1:]


def train_copier(positions: Positions, task: str = "previous", rows: int = LONGEST, seed: int = 0, steps: int = 550) -> Copier:
    """Train a copier on batches of 32 `short_texts`, and return it. ``task`` is a key of `TASKS`.

    Without weight decay, which would shrink the rows of a learned table that no text uses.
    """
    torch.manual_seed(seed)
    copier = Copier(positions)

    def loss_of(copier: Copier, tokens: Tensor, start: int) -> Tensor:
        return F.cross_entropy(copier(tokens, start).flatten(0, 1), TASKS[task](tokens).flatten())

    train(copier, short_texts(32, seed, rows), loss_of, steps, lr=5e-3, warmup=20, weight_decay=0.0)
    return copier.eval()


def long_texts(seed: int = 0) -> Int[Tensor, "500 80"]:
    """Return 500 texts of 80 random tokens."""
    return torch.randint(KINDS, (500, TABLE), generator=torch.Generator().manual_seed(1000 + seed))


@torch.no_grad()
def accuracy(copier: Copier, task: str = "previous", seed: int = 0, reach: int = TABLE) -> Float[Tensor, "79"]:
    """Return the share of right answers at the positions 1 … 79 of `long_texts`, which begin at row 0."""
    tokens = long_texts(seed)
    return (copier(tokens, reach=reach).argmax(-1) == TASKS[task](tokens)).float().mean(0)


@torch.no_grad()
def weights_by_distance(copier: Copier, position: int, seed: int = 0) -> Float[Tensor, "distances"]:
    """Return the mean weight that the token at ``position`` gives to itself, to the one before, …, to the first."""
    with attention_maps(copier) as maps:
        copier(long_texts(seed))
    return maps["attention"][:, 0, position, : position + 1].mean(0).flip(0)
