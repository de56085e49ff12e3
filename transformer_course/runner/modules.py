"""Run an answer that is a learner's ``nn.Module``: construct it, load weights and call it.

Weights, inputs, outputs and gradients are NumPy arrays on the way in and out. Torch is used only if the learner's code has
imported it; no reference is known here. Torch's default dtype and random numbers are as before afterwards.
"""

import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace

import numpy as np

from .outcome import described_error, record, type_name
from .structure import structure_of

WITHOUT_INIT = "cannot assign parameters before Module.__init__() call"  # torch's own words


class NotAModule(Exception):
    """The answer is not a class derived from ``nn.Module``. The message says what it is instead."""


def run_class(answer, question: dict) -> dict:
    """Construct ``answer(**sizes)``, load the weights by name, and make each call; return everything as data.

    A mapping among the sizes becomes an object with these attributes, such as the config of a Transformer. With a number of
    ``caches``, the inputs of a call are tokens and the sizes of the pieces in which the object gets them, one after another,
    with that many mappings that begin empty; the output is that of all pieces together.

    The names and shapes of the parameters come back as ``structure``, with the initial value of those that begin with all
    numbers equal. If names and shapes are not those of the weights, nothing is called.
    ``calls`` are made in order on one object. ``fresh`` are the same calls, each on an object of its own. ``repeated`` is the
    first call once more, and ``reseeded`` once more with other random numbers. ``gradients`` are those of
    ``(output * probe).sum()`` for the first call. ``single`` is the dtype that the first call gives in float32. If the
    question asks for ``dropped``, that is the first call in training mode, of an object that drops everything. ``methods`` are
    calls of the object's methods, by their names.
    """
    torch = sys.modules.get("torch")
    if torch is None or not (isinstance(answer, type) and issubclass(answer, torch.nn.Module)):
        raise NotAModule(_what_it_is(torch, answer))
    with precision(torch, torch.float64):
        found = _run(torch, answer, question)
    if not any(_mixes_precisions(call) for call in found.get("calls", [])):
        return found
    with precision(torch, torch.float32):
        single = _run(torch, answer, question)
    return found if any("error" in call for call in single.get("calls", [])) else single


def _run(torch, answer, question: dict) -> dict:
    module = _constructed(torch, answer, {**question, "weights": {}}, seed=0)  # to see how its parameters begin
    structure, calls = structure_of(torch, module), question["calls"]
    if {name: tuple(shape) for name, shape in structure["parameters"].items()} != {
        name: weight.shape for name, weight in question["weights"].items()
    }:
        return {"structure": structure}
    _load(torch, module, question["weights"])
    made = [_call(torch, module, question, inputs, answer) for inputs in calls]
    return {
        "structure": structure,
        "calls": made,
        "fresh": [_call(torch, _constructed(torch, answer, question, seed=1), question, inputs, answer) for inputs in calls],
        "repeated": _call(torch, module, question, calls[0], answer),
        "reseeded": _call(torch, module, question, calls[0], answer, seed=1),
        "gradients": _gradients(torch, module, question, calls[0], answer),
        "single": _single(torch, answer, question),
        "dropped": _dropped(torch, answer, question) if question.get("dropped") else {},
        "methods": [_call(torch, module, {"method": name}, given, answer) for name, given in question.get("methods", [])],
    }


def _mixes_precisions(call: dict) -> bool:
    """Whether a call raised an error about float32 beside float64: a class that says `.float()` may be right in float32."""
    words = call.get("message", "").lower()
    return "error" in call and "float" in words and "double" in words


def imported_torch():
    """Return torch. Raises NameError if the learner's code has not imported it."""
    torch = sys.modules.get("torch")
    if torch is None:
        raise NameError("torch has not been imported; run the first cell of this notebook")
    return torch


@contextmanager
def precision(torch, dtype) -> Iterator[None]:
    """Make this torch's default dtype, and keep the random numbers used inside from changing those outside."""
    before = torch.get_default_dtype()
    try:
        with torch.random.fork_rng(devices=[]), torch.enable_grad():
            torch.set_default_dtype(dtype)
            yield
    finally:
        torch.set_default_dtype(before)


def _what_it_is(torch, answer) -> str:
    if torch is not None and isinstance(answer, torch.nn.Module):
        return f"an object of the class {type_name(answer)}"
    if isinstance(answer, type):
        return "a class that is not derived from nn.Module"
    return type_name(answer)


