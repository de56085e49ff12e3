"""Sort digits with one decoder layer, with and without its causal mask: what the mask is for.

The source is a row of random digits, and the target is the same digits in ascending order. The memory is the embedded source;
there is no encoder. In training, the decoder's input is the whole shifted target, and each position predicts the next digit,
which is also the input at the following position.

How well a model without the mask does when it generates freely depends on the task and on the seed.

Shapes: ``b`` batch, ``n`` digits (of the source and of the target), ``d`` width, ``v`` digits to choose from.
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
    """Two embeddings, one decoder layer with one head, and a linear map to the digits."""

    def __init__(self, causal: bool):
        super().__init__()
        self.source, self.target = nn.Embedding(DIGITS, WIDTH), nn.Embedding(DIGITS + 1, WIDTH)
        self.source_positions, self.target_positions = (nn.Parameter(torch.randn(LENGTH, WIDTH)) for _ in range(2))
        self.layer, self.output = DecoderLayer(WIDTH, 1, 2 * WIDTH, norm="post"), nn.Linear(WIDTH, DIGITS)
        self.causal = causal

    def forward(self, source: Int[Tensor, "b n"], target: Int[Tensor, "b n"]) -> Float[Tensor, "b n v"]:
        """Return the logits of the next digit at each position of a target that starts with ``BEGIN``."""
        n = target.shape[1]
        memory, mask = self.source(source) + self.source_positions, causal_mask(n) if self.causal else None
        return self.output(self.layer(self.target(target) + self.target_positions[:n], memory, mask))


def sorting_data(count: int, seed: int) -> tuple[Int[Tensor, "b n"], Int[Tensor, "b n"], Int[Tensor, "b n"]]:
    """Draw ``count`` sources, and return them with the decoder's inputs for teacher forcing and with the labels."""
    source = torch.randint(DIGITS, (count, LENGTH), generator=torch.Generator().manual_seed(seed))
    labels = source.sort(dim=1).values
    return source, F.pad(labels[:, :-1], (1, 0), value=BEGIN), labels


@dataclass(frozen=True)
class TrainedSorter:
    """A trained model, and its accuracy at each position."""

    model: Sorter
    teacher_forced: Float[Tensor, "n"]  # with the correct digits as input, as in training
    free_running: Float[Tensor, "n"]  # with its own output as input


def train_sorter(causal: bool, seed: int, steps: int = 120) -> TrainedSorter:
    """Train on 64 new rows per step, then measure the accuracy on 500 others."""
    torch.manual_seed(seed)
    model = Sorter(causal)
    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-2, betas=(0.9, 0.98), weight_decay=0)
    schedule = torch.optim.lr_scheduler.LinearLR(optimiser, 1, 0.02, steps)
    for source, inputs, labels in zip(*(rows.split(64) for rows in sorting_data(64 * steps, seed=1000 + seed)), strict=True):
        loss = F.cross_entropy(model(source, inputs).flatten(0, 1), labels.flatten())
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
    source, inputs, labels = sorting_data(500, seed=1)
    with torch.no_grad():
        teacher_forced = model(source, inputs).argmax(-1)
    predictions = teacher_forced, generate(model, source)
    return TrainedSorter(model, *((digits == labels).float().mean(0) for digits in predictions))


@torch.no_grad()
def generate(model: Sorter, source: Int[Tensor, "b n"]) -> Int[Tensor, "b n"]:
    """Decode greedily: each digit is the most likely one, and becomes part of the input for the next."""
    target = torch.full((len(source), 1), BEGIN)
    for _ in range(LENGTH):
        target = torch.cat([target, model(source, target)[:, -1:].argmax(-1)], dim=1)
    return target[:, 1:]


def majority_baseline() -> Float[Tensor, "n"]:
    """Return the accuracy, at each position, of always predicting the digit that is most common there."""
    labels = sorting_data(500, seed=1)[2]
    return F.one_hot(labels, DIGITS).float().mean(0).amax(-1)
