"""The wrong answers in the catalogues. What stands there in NumPy becomes a class or function in torch, if that is asked."""

import warnings
from collections.abc import Iterator
from types import SimpleNamespace

import numpy as np
import torch
from examining import solved
from torch import nn

from transformer_course.exercises.build_1_a_model_that_learns.training_step import cross_entropy
from transformer_course.exercises.build_11_an_assistant.losses import Table
from transformer_course.exercises.exercise import Exercise, Mistake, parameters
from transformer_course.runner.wire import mapped

NUDGE = 1e-5


def spellings(exercise: Exercise) -> Iterator[tuple[str, Mistake, object]]:
    """Every spelling of every mistake: its name, as in "the sum, 2"; the mistake; and what the learner would answer."""
    rounded = getattr(exercise, "rounded", None)
    for mistake in (*exercise.mistakes, *([rounded] if rounded else [])):
        for number, spelling in enumerate((mistake.answer, *mistake.variants), 1):
            yield f"{mistake.name}, {number}", mistake, as_answer(exercise, spelling)
    for method in getattr(exercise, "methods", ()):
        for mistake in method.mistakes:
            for number, spelling in enumerate((mistake.answer, *mistake.variants), 1):
                yield f"{mistake.name}, {number}", mistake, with_method(exercise, method.name, spelling)


def with_method(exercise: Exercise, name: str, spelling) -> type:
    """Return the solution with another method, which is right but for a gradient where it gives the right numbers."""
    solution = solved(exercise)

    def answer(self, *inputs):
        given = {**vars(self), **{each: weight.detach().numpy() for each, weight in self.named_parameters()}}
        given |= {"num_experts": len(self.experts)}
        [value] = spelling(given, *(each.detach().numpy() for each in inputs))
        return torch.as_tensor(value) + 0 * sum(weight.sum() for weight in self.parameters())

    return type(exercise.answer_name, (solution,), {name: answer})


def as_answer(exercise: Exercise, mistake):
    """Return the answer that a learner who makes this mistake would give."""
    if exercise.kind == "two-tier":  # a mistake names only the parts that are wrong
        return {**exercise.right, **mistake}
    if exercise.kind == "module":
        return as_module(exercise, mistake)
    converters = {"training step": as_training_step, "estimate": as_estimate, "fit": as_fit, "in place": as_change}
    converters |= {"loss": as_loss, "int8": as_int8}
    return converters[exercise.kind](mistake) if exercise.kind in converters else mistake


def as_module(exercise: Exercise, forward) -> type:
    """Return a class with the parameters of a ``Module`` exercise that computes its output with ``forward``, in NumPy."""
    shapes, tied, names = exercise.shapes, exercise.tied, parameters(exercise.shapes)

    class Computed(nn.Module):
        def __init__(self, *placed, **sizes):
            super().__init__()
            if placed and isinstance(placed[0], nn.Linear):  # a class around a layer
                layer, *rest = placed
                placed, sizes = (layer.in_features, layer.out_features, *rest), sizes | {"bias": layer.bias is not None}
            sizes |= zip(names, placed, strict=False)
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
            return torch.tensor(getattr(forward, "forward", forward)(given, *arrays))  # of a whole text in pieces, one piece

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


def as_estimate(estimate):
    """Return a function that does to a model and batches what ``estimate`` does to a table in NumPy."""

    def estimate_loss(model, batches):
        class Table:
            training = property(lambda self: model.training)
            train = staticmethod(model.train)

            def __call__(self, inputs, records):
                with torch.set_grad_enabled(records):
                    return model(torch.from_numpy(inputs)).detach().numpy()

            def backward(self):
                model.weight.sum().backward()

        return float(estimate(Table(), [(inputs.numpy(), labels.numpy()) for inputs, labels in batches]))

    return estimate_loss


def as_fit(loop):
    """Return a function that does to a model and its optimizer what ``loop`` does to a ``Model`` in NumPy."""

    def fit(model, optimizer, batch, rate, evaluate, save, *plan):
        class Table:
            train, zero_grad, step = staticmethod(model.train), staticmethod(optimizer.zero_grad), staticmethod(optimizer.step)

            def forward(self, inputs, labels):
                model(inputs)
                return cross_entropy(model.weight.detach().numpy(), inputs.numpy(), labels.numpy())

            def backward(self, gradient):
                (model.weight * torch.from_numpy(gradient)).sum().backward()

            def clip(self):
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)

        return loop(Table(), optimizer, batch, rate, lambda table: evaluate(model), save, *plan)

    return fit


def as_loss(loss):
    """Return a function that gives, for models, what ``loss`` gives for each `Table`, with the gradient that this has."""

    def answer(*arguments):
        models = [each for each in arguments if isinstance(each, nn.Module)]
        given = mapped([*arguments[len(models) :]], lambda each: each.numpy() if isinstance(each, torch.Tensor) else each)
        before = [model.weight.detach().numpy().copy() for model in models]

        def value(place=0, entry=None, by=0.0):
            weights = [each.copy() for each in before]
            if entry:
                weights[place][entry] += by
            with warnings.catch_warnings(action="ignore"), np.errstate(all="ignore"):
                return loss(*map(Table, weights, before), *given)

        class Given(torch.autograd.Function):
            """The value, with the gradient that it has at each table, also where they are not finite."""

            @staticmethod
            def forward(ctx, *weights):
                return torch.as_tensor(np.asarray(value(), float))

            @staticmethod
            def backward(ctx, output):
                if np.ndim(value()):
                    return (None,) * len(before)
                gradients = [np.zeros_like(each) for each in before]
                for place, gradient in enumerate(gradients):
                    for entry in np.ndindex(gradient.shape):
                        gradient[entry] = (value(place, entry, NUDGE) - value(place, entry, -NUDGE)) / (2 * NUDGE)
                return tuple(map(torch.from_numpy, gradients))

        return Given.apply(*(model.weight for model in models))

    return answer


def as_int8(layer):
    """Return a class that stores and computes what ``layer`` does in NumPy."""

    class Int8Linear(nn.Module):
        def __init__(self, linear):
            super().__init__()
            weight = linear.weight.detach().numpy()
            made = dict(zip(("weight", "scale"), map(torch.from_numpy, layer.stored(weight)), strict=True))
            made |= {name: torch.from_numpy(make(weight)) for name, make in layer.beside.items()}
            if layer.trained:
                made["scale"] = nn.Parameter(made["scale"])
            if layer.trained == "parameter":
                self.scale = made.pop("scale")
            for name, each in made.items():
                self.register_buffer(name, each * 1, persistent=layer.saved)
            self.bias = linear.bias

        def forward(self, x):
            bias = 0.0 if self.bias is None else self.bias.detach().numpy()
            codes = self.weight.numpy().astype(float)
            return torch.from_numpy(layer.apply(codes, self.scale.detach().numpy(), x.numpy(), bias)).float()

    return Int8Linear


def as_change(change):
    """Return a function that does to tensors, in lists and mappings, what ``change`` does to arrays in them."""

    def change_tensors(*arguments):
        arrays = [_shared(value) for value in arguments]
        change(*arrays)
        for given, after in zip(arguments, arrays, strict=True):
            if isinstance(given, dict):
                given |= {key: value for key, value in after.items() if isinstance(value, int)}

    return change_tensors


def _shared(value):
    """The value with an array in place of each tensor, in the same memory."""
    if isinstance(value, dict):
        return {key: _shared(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_shared(item) for item in value]
    return value.numpy() if isinstance(value, torch.Tensor) else value