def _constructed(torch, answer, question: dict, seed: int):
    """An object of the class in torch's default dtype and eval mode, with the weights loaded where they fit."""
    torch.default_generator.manual_seed(seed)
    accepted = inspect.signature(answer).parameters
    sizes = {name: SimpleNamespace(**size) if isinstance(size, dict) else size for name, size in question["sizes"].items()}
    module = answer(**sizes, **{name: value for name, value in question["optional"].items() if name in accepted})
    if "_parameters" not in vars(module):
        raise AttributeError(WITHOUT_INIT)
    module.to(torch.get_default_dtype()).eval()
    _load(torch, module, question["weights"])
    return module


def _load(torch, module, weights: dict) -> None:
    with torch.no_grad():
        for name, parameter in torch.nn.Module.named_parameters(module):
            weight = weights.get(name)
            if weight is not None and weight.shape == tuple(parameter.shape):
                parameter.copy_(torch.from_numpy(weight))


def _tensors(torch, inputs: list) -> list:
    """Copies of the arrays as tensors; floats have torch's default dtype."""
    given = [torch.from_numpy(value.copy()) if isinstance(value, np.ndarray) else value for value in inputs]
    return [
        value.to(torch.get_default_dtype()) if getattr(value, "dtype", None) == torch.float64 else value for value in given
    ]


def _output(torch, module, question: dict, given: list):
    """What a call returns. With caches, the outputs of all pieces as one tensor, or the first output that is not a tensor."""
    if not question.get("caches"):
        return getattr(module, question.get("method", "__call__"))(*given)
    tokens, sizes = given
    caches, outputs = [{} for _ in range(question["caches"])], []
    for piece in tokens.split(sizes, dim=1):
        outputs.append(module(piece, caches))
        if not isinstance(outputs[-1], torch.Tensor):
            return outputs[-1]
    return torch.cat(outputs, dim=1)


def _call(torch, module, question: dict, inputs: list, answer, seed: int = 0) -> dict:
    """The output of one call, or the error that it raised, and which of its inputs the call modified."""
    torch.default_generator.manual_seed(seed)
    given = _tensors(torch, inputs)
    try:
        output = record(_output(torch, module, question, given))
    except Exception as error:
        return {"error": type_name(error), "message": described_error(error, answer)}
    changed = [
        place
        for place, (before, after) in enumerate(zip(inputs, given, strict=True))
        if isinstance(before, np.ndarray) and not np.array_equal(before, after.detach().numpy())
    ]
    return {"value": output.value, "type": output.type, "changed": changed[:1]}


def _single(torch, answer, question: dict) -> dict:
    """The dtype of the first call's output in float32, torch's usual precision, or the error that it raised."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float32)
    try:
        module = _constructed(torch, answer, question, seed=0)
        given = _tensors(torch, question["calls"][0])
        return {"dtype": str(getattr(_output(torch, module, question, given), "dtype", ""))}
    except Exception as error:
        return {"error": type_name(error), "message": described_error(error, answer)}
    finally:
        torch.set_default_dtype(before)


def _dropped(torch, answer, question: dict) -> dict:
    """The first call in training mode, of an object constructed with a dropout of 1."""
    question = {**question, "sizes": {**question["sizes"], "dropout": 1.0}}
    module = _constructed(torch, answer, question, seed=0).train()
    return _call(torch, module, question, question["calls"][0], answer)


def _gradients(torch, module, question: dict, inputs: list, answer) -> dict:
    """The gradient of ``(output * probe).sum()`` with respect to each parameter and input; None where there is none."""
    torch.manual_seed(0)
    given, probe = _tensors(torch, inputs), question["probe"]
    floats = [value for value in given if isinstance(value, torch.Tensor) and value.is_floating_point()]
    module.zero_grad()
    try:
        for value in floats:
            value.requires_grad_()
        output = _output(torch, module, question, given)
        if isinstance(output, torch.Tensor) and output.requires_grad and tuple(output.shape) == probe.shape:
            (output * torch.from_numpy(probe)).sum().backward()
    except Exception as error:
        return {"error": type_name(error), "message": described_error(error, answer)}
    named = torch.nn.Module.named_parameters(module, remove_duplicate=False)  # a tied one has several names
    parameters = {name: parameter.grad for name, parameter in named}
    return {"parameters": parameters, "inputs": [getattr(value, "grad", None) for value in given]}
