"""Pre-norm and post-norm, trained on the names of Unicode characters: which depths, learning rates and initialisations work?

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
from transformer_course.inspection import hooked
from transformer_course.layers import FeedForward, NormOrder, Residual
from transformer_course.training import continuation_loss
from transformer_course.transformer import TransformerConfig

LENGTH, STEPS = 16, 70
LAST = 20  # steps over which the final loss is averaged
Init = Literal["torch", "xavier"]


@cache
def name_prefixes() -> tuple[Int[Tensor, "names n"], Vocabulary]:
    """Return the first 16 characters of every name that is long enough, and their vocabulary."""
    names = [name[:LENGTH] for name, _ in character_names().train if len(name) >= LENGTH]
    text = Vocabulary.from_sequences(names)
    return torch.tensor([text.encode(name) for name in names]), text


def name_batches(seed: int) -> Iterator[Int[Tensor, "b n"]]:
    """Yield endless batches of 8 names."""
    names, generator = name_prefixes()[0], torch.Generator().manual_seed(seed)
    while True:
        yield names[torch.randint(len(names), (8,), generator=generator)]


def unigram_baseline() -> float:
    """Return the loss, in nats per character, of a model that knows only how frequent each character is."""
    counts = name_prefixes()[0].flatten().bincount().double()
    p = counts[counts > 0] / counts.sum()
    return -(p * p.log()).sum().item()


def new_speller(norm: NormOrder, layers: int, init: Init = "torch", scale: float = 1.0, seed: int = 0) -> GPT:
    """Return an untrained GPT of width 32 that continues names.

    ``init`` says how the weights inside the layers are drawn: "torch" as in `nn.Linear`, with standard deviation
    1/√(3·inputs), or "xavier" as in Glorot and Bengio 2010, with √(2/(inputs + outputs)), which is √3 times as large for a
    square matrix. ``scale`` multiplies the weights.

    Raises ValueError for an unknown ``init``.
    """
    if init not in ("torch", "xavier"):
        raise ValueError(f'init must be "torch" or "xavier", got {init!r}')
    torch.manual_seed(seed)
    sizes = {"d_model": 32, "num_heads": 4, "num_layers": layers, "d_ff": 64, "max_length": LENGTH, "dropout": 0.0}
    choices = {"norm": norm, "positions": "learned", "tied": False}
    model = GPT(TransformerConfig(**sizes, **choices, vocabulary_size=len(name_prefixes()[1])))
    for part in model.stack.modules():
        if isinstance(part, nn.Linear):
            if init == "xavier":
                nn.init.xavier_uniform_(part.weight)
                nn.init.zeros_(part.bias)
            part.weight.data *= scale
    return model


@dataclass(frozen=True)
class Run:
    """One training run: its losses, and measurements of the model before and after."""

    losses: list[float]  # of each step, in nats per character
    gradient: float  # the norm of the first layer's gradient before the first step
    cosine_before: float  # `mean_cosine` before training
    cosine_after: float  # and after

    @property
    def final(self) -> float:
        """The mean loss of the last 20 steps. Each step draws new names, so nothing can be memorised."""
        return fmean(self.losses[-LAST:])


def train_speller(
    norm: NormOrder, layers: int, lr: float, warmup: int = 1, seed: int = 0, steps: int = STEPS, **options
) -> Run:
    """Train a new speller, and return its losses and measurements.

    The learning rate rises to ``lr`` over ``warmup`` steps, then stays there. The other arguments are those of `new_speller`.
    """
    model, data = new_speller(norm, layers, seed=seed, **options), name_batches(seed)
    test, parameters = next(name_batches(seed + 1000)), list(model.parameters())
    # Fused, because updating 200 small tensors one at a time would take longer than running the model.
    optimizer = torch.optim.AdamW(parameters, lr, betas=(0.9, 0.98), weight_decay=0.0, fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1, (step + 1) / warmup))
    before, losses, gradient = mean_cosine(model, test), [], None
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
    return Run(losses, gradient, before, mean_cosine(model, test))


@torch.no_grad()
def mean_cosine(model: GPT, names: Int[Tensor, "b n"]) -> float:
    """Return the mean cosine between the final vectors of two characters of a name: 1 if all point in the same direction."""
    vectors = F.normalize(model.stack(model.input(names), torch.ones(LENGTH, LENGTH, dtype=torch.bool).tril()), dim=-1)
    cosines = vectors @ vectors.transpose(1, 2)
    return cosines[:, ~torch.eye(LENGTH, dtype=torch.bool)].mean().item()


@torch.no_grad()
def edit_sizes(model: GPT, tokens: Int[Tensor, "b n"]) -> Float[Tensor, "sublayers"]:
    """Return the size of each sublayer's edit: its length relative to the residual stream that it is added to."""
    streams, edits = [], []

    def mean_length(x: Tensor) -> Tensor:
        return x.norm(dim=-1).mean()

    parts = list(model.stack.modules())
    residuals = [part for part in parts if isinstance(part, Residual)]
    sublayers = [part for part in parts if isinstance(part, MultiHeadAttention | FeedForward)]
    with (
        hooked(residuals, before=lambda _, args: streams.append(mean_length(args[0]))),
        hooked(sublayers, after=lambda _, args, output: edits.append(mean_length(output))),
    ):
        model(tokens)
    return torch.stack(edits) / torch.stack(streams)
