"""Neighbours: each token reports which one stands left of it and which one right. How many heads does that take?

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

TOKENS, KINDS = 12, 16


def neighbour_texts(size: int, seed: int) -> Iterator[tuple[Int[Tensor, "b n"]]]:
    """Yield batches without end: texts of 12 random tokens, of 16 kinds."""
    generator = torch.Generator().manual_seed(seed)
    while True:
        yield (torch.randint(KINDS, (size, TOKENS), generator=generator),)


def neighbours_of(tokens: Int[Tensor, "b n"]) -> Int[Tensor, "b n-2 2"]:
    """Return the left and the right neighbour of each inner token; the first and the last lack one."""
    return torch.stack([tokens[:, :-2], tokens[:, 2:]], dim=-1)


class Reporter(nn.Module):
    """Attention alone, ``layers`` times, and one linear map that reads both neighbours off each token's vector.

    Each attention adds what it brings to what was there (lesson 10). ``feed_forward`` puts a feed-forward network
    (lesson 09) before the linear map. With d_model fixed, the heads share the width: more heads are narrower, and cost
    no further parameter.
    """

    def __init__(self, num_heads: int, layers: int = 1, feed_forward: bool = False, d_model: int = 32):
        super().__init__()
        self.table = nn.Embedding(KINDS, d_model)
        self.positions = LearnedPositions(d_model, TOKENS, std=d_model**-0.5)
        nn.init.normal_(self.table.weight, std=d_model**-0.5)
        self.layers = nn.ModuleList(MultiHeadAttention(d_model, num_heads, bias=False) for _ in range(layers))
        self.feed_forward = FeedForward(d_model, 2 * d_model) if feed_forward else nn.Identity()
        self.output = nn.Linear(d_model, 2 * KINDS)

    def forward(self, tokens: Int[Tensor, "b n"]) -> Float[Tensor, "b n-2 2 kinds"]:
        """Return the logits of the left and of the right neighbour of each inner token."""
        x = self.positions(self.table(tokens))
        for attention in self.layers:
            x = x + attention(x, x, x)
        return self.output(self.feed_forward(x)).unflatten(-1, (2, KINDS))[:, 1:-1]


@dataclass(frozen=True)
class Report:
    """What a reporter can do on 500 new texts."""

    left: float  # the share of inner tokens whose left neighbour it names
    right: float  # the same for the right neighbour
    pair: float  # the share of which its two best guesses, of both answers together, are the two neighbours (if these differ)
    maps: Float[Tensor, "h n n"]  # the first layer's weights, head by head, averaged over the texts
    parameters: int


def train_reporter(num_heads: int, layers: int = 1, feed_forward: bool = False, seed: int = 0, steps: int = 600) -> Report:
    """Train a reporter on batches of 64 texts, and return what it can do."""
    torch.manual_seed(seed)
    reporter = Reporter(num_heads, layers, feed_forward)

    def loss_of(reporter: Reporter, tokens: Tensor) -> Tensor:
        return F.cross_entropy(reporter(tokens).flatten(0, 2), neighbours_of(tokens).flatten())

    train(reporter, neighbour_texts(64, seed), loss_of, steps, lr=5e-3, warmup=20, weight_decay=0.0)
    return examine(reporter, seed + 1000)


@torch.no_grad()
def examine(reporter: Reporter, seed: int) -> Report:
    """Return what a reporter can do on 500 texts drawn from the seed."""
    (tokens,) = next(neighbour_texts(500, seed))
    with attention_maps(reporter) as maps:
        logits = reporter(tokens)
    truth = neighbours_of(tokens)
    left, right = (logits.argmax(-1) == truth).flatten(0, 1).float().mean(0).tolist()
    likeliest = logits.softmax(-1).sum(2).topk(2).indices
    pair = (likeliest.sort().values == truth.sort().values).all(-1)
    differ = truth[..., 0] != truth[..., 1]
    parameters = sum(p.numel() for p in reporter.parameters())
    return Report(left, right, pair[differ].float().mean().item(), maps["layers.0"].mean(0), parameters)
