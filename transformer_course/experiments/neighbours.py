"""Neighbours: each token reports which tokens are to its left and right. How many heads does that take?

Shapes: ``b`` batch, ``h`` heads, ``n`` tokens, ``d`` width.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.attention import MultiHeadAttention
from transformer_course.inspection import attention_maps
from transformer_course.layers import FeedForward
from transformer_course.positions import LearnedPositions
from transformer_course.training import train

TOKENS, VOCABULARY = 12, 16


def neighbour_sequences(size: int, seed: int) -> Iterator[tuple[Int[Tensor, "b n"]]]:
    """Yield endless batches of sequences of 12 random tokens, from a vocabulary of 16."""
    generator = torch.Generator().manual_seed(seed)
    while True:
        yield (torch.randint(VOCABULARY, (size, TOKENS), generator=generator),)


def neighbours_of(tokens: Int[Tensor, "b n"]) -> Int[Tensor, "b n-2 2"]:
    """Return the left and the right neighbour of each inner token. The first and the last token have only one."""
    return torch.stack([tokens[:, :-2], tokens[:, 2:]], dim=-1)


class Reporter(nn.Module):
    """Attention alone, ``layers`` times, and one linear map from each token's vector to its two neighbours.

    Each attention has a residual connection (lesson 10). ``feed_forward`` puts a feed-forward network (lesson 09) before
    the linear map. The heads divide d_model between them: more heads are narrower, and add no parameters.
    """

    def __init__(self, num_heads: int, layers: int = 1, feed_forward: bool = False, d_model: int = 32):
        super().__init__()
        self.table = nn.Embedding(VOCABULARY, d_model)
        self.positions = LearnedPositions(d_model, TOKENS, std=d_model**-0.5)
        nn.init.normal_(self.table.weight, std=d_model**-0.5)
        self.layers = nn.ModuleList(MultiHeadAttention(d_model, num_heads, bias=False) for _ in range(layers))
        self.feed_forward = FeedForward(d_model, 2 * d_model) if feed_forward else nn.Identity()
        self.output = nn.Linear(d_model, 2 * VOCABULARY)

    def forward(self, tokens: Int[Tensor, "b n"]) -> Float[Tensor, "b n-2 2 vocabulary"]:
        """Return the logits of the left and of the right neighbour of each inner token."""
        x = self.positions(self.table(tokens))
        for attention in self.layers:
            x = x + attention(x, x, x)
        return self.output(self.feed_forward(x)).unflatten(-1, (2, VOCABULARY))[:, 1:-1]


@dataclass(frozen=True)
class Report:
    """The accuracy of a reporter on the inner tokens of 500 new sequences."""

    left: float  # for the left neighbour
    right: float  # for the right neighbour
    pair: float  # how often its two best guesses over both answers are the two neighbours, where these differ
    maps: Float[Tensor, "h n n"]  # the attention weights of each head of the first layer, averaged over the sequences
    parameters: int


def train_reporter(num_heads: int, layers: int = 1, feed_forward: bool = False, seed: int = 0, steps: int = 600) -> Report:
    """Train a reporter on batches of 64 sequences, and return its accuracy on new ones."""
    torch.manual_seed(seed)
    reporter = Reporter(num_heads, layers, feed_forward)

    def loss_of(reporter: Reporter, tokens: Tensor) -> Tensor:
        return F.cross_entropy(reporter(tokens).flatten(0, 2), neighbours_of(tokens).flatten())

    train(reporter, neighbour_sequences(64, seed), loss_of, steps, lr=5e-3, warmup=20, weight_decay=0.0)
    return evaluate(reporter, seed + 1000)


@torch.no_grad()
def evaluate(reporter: Reporter, seed: int) -> Report:
    """Measure a reporter on 500 sequences drawn from the seed."""
    (tokens,) = next(neighbour_sequences(500, seed))
    with attention_maps(reporter) as maps:
        logits = reporter(tokens)
    truth = neighbours_of(tokens)
    left, right = (logits.argmax(-1) == truth).flatten(0, 1).float().mean(0).tolist()
    best_two = logits.softmax(-1).sum(2).topk(2).indices
    pair = (best_two.sort().values == truth.sort().values).all(-1)
    differ = truth[..., 0] != truth[..., 1]
    parameters = sum(p.numel() for p in reporter.parameters())
    return Report(left, right, pair[differ].float().mean().item(), maps["layers.0"].mean(0), parameters)
