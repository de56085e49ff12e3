"""Stacks of attention and feed-forward networks, with and without residual connections: what reaches the other end?

There is no LayerNorm (lesson 11). Shapes: ``b`` batch, ``n`` tokens, ``d`` width, ``s`` sublayers.
"""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.attention import MultiHeadAttention
from transformer_course.experiments.neighbours import TOKENS, VOCABULARY, neighbour_sequences
from transformer_course.layers import FeedForward
from transformer_course.training import train

WIDTH, HEADS = 32, 4
SUBLAYERS = ("attention", "feed-forward")


class Stack(nn.Module):
    """A stack of ``layers`` layers, each with attention and, unless ``feed_forward`` is False, a feed-forward network.

    ``residual`` names the kinds of sublayers that have a residual connection; the output of the others replaces their input.
    ``rescaled`` scales every vector, after every sublayer, to a mean square of 1. With ``self_only``, each token attends only
    to itself, so that attention mixes nothing. Weights have torch's initialisation, whose standard deviation is
    1/√(3 · inputs). With ``xavier`` it is larger, √(2 / (inputs + outputs)), and biases are 0.

    Raises ValueError for an unknown kind of sublayer.

    Source: Glorot and Bengio 2010, "Understanding the difficulty of training deep feedforward neural networks", equation 16.
    """

    def __init__(
        self,
        layers: int,
        residual: Sequence[str] = SUBLAYERS,
        feed_forward: bool = True,
        xavier: bool = False,
        rescaled: bool = False,
        self_only: bool = False,
    ):
        super().__init__()
        if unknown := set(residual) - set(SUBLAYERS):
            raise ValueError(f"residual may name the sublayers {' and '.join(SUBLAYERS)}, got {unknown}")
        self.residual, self.rescaled, self.self_only = residual, rescaled, self_only
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

    def streams(self, x: Float[Tensor, "b n d"], silenced: int | None = None) -> list[Float[Tensor, "b n d"]]:
        """Return the input of each sublayer, then the output: s + 1 tensors. Sublayer ``silenced`` outputs zeros."""
        streams, mask = [x], torch.eye(x.shape[1], dtype=torch.bool) if self.self_only else None
        for number, sublayer in enumerate(self.sublayers):
            kind = "attention" if isinstance(sublayer, MultiHeadAttention) else "feed-forward"
            output = sublayer(x, x, x, mask) if kind == "attention" else sublayer(x)
            if number == silenced:
                output = torch.zeros_like(output)
            x = x + output if kind in self.residual else output
            if self.rescaled:
                x = x * x.square().mean(-1, keepdim=True).clamp_min(1e-12).rsqrt()
            streams.append(x)
        return streams

    def forward(self, x: Float[Tensor, "b n d"]) -> Float[Tensor, "b n d"]:
        """Return the output of the last sublayer."""
        return self.streams(x)[-1]


def new_stack(layers: int, seed: int = 0, **options) -> tuple[Stack, Float[Tensor, "b n d"]]:
    """Return a stack in float64, and 8 sequences of 12 vectors, all drawn from the seed. ``options`` are those of `Stack`."""
    torch.manual_seed(seed)
    x = torch.randn(8, TOKENS, WIDTH, dtype=torch.float64)
    return Stack(layers, **options).double(), x


def gradient_at_input(layers: int, seed: int = 0, **options) -> float:
    """Return the length of a gradient at the input of an untrained stack, relative to its length at the output.

    The gradient at the output is random.
    """
    stack, x = new_stack(layers, seed, **options)
    x.requires_grad_()
    outputs = stack(x)
    gradient = torch.randn_like(outputs)
    outputs.backward(gradient)
    return (x.grad.norm() / gradient.norm()).item()


def token_specific_fraction(x: Float[Tensor, "b n d"]) -> float:
    """Return the part of the vectors that differs between the tokens of a sequence, relative to their length.

    It is 0 if all tokens have the same vector, and 1 if their mean is zero.
    """
    return ((x - x.mean(1, keepdim=True)).norm() / x.norm()).item()


@torch.no_grad()
def token_specific_fractions(layers: int, seed: int = 0, **options) -> list[float]:
    """Return the `token_specific_fraction` at the input of an untrained stack and after each of its layers."""
    stack, x = new_stack(layers, seed, **options)
    streams = stack.streams(x)
    return [token_specific_fraction(stream) for stream in streams[:: (len(streams) - 1) // layers]]


@torch.no_grad()
def silencing_effects(stack: Stack, x: Float[Tensor, "b n d"]) -> Float[Tensor, "s s+1"]:
    """Silence each sublayer in turn, and return how far everything after it changes, relative to its length.

    There is a row per silenced sublayer and a column per sublayer's input; the last column is the output of the stack.
    """
    before = stack.streams(x)
    rows = [stack.streams(x, silenced) for silenced in range(len(stack.sublayers))]
    return torch.stack([torch.stack([(a - b).norm() / b.norm() for a, b in zip(row, before, strict=True)]) for row in rows])


class Echo(nn.Module):
    """A table of vectors, a stack, and one linear map from each output to the token at its position."""

    def __init__(self, layers: int, **options):
        super().__init__()
        self.table = nn.Embedding(VOCABULARY, WIDTH)
        self.stack, self.output = Stack(layers, **options), nn.Linear(WIDTH, VOCABULARY)

    def forward(self, tokens: Tensor) -> Float[Tensor, "b n vocabulary"]:
        """Return the logits of the token at each position."""
        return self.output(self.stack(self.table(tokens)))


def echo_accuracy(layers: int, seed: int = 0, steps: int = 60, **options) -> float:
    """Train a model to predict each token at its own position, and return its accuracy on 500 new sequences."""
    torch.manual_seed(seed)
    echo = Echo(layers, **options)

    def loss_of(echo: Echo, tokens: Tensor) -> Tensor:
        return F.cross_entropy(echo(tokens).flatten(0, 1), tokens.flatten())

    train(echo, neighbour_sequences(16, seed), loss_of, steps, lr=3e-3, warmup=10, weight_decay=0.0)
    (tokens,) = next(neighbour_sequences(500, seed + 1000))
    with torch.no_grad():
        return (echo(tokens).argmax(-1) == tokens).float().mean().item()
