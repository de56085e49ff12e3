"""Put digits in order, by a decoder layer with its causal mask and by one without: what the mask is for.

The source is a row of random digits, the target the same digits from the smallest to the largest. The memory is the source's
embedding; there is no encoder. While training, the target so far stands at the decoder's input, all of it at once, and each
place is asked for the digit that comes next: the one that stands at the following place of the input.

How much a model without mask can do by itself depends on the task, and on the seed.

Shapes: ``b`` batch, ``n`` digits, of the source and of the target alike, ``d`` width.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.layers import DecoderLayer
from transformer_course.masks import causal_mask

LENGTH, DIGITS, WIDTH = 6, 10, 32
BEGIN = DIGITS  # the id before the first digit


class Sorter(nn.Module):
    """One decoder layer with one head, between two embeddings and a linear map."""

    def __init__(self, causal: bool):
        super().__init__()
        self.source, self.target = nn.Embedding(DIGITS, WIDTH), nn.Embedding(DIGITS + 1, WIDTH)
        self.source_places, self.target_places = (nn.Parameter(torch.randn(LENGTH, WIDTH)) for _ in range(2))
        self.layer, self.output = DecoderLayer(WIDTH, 1, 2 * WIDTH, norm="post"), nn.Linear(WIDTH, DIGITS)
        self.causal = causal

    def forward(self, source: Int[Tensor, "b n"], target: Int[Tensor, "b n"]) -> Float[Tensor, "b n v"]:
        """Return, at each place of a target that starts with ``BEGIN``, a score for each digit that may come next."""
        n = target.shape[1]
        memory, mask = self.source(source) + self.source_places, causal_mask(n) if self.causal else None
        return self.output(self.layer(self.target(target) + self.target_places[:n], memory, mask))


def task(count: int, seed: int) -> tuple[Int[Tensor, "b n"], Int[Tensor, "b n"], Int[Tensor, "b n"]]:
    """Draw ``count`` sources. Return them, what stands at the decoder's input while training, and what is asked there."""
    source = torch.randint(DIGITS, (count, LENGTH), generator=torch.Generator().manual_seed(seed))
    wanted = source.sort(dim=1).values
    return source, F.pad(wanted[:, :-1], (1, 0), value=BEGIN), wanted


@dataclass(frozen=True)
class Writer:
    """A trained model, and the share of digits that it has right, place by place."""

    model: Sorter
    shown: Float[Tensor, "n"]  # while the target so far stands at the input, as in training
    alone: Float[Tensor, "n"]  # while it reads nothing but what it wrote itself


def train_sorter(causal: bool, seed: int, steps: int = 120) -> Writer:
    """Train on 64 new rows at each step, then measure on 500 others."""
    torch.manual_seed(seed)
    model = Sorter(causal)
    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-2, betas=(0.9, 0.98), weight_decay=0)
    schedule = torch.optim.lr_scheduler.LinearLR(optimiser, 1, 0.02, steps)
    for source, given, wanted in zip(*(rows.split(64) for rows in task(64 * steps, seed=1000 + seed)), strict=True):
        loss = F.cross_entropy(model(source, given).flatten(0, 1), wanted.flatten())
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
    source, given, wanted = task(500, seed=1)
    with torch.no_grad():
        shown = model(source, given).argmax(-1)
    return Writer(model, *((digits == wanted).float().mean(0) for digits in (shown, write(model, source))))


@torch.no_grad()
def write(model: Sorter, source: Int[Tensor, "b n"]) -> Int[Tensor, "b n"]:
    """Let the model write: each digit is the one with the highest score, and joins the input for the next."""
    target = torch.full((len(source), 1), BEGIN)
    for _ in range(LENGTH):
        target = torch.cat([target, model(source, target)[:, -1:].argmax(-1)], dim=1)
    return target[:, 1:]


def commonest_digits() -> Float[Tensor, "n"]:
    """Return what whoever never reads the source gets right: at each place, the digit that is asked there most often."""
    wanted = task(500, seed=1)[2]
    return F.one_hot(wanted, DIGITS).float().mean(0).amax(-1)
