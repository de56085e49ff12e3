"""A GPT-2 without a network: a small model of random numbers, in files like the published ones.

The names, the layout and the two files of the tokenizer are GPT-2's. ``tools/gpt2_reference.py`` writes them.
"""

import json
from pathlib import Path

import torch
from torch import Tensor, nn

from transformer_course import gpt2, weights
from transformer_course.experiments.published_weights import Published, Renames, same_numbers

FOLDER = Path(__file__).parent


def files() -> dict[str, Path]:
    """Return the files by the names of the published ones, as `gpt2.download` does."""
    return {name: FOLDER / name for name in gpt2.FILES}


def sizes() -> dict[str, int]:
    """Return the sizes, as in `gpt2.SIZES`."""
    return json.loads(weights.read(FOLDER / "reference.safetensors")[0]["sizes"])


def fits(to_mine: Renames, model: nn.Module) -> bool:
    """Load the small model's weights into a model of these `sizes`, as `Published.fits` does; say how well they fit."""
    tensors = weights.read(FOLDER / "model.safetensors")[1]
    return Published(
        owner="GPT-2",
        tensors=tensors,
        right=weights.by_stage_names(gpt2.by_library_names(tensors)),
        **weights.read(FOLDER / "reference.safetensors")[1],
        close=1e-3,  # of logits up to 6, whose rounding errors are near 1e-5
        matrices="GPT-2 has inputs by outputs, nn.Linear outputs by inputs.",
        extra={"attn.bias": "It is a mask, which your blocks make themselves: leave it out."},
        misplaced=_misplaced,
        taken={},
    ).fits(to_mine, model)


def _misplaced(name: str, weight: Tensor, right: Tensor) -> str:
    if weight.ndim == 2 and torch.equal(weight.T, right):
        return "is not transposed. GPT-2 has inputs by outputs, and here both numbers are the same."
    if same_numbers(weight, right):
        return "has the right numbers in the wrong places. To transpose is not to reshape."
    return "holds other numbers. c_attn holds the queries' columns, then those of the keys, then those of the values."
