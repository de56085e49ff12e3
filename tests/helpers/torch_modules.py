"""A forward pass or a training step in NumPy, as an answer in torch: the mistakes in the catalogues are written in NumPy."""

from types import SimpleNamespace

import torch
from torch import nn

from transformer_course.exercises.exercise import Exercise


def as_answer(exercise: Exercise, mistake):
    """Return the answer that a learner who makes this mistake would give."""
    if exercise.kind == "module":
        return as_module(exercise, mistake)
    return as_training_step(mistake) if exercise.kind == "training step" else mistake


def as_module(exercise: Exercise, forward) -> type:
    """Return a class with the parameters of a ``Module`` exercise that computes its output with ``forward``, in NumPy."""
    shapes, tied = exercise.shapes, exercise.tied

    class Computed(nn.Module):
        def __init__(self, **sizes):
            super().__init__()
            self.sizes = {name: vars(size) if isinstance(size, SimpleNamespace) else size for name, size in sizes.items()}
            made = {name: nn.Parameter(torch.zeros(shape)) for name, shape in shapes(**self.sizes).items()}
            made |= {name: made[other] for name, other in tied(**self.sizes).items()}
            for name, parameter in made.items():
                *path, last = name.split(".")
                part = self
                for step in path:
                    if not hasattr(part, step):
                        part.add_module(step, nn.Module())
                    part = getattr(part, step)
                part.register_parameter(last, parameter)

        def forward(self, *inputs):
            weights = dict(self.named_parameters(remove_duplicate=False))
            given = {**self.sizes, **{name: weight.detach().numpy() for name, weight in weights.items()}}
            arrays = [value.detach().numpy() if isinstance(value, torch.Tensor) else value for value in inputs]
            return torch.tensor(forward(given, *arrays))

    return Computed


def as_training_step(step):
    """Return a function that does to a model and its optimizer what ``step`` does to a table in NumPy."""

    def train_step(model, optimizer, inputs, labels):
        class Table:
            weight = property(lambda self: model.weight.detach().numpy())
            zero_grad, step = staticmethod(optimizer.zero_grad), staticmethod(optimizer.step)

            def backward(self, gradient):
                (model.weight * torch.from_numpy(gradient)).sum().backward()

        return step(Table(), inputs.numpy(), labels.numpy())

    return train_step
