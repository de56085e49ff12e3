"""Stacks of attention and feed-forward networks, with and without the residual: what arrives at the other end?

There is no LayerNorm in here (lesson 11). Shapes: ``b`` batch, ``n`` tokens, ``d`` width, ``s`` sublayers.
"""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.attention import MultiHeadAttention
from transformer_course.experiments.neighbours import KINDS, TOKENS, neighbour_texts
from transformer_course.layers import FeedForward
from transformer_course.training import train

WIDTH, HEADS = 32, 4
KINDS_OF_SUBLAYERS = ("attention", "feed-forward")


class Stack(nn.Module):
    """``layers`` times attention and, unless ``feed_forward`` is False, a feed-forward network: the sublayers.

    Of the kinds named in ``residual``, what a sublayer makes is added to what it read; of the others, it takes its place.
    ``rescaled`` brings every vector, after every sublayer, back to a mean square of 1. With ``alone``, each token attends to
    itself and to no other, so that attention mixes nothing. Weights start as torch starts them, with a standard
    deviation of 1/√(3 · inputs); or with ``xavier`` larger, √(2 / (inputs + outputs)), and the biases at 0.

    Raises ValueError for a kind of another name.

    Source: Glorot and Bengio 2010, "Understanding the difficulty of training deep feedforward neural networks", equation 16.
    """

    def __init__(
        self,
        layers: int,
        residual: Sequence[str] = KINDS_OF_SUBLAYERS,
        feed_forward: bool = True,
        xavier: bool = False,
        rescaled: bool = False,
        alone: bool = False,
    ):
        super().__init__()
        if unknown := set(residual) - set(KINDS_OF_SUBLAYERS):
            raise ValueError(f"residual names kinds of sublayers, {' and '.join(KINDS_OF_SUBLAYERS)}; got {unknown}")
        self.residual, self.rescaled, self.alone = residual, rescaled, alone
        self.sublayers = nn.ModuleList()
        for _ in range(layers):
            self.sublayers.append(MultiHeadAttention(WIDTH, HEADS))
            if feed_forward:
                self.sublayers.append(FeedForward(WIDTH, 4 * WIDTH))
        if xavier:
            for module in self.modules():
                if isinstance(module, nn.Linear):
                    nn.init.xavier_uniform_(module.weight)
                    nn.init.zeros_(module.bias)

    def streams(self, x: Float[Tensor, "b n d"], silent: int | None = None) -> list[Float[Tensor, "b n d"]]:
        """Return what each sublayer reads, and last what comes out: s + 1 tensors. Sublayer ``silent`` gives zeros."""
        streams, mask = [x], torch.eye(x.shape[1], dtype=torch.bool) if self.alone else None
        for place, sublayer in enumerate(self.sublayers):
            kind = "attention" if isinstance(sublayer, MultiHeadAttention) else "feed-forward"
            made = sublayer(x, x, x, mask) if kind == "attention" else sublayer(x)
            if place == silent:
                made = torch.zeros_like(made)
            x = x + made if kind in self.residual else made
            if self.rescaled:
                x = x * x.square().mean(-1, keepdim=True).clamp_min(1e-12).rsqrt()
            streams.append(x)
        return streams

    def forward(self, x: Float[Tensor, "b n d"]) -> Float[Tensor, "b n d"]:
        """Return what comes out of the last sublayer."""
        return self.streams(x)[-1]


def new_stack(layers: int, seed: int = 0, **arm) -> tuple[Stack, Float[Tensor, "b n d"]]:
    """Return a stack in float64, and 8 texts of 12 random vectors; both hang on the seed alone. ``arm`` is `Stack`'s."""
    torch.manual_seed(seed)
    x = torch.randn(8, TOKENS, WIDTH, dtype=torch.float64)
    return Stack(layers, **arm).double(), x


def gradient_at_the_bottom(layers: int, seed: int = 0, **arm) -> float:
    """Return what becomes of a gradient on its way down: its length at the bottom, divided by that at the top.

    At the top it is a random vector for each output. The stack is untrained.
    """
    stack, x = new_stack(layers, seed, **arm)
    x.requires_grad_()
    outputs = stack(x)
    push = torch.randn_like(outputs)
    outputs.backward(push)
    return (x.grad.norm() / push.norm()).item()


def own_share(x: Float[Tensor, "b n d"]) -> float:
    """Return how much of the vectors is not the same in all tokens of their text, as a share of their length: 0 where all
    are the same, 1 where they have nothing in common."""
    return ((x - x.mean(1, keepdim=True)).norm() / x.norm()).item()


@torch.no_grad()
def own_shares(layers: int, seed: int = 0, **arm) -> list[float]:
    """Return `own_share` at the bottom and after each layer of an untrained stack."""
    stack, x = new_stack(layers, seed, **arm)
    streams = stack.streams(x)
    return [own_share(stream) for stream in streams[:: (len(streams) - 1) // layers]]


@torch.no_grad()
def changes(stack: Stack, x: Float[Tensor, "b n d"]) -> Float[Tensor, "s s+1"]:
    """Silence one sublayer after another. Row: which one; column: what each sublayer then reads, and last the output, by
    how far it moved, as a share of its length."""
    before = stack.streams(x)
    rows = [stack.streams(x, silent) for silent in range(len(stack.sublayers))]
    return torch.stack([torch.stack([(a - b).norm() / b.norm() for a, b in zip(row, before, strict=True)]) for row in rows])


class Echo(nn.Module):
    """A table of vectors, a stack, and one linear map that reads each token's kind off what comes out of its place."""

    def __init__(self, layers: int, **arm):
        super().__init__()
        self.table = nn.Embedding(KINDS, WIDTH)
        self.stack, self.output = Stack(layers, **arm), nn.Linear(WIDTH, KINDS)

    def forward(self, tokens: Tensor) -> Float[Tensor, "b n kinds"]:
        """Return the logits of each token's own kind."""
        return self.output(self.stack(self.table(tokens)))


def echo_accuracy(layers: int, seed: int = 0, steps: int = 60, **arm) -> float:
    """Train a model to say of each token which kind it is; return the share that it gets right in 500 new texts."""
    torch.manual_seed(seed)
    echo = Echo(layers, **arm)

    def loss_of(echo: Echo, tokens: Tensor) -> Tensor:
        return F.cross_entropy(echo(tokens).flatten(0, 1), tokens.flatten())

    train(echo, neighbour_texts(16, seed), loss_of, steps, lr=3e-3, warmup=10, weight_decay=0.0)
    (tokens,) = next(neighbour_texts(500, seed + 1000))
    with torch.no_grad():
        return (echo(tokens).argmax(-1) == tokens).float().mean().item()
