"""A GPT-2 without a network: a small model of random numbers, in files like the published ones, and what it must compute.

The names, the layout and the two files of the tokenizer are GPT-2's, so what reads these files reads the published ones. What
it writes is noise. Its logits for one text are those of the `transformers` package (``tools/gpt2_reference.py``).
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import torch
from torch import Tensor, nn

from transformer_course import gpt2, weights

FOLDER = Path(__file__).parent
CLOSE = 1e-3  # of logits up to 6, whose rounding errors are near 1e-5
ARRANGED = "c_attn holds the queries' columns, then those of the keys, then those of the values"


def files() -> dict[str, Path]:
    """Return the files by the names of the published ones, as `gpt2.download` does."""
    return {name: FOLDER / name for name in gpt2.FILES}


def sizes() -> dict[str, int]:
    """Return the sizes, as in `gpt2.SIZES`."""
    return json.loads(weights.read(FOLDER / "reference.safetensors")[0]["sizes"])


def fits(to_mine: Callable[[dict[str, Tensor]], Mapping[str, Tensor]], model: nn.Module) -> bool:
    """Load the small model's weights into a model of these `sizes`, by a function that renames them; say how well they fit.

    ``to_mine`` gets GPT-2's tensors by their published names, and returns those of ``model`` by the names of its parameters.
    ``model`` takes ids of shape (b, n) and returns logits (b, n, v). One sentence is printed: that the logits are those of the
    reference, or what is wrong first.
    """
    says = _wrong(to_mine, model)
    if not says:
        count = len(dict(model.named_parameters()))
        print(f"All {count} parameters fit: your logits are the reference's, up to {_difference(model):.0e}.")
    else:
        print(says)
    return not says


def _wrong(to_mine: Callable, model: nn.Module) -> str:
    """Return what is wrong first, or nothing. The model has the weights when its names and shapes are right."""
    published = weights.read(FOLDER / "model.safetensors")[1]
    wanted = {name: tuple(parameter.shape) for name, parameter in model.named_parameters()}
    try:
        mine = to_mine({name: weight.clone() for name, weight in published.items()})
    except Exception as error:  # a learner's function may raise anything
        return f"Your function ended with {type(error).__name__}: {error}."
    if not isinstance(mine, Mapping) or not all(isinstance(weight, Tensor) for weight in mine.values()):
        return f"Your function should return a dictionary from names to tensors, but returned {type(mine).__name__}."
    if extra := [name for name in mine if name not in wanted]:
        known = "It is a mask, which your blocks make themselves: leave it out." if extra[0].endswith("attn.bias") else ""
        return f"Your model has no parameter {extra[0]}. {known or 'Is the name misspelt?'}"
    if missing := [name for name in wanted if name not in mine]:
        done = f"{len(mine)} of {len(wanted)} parameters have their weights."
        return f"{done} The next is {missing[0]}, of shape {wanted[missing[0]]}: which of GPT-2's tensors belongs there?"
    for name, shape in wanted.items():
        if (found := tuple(mine[name].shape)) != shape:
            turned = (
                "GPT-2 has inputs by outputs, nn.Linear outputs by inputs."
                if found == shape[::-1]
                else "Is it another tensor?"
            )
            return f"{name} should have shape {shape}, but yours has {found}. {turned}"
    weights.copy_weights(model.eval(), mine)
    difference = _difference(model)
    return (
        ""
        if difference < CLOSE
        else f"The shapes fit, but the logits are off by up to {difference:.1f}: {_misplaced(mine, published)}"
    )


@torch.no_grad()
def _difference(model: nn.Module) -> float:
    _, reference = weights.read(FOLDER / "reference.safetensors")
    return (model(reference["tokens"]) - reference["logits"]).abs().max().item()


def _misplaced(mine: Mapping[str, Tensor], published: Mapping[str, Tensor]) -> str:
    """Say which tensor is not in its place, and what it is."""
    right = weights.by_stage_names(gpt2.by_library_names(published))
    for name, weight in mine.items():
        if name not in right or torch.equal(weight, right[name]):
            continue
        if other := next((each for each in right if torch.equal(weight, right[each])), None):
            return f"{name} holds what belongs to {other}."
        if weight.ndim == 2 and torch.equal(weight.T, right[name]):
            return f"{name} is not transposed. GPT-2 has inputs by outputs, and here both numbers are the same."
        if torch.equal(weight.flatten().sort()[0], right[name].flatten().sort()[0]):
            return f"{name} has the right numbers in the wrong places. To transpose is not to reshape."
        return f"{name} holds other numbers. {ARRANGED}."
    return "all weights are in their places, so the model computes something else than GPT-2."
