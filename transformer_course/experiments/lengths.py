"""Length generalisation: models trained on sequences of 6 to 20 tokens read 80. Which positional encodings still work?

Shapes: ``b`` batch, ``n`` tokens, ``d`` width.
"""

from collections.abc import Callable, Iterator

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.attention import MultiHeadAttention
from transformer_course.embedding import TokenEmbedding
from transformer_course.inspection import attention_maps
from transformer_course.masks import causal_mask
from transformer_course.positions import scheme
from transformer_course.training import train

VOCABULARY = 16
SHORTEST, LONGEST = 6, 20  # lengths of the training sequences
TABLE = 80  # rows of a position table, and the length of the test sequences

# The label of each token except the first, (b, n - 1).
TASKS: dict[str, Callable[[Tensor], Tensor]] = {
    "previous": lambda tokens: tokens[:, :-1],
    "first": lambda tokens: tokens[:, :1].expand(-1, tokens.shape[1] - 1),
}


def short_sequences(size: int, seed: int, rows: int = LONGEST) -> Iterator[tuple[Int[Tensor, "b n"], int]]:
    """Yield endless batches of sequences of 6 to 20 random tokens, one length per batch, with the position of the first token.

    That position is 0. With more than 20 ``rows``, it is drawn so that the whole sequence fits into positions 0 to rows - 1.
    """
    generator = torch.Generator().manual_seed(seed)
    while True:
        n = int(torch.randint(SHORTEST, LONGEST + 1, (), generator=generator))
        free = rows - n if rows > LONGEST else 0
        start = int(torch.randint(free + 1, (), generator=generator))
        yield torch.randint(VOCABULARY, (size, n), generator=generator), start


class Copier(nn.Module):
    """Causal attention with one head and a residual connection (lesson 10), and a linear map from each vector to its answer.

    The learned table is initialised with the root mean square of the sinusoids, so that neither has an advantage of scale.

    Raises ValueError for an unknown kind of positions.
    """

    def __init__(self, positions: str, d_model: int = 32):
        super().__init__()
        self.embedding = TokenEmbedding(VOCABULARY, d_model)
        self.positions = scheme(positions).embedding(d_model, TABLE, std=0.5**0.5)
        self.attention = MultiHeadAttention(d_model, num_heads=1, bias=False, positions=positions)
        self.output = nn.Linear(d_model, VOCABULARY)

    def forward(self, tokens: Int[Tensor, "b n"], start: int = 0, window: int = TABLE) -> Float[Tensor, "b n-1 vocabulary"]:
        """Return the logits of each token's answer; the first token has none.

        Each token attends to the last ``window`` tokens, itself included.
        """
        x = self.embedding(tokens)
        if self.positions is not None:
            x = self.positions(x, start)
        x = x + self.attention(x, x, x, causal_mask(tokens.shape[1]).triu(1 - window))
        return self.output(x)[:, 1:]


def train_copier(positions: str, task: str = "previous", rows: int = LONGEST, seed: int = 0, steps: int = 550) -> Copier:
    """Train a copier on batches of 32 `short_sequences`, and return it. ``task`` is a key of `TASKS`.

    There is no weight decay: it would shrink the rows of a learned table that no training sequence uses.
    """
    torch.manual_seed(seed)
    copier = Copier(positions)

    def loss_of(copier: Copier, tokens: Tensor, start: int) -> Tensor:
        return F.cross_entropy(copier(tokens, start).flatten(0, 1), TASKS[task](tokens).flatten())

    train(copier, short_sequences(32, seed, rows), loss_of, steps, lr=5e-3, warmup=20, weight_decay=0.0)
    return copier.eval()


def long_sequences(seed: int = 0) -> Int[Tensor, "500 80"]:
    """Return 500 sequences of 80 random tokens."""
    return torch.randint(VOCABULARY, (500, TABLE), generator=torch.Generator().manual_seed(1000 + seed))


@torch.no_grad()
def accuracy(copier: Copier, task: str = "previous", seed: int = 0, window: int = TABLE) -> Float[Tensor, "79"]:
    """Return the accuracy at each of the positions 1 … 79 of `long_sequences`, which begin at position 0."""
    tokens = long_sequences(seed)
    return (copier(tokens, window=window).argmax(-1) == TASKS[task](tokens)).float().mean(0)


@torch.no_grad()
def weights_by_distance(copier: Copier, position: int, seed: int = 0) -> Float[Tensor, "distances"]:
    """Return the mean attention weight from the token at ``position`` to itself, to the token before it, …, to the first."""
    with attention_maps(copier) as maps:
        copier(long_sequences(seed))
    return maps["attention"][:, 0, position, : position + 1].mean(0).flip(0)
