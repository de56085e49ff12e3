"""Right answers to every exercise: the solution, other ways to write it, and other forms of its result."""

import numpy as np
import torch
from examining import solved
from torch_answers import TORCH_ANSWERS

from transformer_course.exercises.build_7_writing.generate import Generate
from transformer_course.exercises.build_13_experts.speculative import Round
from transformer_course.exercises.exercise import Exercise
from transformer_course.exercises.kinds import Implement, ImplementStrings, Module


def right_answers(exercise: Exercise) -> dict:
    """Return right answers by their names, the solution first."""
    answers = {"the solution": solved(exercise)}
    if exercise.kind == "implement":
        others = enumerate(exercise.alternatives, 1)
        answers |= {**_styles(exercise), **{f"alternative {number}": answer for number, answer in others}}
        own = ("the solution", "the reference", *(name for name in answers if name.startswith("alternative")))
        answers |= {f"{name}, float32 inside": _in_single(answers[name]) for name in own if name in answers}
    if isinstance(exercise, Module):
        answers["the solution, float32 inside"] = _class_in_single(answers["the solution"])
    return answers | {f"in torch, {number}": answer for number, answer in enumerate(TORCH_ANSWERS.get(exercise.id, ()), 1)}


def _styles(exercise: Implement) -> dict:
    """The reference with other types and layouts of its result."""
    reference = exercise.reference
    if exercise.backends == ("run_on_tensors",) or getattr(exercise, "ids", False):  # whose results are tensors, or integers
        return {}
    if exercise.id == "decoding.extend_cache" or isinstance(exercise, ImplementStrings | Generate | Round):  # without rows
        return {"the reference": reference}
    result = np.asarray(reference(*exercise.questions(0)[0]))
    boolean = result.dtype == bool
    floats, double, single = (bool, torch.bool, torch.bool) if boolean else (np.float32, torch.float64, torch.float32)

    def in_torch(kind, layout=lambda tensor: tensor):
        def answer(*arguments):
            arrays = [
                a if isinstance(a, np.ndarray | int | str | dict | list) else np.asarray(a, dtype=float) for a in arguments
            ]
            return layout(torch.from_numpy(np.array(reference(*arrays))).to(kind))

        return answer

    tensors = {
        "float64 tensor": in_torch(double),
        "tensor with gradient": in_torch(single, lambda t: t if boolean else t.requires_grad_()),
    }
    spaced = {"non-contiguous tensor": in_torch(single, lambda t: torch.stack([t, t], -1)[..., 0])} if result.ndim else {}
    if exercise.differentiable:
        return {**tensors, **spaced}
    arrays = {"the reference": reference, "float32": lambda *a: reference(*a).astype(floats), **tensors}
    if not result.ndim:  # a single number has no rows, and no layout
        return arrays
    return {
        **arrays,
        **spaced,
        "lists": lambda *a: np.asarray(reference(*a)).tolist(),
        "lists of arrays": lambda *a: list(reference(*a)),
        "tuples": lambda *a: tuple(np.asarray(reference(*a)).tolist()),
        "Fortran order": lambda *a: np.asfortranarray(reference(*a)),
        "reversed strides": lambda *a: np.flip(np.flip(reference(*a)).copy()),
        "read-only": lambda *a: np.broadcast_to(reference(*a), reference(*a).shape),
        "objects": lambda *a: reference(*a).astype(object),
    }


def _in_single(function):
    """A function that computes in float32 and returns the precision that it was given."""

    def answer(*arguments):
        result = function(*map(_single, arguments))
        return result.astype(float) if isinstance(result, np.ndarray) and result.dtype == np.float32 else result

    return answer


def _single(value):
    if isinstance(value, np.ndarray) and value.dtype == np.float64:
        return value.astype(np.float32)
    return value.float() if isinstance(value, torch.Tensor) and value.dtype == torch.float64 else value


def _class_in_single(own: type) -> type:
    """A class whose ``forward`` computes in float32, as models with mixed precision do."""

    class Inside(torch.nn.Module):
        def __init__(self, module):
            super().__init__()
            self.module = module

        def forward(self, *inputs):
            return own.forward(self.module, *inputs)

    class Single(own):
        def forward(self, *inputs):
            cast = {weight: weight.float() for weight in self.parameters()}
            held = Inside(self).named_modules()  # each once, so that what is replaced can be put back
            weights = {f"{path}.{name}": cast[p] for path, part in held for name, p in part.named_parameters(recurse=False)}
            output = torch.func.functional_call(Inside(self), weights, tuple(map(_single, inputs)), tie_weights=False)
            return output.to(next(self.parameters()).dtype)

    Single.__name__ = own.__name__
    return Single
