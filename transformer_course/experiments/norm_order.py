"""Pre-norm and post-norm on the names of Unicode's characters: which of them learns, how deep, how fast, from which start?

Shapes: ``b`` batch, ``n`` characters, ``d`` width.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from statistics import fmean
from typing import Literal

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.attention import MultiHeadAttention
from transformer_course.data import character_names
from transformer_course.embedding import Vocabulary
from transformer_course.family import GPT
from transformer_course.layers import FeedForward, NormOrder, Residual
from transformer_course.training import continuation_loss
from transformer_course.transformer import TransformerConfig

LENGTH, STEPS, LAST = 16, 70, 20
Start = Literal["torch", "xavier"]


@cache
def beginnings() -> tuple[Int[Tensor, "names n"], Vocabulary]:
    """Return the first 16 characters of every name that has so many, and their vocabulary."""
    names = [name[:LENGTH] for name, _ in character_names().train if len(name) >= LENGTH]
    text = Vocabulary.from_sequences(names)
    return torch.tensor([text.encode(name) for name in names]), text


def name_batches(seed: int) -> Iterator[Int[Tensor, "b n"]]:
    """Yield batches of 8 names without end."""
    names, generator = beginnings()[0], torch.Generator().manual_seed(seed)
    while True:
        yield names[torch.randint(len(names), (8,), generator=generator)]


def letters_alone() -> float:
    """Return the loss, in nats, of a model that knows how frequent each character is, and nothing else."""
    counts = beginnings()[0].flatten().bincount().double()
    shares = counts[counts > 0] / counts.sum()
    return -(shares * shares.log()).sum().item()


def new_speller(norm: NormOrder, layers: int, start: Start = "torch", scale: float = 1.0, seed: int = 0) -> GPT:
    """Return an untrained GPT, 32 wide, that continues names.

    ``start`` says how the weights inside the layers are drawn: as `nn.Linear` does, spread by 1/√(3·inputs),
    or after Glorot and Bengio 2010 ("xavier"), with √(2/(inputs + outputs)), which is √3 times as much where a matrix is
    square. ``scale`` multiplies them.

    Raises ValueError for a start of another name.
    """
    if start not in ("torch", "xavier"):
        raise ValueError(f'start is "torch" or "xavier", got {start!r}')
    torch.manual_seed(seed)
    sizes = {"d_model": 32, "num_heads": 4, "num_layers": layers, "d_ff": 64, "max_length": LENGTH, "dropout": 0.0}
    choices = {"norm": norm, "positions": "learned", "tied": False}
    model = GPT(TransformerConfig(**sizes, **choices, vocabulary_size=len(beginnings()[1])))
    for part in model.stack.modules():
        if isinstance(part, nn.Linear):
            if start == "xavier":
                nn.init.xavier_uniform_(part.weight)
                nn.init.zeros_(part.bias)
            part.weight.data *= scale
    return model


@dataclass(frozen=True)
class Run:
    """One training: what it cost, and what the model looked like before and after."""

    losses: list[float]  # of each step, in nats a character
    gradient: float  # the norm of the first layer's gradient before the first step
    alike_before: float  # the mean cosine between the vectors of two characters of a name, where they leave the stack
    alike_after: float

    @property
    def final(self) -> float:
        """The mean loss of the last 20 steps. Every step sees new names, so nothing is learned by heart."""
        return fmean(self.losses[-LAST:])


def train_speller(
    norm: NormOrder,
    layers: int,
    lr: float,
    start: Start = "torch",
    warmup: int = 1,
    scale: float = 1.0,
    seed: int = 0,
    steps: int = STEPS,
) -> Run:
    """Train a new speller, and return how that went.

    The learning rate climbs to ``lr`` in ``warmup`` steps, and stays there. Other arguments are those of `new_speller`.
    """
    model, data = new_speller(norm, layers, start, scale, seed), name_batches(seed)
    test, parameters = next(name_batches(seed + 1000)), list(model.parameters())
    # Fused: there are 200 small tensors to update, and one by one they would take longer than the model itself.
    optimizer = torch.optim.AdamW(parameters, lr, betas=(0.9, 0.98), weight_decay=0.0, fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1, (step + 1) / warmup))
    before, losses, gradient = alike(model, test), [], None
    for _ in range(steps):
        loss = continuation_loss(model, next(data))
        losses.append(loss.item())
        optimizer.zero_grad()
        loss.backward()
        if gradient is None:
            gradient = nn.utils.get_total_norm([p.grad for p in model.stack.layers[0].parameters()]).item()
        nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        schedule.step()
    return Run(losses, gradient, before, alike(model, test))


@torch.no_grad()
def alike(model: GPT, names: Int[Tensor, "b n"]) -> float:
    """Return the mean cosine between the vectors of two characters of a name after the last layer: 1 if all point one way."""
    vectors = F.normalize(model.stack(model.input(names), torch.ones(LENGTH, LENGTH, dtype=torch.bool).tril()), dim=-1)
    cosines = vectors @ vectors.transpose(1, 2)
    return cosines[:, ~torch.eye(LENGTH, dtype=torch.bool)].mean().item()


@torch.no_grad()
def edit_sizes(model: GPT, tokens: Int[Tensor, "b n"]) -> Float[Tensor, "sublayers"]:
    """Return, for each sublayer, how long what it adds is, as a share of the stream that it is added to."""
    streams, edits = [], []

    def length(x: Tensor) -> Tensor:
        return x.norm(dim=-1).mean()

    hooks = []
    for part in model.stack.modules():
        if isinstance(part, Residual):
            hooks.append(part.register_forward_pre_hook(lambda _, args: streams.append(length(args[0]))))
        elif isinstance(part, MultiHeadAttention | FeedForward):
            hooks.append(part.register_forward_hook(lambda _, args, result: edits.append(length(result))))
    model(tokens)
    for hook in hooks:
        hook.remove()
    return torch.stack(edits) / torch.stack(streams)
