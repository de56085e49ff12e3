"""A small model of random numbers in a published layout, and what learners are told who give its weights their own names.

The names and shapes are those of a published file, so what reads this one reads that one. What the model writes is noise. Its
logits for some tokens are those of the `transformers` package.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_course import weights

Renames = Callable[[dict[str, Tensor]], Mapping[str, Tensor]]


@dataclass(frozen=True)
class Published:
    """A model's weights, and what to say of those that are not in their places."""

    owner: str  # whose layout this is: "GPT-2"
    tensors: Mapping[str, Tensor]  # by the published names
    right: Mapping[str, Tensor]  # as the learner's class has them
    tokens: Int[Tensor, "b n"]
    logits: Float[Tensor, "b n v"]
    close: float  # above the rounding errors of the logits
    matrices: str  # a sentence on how matrices are stored
    extra: Mapping[str, str]  # by the ending of a name that the learner's class does not have: what the tensor is
    misplaced: Callable[[str, Tensor, Tensor], str]  # of a name, the weight that it got and the right one: what is wrong
    taken: Mapping[str, str]  # by a parameter's name: what to add if it got another one's weight

    def fits(self, to_mine: Renames, model: nn.Module) -> bool:
        """Load the weights into a model of the same sizes, by a function that renames them; say how well they fit.

        ``to_mine`` gets the tensors by their published names, and returns those of ``model`` by the names of its parameters.
        ``model`` takes ids of shape (b, n) and returns logits (b, n, v). One sentence is printed: that the logits are those of
        the reference, or what is wrong first.
        """
        says = self._wrong(to_mine, model)
        if not says:
            count = len(dict(model.named_parameters()))
            print(f"All {count} parameters fit: your logits are the reference's, up to {self._largest(model):.0e}.")
        else:
            print(says)
        return not says

    @torch.no_grad()
    def differences(self, model: nn.Module) -> list[float]:
        """Return by how much the logits at each place differ from the reference at most."""
        return (model(self.tokens) - self.logits).abs().amax((0, 2)).tolist()

    def _largest(self, model: nn.Module) -> float:
        return max(self.differences(model))

    def _wrong(self, to_mine: Renames, model: nn.Module) -> str:
        """Return what is wrong first, or nothing. The model has the weights when its names and shapes are right."""
        wanted = {name: tuple(parameter.shape) for name, parameter in model.named_parameters()}
        try:
            mine = to_mine({name: weight.clone() for name, weight in self.tensors.items()})
        except Exception as error:  # a learner's function may raise anything
            return f"Your function ended with {type(error).__name__}: {error}."
        if not isinstance(mine, Mapping) or not all(isinstance(weight, Tensor) for weight in mine.values()):
            return f"Your function should return a dictionary from names to tensors, but returned {type(mine).__name__}."
        if unknown := next((name for name in mine if name not in wanted), None):
            known = (what for ending, what in self.extra.items() if unknown.endswith(ending))
            return f"Your model has no parameter {unknown}. {next(known, 'Is the name misspelt?')}"
        if missing := next((name for name in wanted if name not in mine), None):
            done = f"{len(mine)} of {len(wanted)} parameters have their weights."
            return f"{done} The next is {missing}, of shape {wanted[missing]}: which of {self.owner}'s tensors belongs there?"
        for name, shape in wanted.items():
            if (found := tuple(mine[name].shape)) != shape:
                why = self.matrices if found == shape[::-1] else "Is it another tensor?"
                return f"{name} should have shape {shape}, but yours has {found}. {why}"
        weights.copy_weights(model.eval(), mine)
        difference = self._largest(model)
        if difference < self.close:
            return ""
        return f"The shapes fit, but the logits are off by up to {difference:.1f}: {self._in_a_wrong_place(mine)}"

    def _in_a_wrong_place(self, mine: Mapping[str, Tensor]) -> str:
        """Say which tensor is not in its place, and what it is."""
        for name, weight in mine.items():
            if name not in self.right or torch.equal(weight, self.right[name]):
                continue
            if other := next((each for each in self.right if torch.equal(weight, self.right[each])), None):
                return f"{name} holds what belongs to {other}. {self.taken.get(name, '')}".rstrip()
            return f"{name} {self.misplaced(name, weight, self.right[name])}"
        return f"all weights are in their places, so the model computes something else than {self.owner}."


def same_numbers(weight: Tensor, right: Tensor) -> bool:
    """Whether two tensors hold the same numbers, in any order."""
    return torch.equal(weight.flatten().sort()[0], right.flatten().sort()[0])
