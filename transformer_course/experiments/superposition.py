"""Superposition: five features that have to pass through two numbers.

A feature is a number from 0 to 1, and is absent (0) in most examples. The model has one matrix: it writes the features into a
stream of two numbers, and reads them out again. Shapes: ``b`` batch, ``f`` features.

Source: Elhage et al. 2022, "Toy Models of Superposition", section 2.
"""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from transformer_course.training import train

NAMES = ("a", "b", "c", "d", "e")
IMPORTANCE = 0.9 ** torch.arange(float(len(NAMES)))  # each feature counts a little less in the loss than the one before it
STEPS, BATCH = 1500, 256


class Bottleneck(nn.Module):
    """Writes five features into two numbers, h = Wx, and reads them out with the same matrix: ReLU(Wᵀh + b)."""

    def __init__(self, seed: int):
        super().__init__()
        generator = torch.Generator().manual_seed(seed)
        self.directions = nn.Parameter(0.5 * torch.randn(len(NAMES), 2, generator=generator))  # the columns of W, as rows
        self.bias = nn.Parameter(torch.zeros(len(NAMES)))

    def forward(self, features: Float[Tensor, "b f"]) -> Float[Tensor, "b f"]:
        """Return what is read out of the two numbers."""
        return torch.relu(features @ self.directions @ self.directions.T + self.bias)


def trained(present: float, seed: int) -> Bottleneck:
    """Train on features that are each present with this probability. Raises ValueError unless it is above 0, at most 1."""
    if not 0 < present <= 1:
        raise ValueError(f"expected the probability that a feature is present, above 0 and at most 1, got {present}")
    model, generator = Bottleneck(seed), torch.Generator().manual_seed(seed)

    def examples():
        while True:
            values, draws = torch.rand(2, BATCH, len(NAMES), generator=generator)
            yield (values * (draws < present),)

    def loss(model, features):
        return (IMPORTANCE * (model(features) - features) ** 2).mean()

    with torch.enable_grad():
        train(model, examples(), loss, STEPS, lr=1e-2, weight_decay=0.0)
    return model.eval()
