"""Run an answer that is a learner's ``nn.Module``: construct it, load weights and call it.

Weights, inputs, outputs and gradients are NumPy arrays on the way in and out. Torch is used only if the learner's code has
imported it; no reference is known here. Torch's default dtype and random numbers are as before afterwards.
"""

import inspect
from collections.abc import Iterable
from types import SimpleNamespace

import numpy as np

from .outcome import described_error, record, type_name
from .structure import buffers, named_parameters, stored, structure_of
from .tensors import Tensors, tensors

WITHOUT_INIT = "cannot assign parameters before Module.__init__() call"  # torch's own words


class NotAModule(Exception):
    """The answer is not a class derived from ``nn.Module``. The message says what it is instead."""


def run_class(answer, question: dict) -> dict:
    """Construct ``answer(**sizes)``, load the weights by name, and make each call; return everything as data.

    A constructor with other names is not called: what it ``takes`` is all that comes back. A mapping among the sizes becomes
    an object with these attributes, such as the config of a Transformer. With a number of ``caches``, the inputs of a call are
    tokens and the sizes of the pieces in which the object gets them, one after another, with that many mappings that begin
    empty; the output is that of all pieces together.

    The names and shapes of the parameters come back as ``structure``. If they are not those of the weights, nothing is called.
    ``calls`` are made in order on one object, each with its inputs as they were afterwards (``given``). ``other`` are the
    same calls in the opposite order, on another object, which gets some sizes by position; ``placed`` are its parameters,
    or the error that was raised. ``repeated`` is the first call once more, ``reseeded`` once more with other random
    numbers, and ``again`` once more with the very same tensors. ``single`` are calls in float32, and ``elsewhere`` is the
    first one on a device without numbers. ``trained`` is the first call in training mode, of an object without dropout,
    and ``dropped``, if asked for, the same of one that drops everything. ``methods`` are calls of the object's methods, by
    their names. ``initial`` are the numbers with which the parameters in ``starts`` begin.
    ``gradients`` belong to ``(output * probe).sum()`` for the first call: those of its ``inputs``, and all parameters after
    one ``step`` of plain SGD, at the learning rate in the question.
    """
    torch = tensors()
    if torch is None or not (isinstance(answer, type) and issubclass(answer, torch.Module)):
        raise NotAModule(_what_it_is(torch, answer))
    takes = inspect.signature(answer).parameters
    if not takes.keys() >= question["sizes"].keys() and not any(each.kind is each.VAR_KEYWORD for each in takes.values()):
        return {"takes": list(takes)}
    question = {**question, "optional": {name: each for name, each in question["optional"].items() if name in takes}}
    with torch.precision(torch.float64):
        found = _run(torch, answer, question)
    found["takes"] = list(takes)
    if not any(_mixes_precisions(call) for call in [*found.get("calls", []), *found.get("methods", [])]):
        return found
    with torch.precision(torch.float32):
        single = _run(torch, answer, question)
    return found if any("error" in call for call in single.get("calls", [])) else {**found, **single}


def run_around_linear(answer, question: dict) -> dict:
    """As `run_class`, for a class whose constructor takes a linear layer, as ``answer(layer, rank, alpha)``.

    The question has the sizes of that layer, and whether it has a bias, in its place.
    """
    torch = tensors()
    if torch is None or not (isinstance(answer, type) and issubclass(answer, torch.Module)):
        raise NotAModule(_what_it_is(torch, answer))

    def around(self, d_in, d_out, rank, alpha, bias=True):
        answer.__init__(self, torch.Linear(d_in, d_out, bias), rank, alpha)

    return run_class(type(answer.__name__, (answer,), {"__init__": around}), question)


def run_of_linear(answer, question: dict) -> dict:
    """Construct ``answer(layer)`` of a linear layer with this weight and bias, in float32, and make the calls.

    What is stored as ``weight`` comes back as ``codes`` with its ``dtype``; with its ``scale`` and the ``bytes`` of everything
    that is stored, and whether one of these two has a gradient, as ``trained``. ``reopened`` is the first call of another
    object, made of another layer, into which all of it was loaded.
    """
    torch = tensors()
    if torch is None or not (isinstance(answer, type) and issubclass(answer, torch.Module)):
        raise NotAModule(_what_it_is(torch, answer))

    def made(weight):
        layer = torch.Linear(weight.shape[1], weight.shape[0], question["bias"] is not None)
        _load(torch, layer, {"weight": weight, "bias": question["bias"]})
        return answer(layer)

    with torch.precision(torch.float32):
        module, other = made(question["weight"]), made(np.ones_like(question["weight"]))
        kept = dict(stored(torch, module))
        found = {name: torch.array(each).copy() for name, each in kept.items()}
        with torch.without_gradients(), torch.plain():
            for name, each in stored(torch, other):
                if name in kept and torch.shape_of(each) == torch.shape_of(kept[name]):
                    torch.copy_(each, kept[name])
        outputs = [record(module(*_tensors(torch, [x]))).value for x in question["calls"]]
        reopened = record(other(*_tensors(torch, question["calls"][:1]))).value
    return {
        "codes": found.get("weight"),
        "dtype": str(found["weight"].dtype) if "weight" in found else "",
        "scale": found.get("scale"),
        "bytes": sum(each.nbytes for each in found.values()),
        "trained": any(torch.requires_grad.__get__(each) for name, each in kept.items() if name in ("weight", "scale")),
        "outputs": outputs,
        "reopened": reopened,
    }


def _run(torch: Tensors, answer, question: dict) -> dict:
    module = _constructed(torch, answer, {**question, "weights": {}}, seed=0)
    structure, calls, weights = structure_of(torch, module), question["calls"], question["weights"]
    starts = question.get("starts", [])
    initial = {name: torch.array(each).copy() for name, each in named_parameters(torch, module) if name in starts}
    if {name: tuple(shape) for name, shape in structure["parameters"].items()} != {
        name: weight.shape for name, weight in weights.items()
    }:
        return {"structure": structure}
    try:
        other = _constructed(torch, answer, question, seed=1, placed=question["placed"])
    except Exception as error:
        return {"structure": structure, "placed": {"error": type_name(error), "message": described_error(error, answer)}}
    _load(torch, module, weights)
    given = [_tensors(torch, inputs) for inputs in calls]
    made = [_call(torch, module, question, inputs, answer) for inputs in given]
    afterwards = [[torch.array(value).copy() if isinstance(value, torch.Tensor) else None for value in each] for each in given]

    def first(module, **changed) -> dict:
        return _call(torch, module, question, _tensors(torch, calls[0]), answer, **changed)

    return {
        "structure": structure,
        "placed": structure_of(torch, other),
        "calls": [{**call, "given": after} for call, after in zip(made, afterwards, strict=True)],
        "other": [_call(torch, other, question, _tensors(torch, inputs), answer) for inputs in calls[::-1]][::-1],
        "repeated": first(module),
        "reseeded": first(module, seed=1),
        "again": _call(torch, module, question, given[0], answer),
        "single": [_single(torch, answer, question, inputs) for inputs in question["single"]],
        "elsewhere": _elsewhere(torch, answer, question),
        "trained": _in_training(torch, answer, question, dropout=0.0),
        "dropped": _in_training(torch, answer, question, dropout=1.0) if question.get("dropped") else {},
        "methods": [
            _call(torch, module, {"method": name}, _tensors(torch, inputs), answer)
            for name, inputs in question.get("methods", [])
        ],
        "initial": initial,
        "gradients": _gradients(torch, module, question, calls[0], answer),  # the last, since it changes the parameters
    }


def _mixes_precisions(call: dict) -> bool:
    """Whether a call raised an error about float32 beside float64: a class that says `.float()` may be right in float32."""
    words = call.get("message", "").lower()
    return "error" in call and "float" in words and "double" in words


def _what_it_is(torch: Tensors | None, answer) -> str:
    if torch is not None and isinstance(answer, torch.Module):
        return f"an object of the class {type_name(answer)}"
    if isinstance(answer, type):
        return "a class that is not derived from nn.Module"
    return type_name(answer)


def _constructed(torch: Tensors, answer, question: dict, seed: int, placed: Iterable[str] = ()):
    """An object of the class in torch's default dtype and eval mode, with the weights loaded where they fit.

    The sizes called ``placed`` are passed by position.
    """
    torch.seed(seed)
    sizes = {name: SimpleNamespace(**size) if isinstance(size, dict) else size for name, size in question["sizes"].items()}
    module = answer(*[sizes.pop(name) for name in placed], **sizes, **question["optional"])
    if "_parameters" not in torch.attributes(module):
        raise AttributeError(WITHOUT_INIT)
    module.to(torch.default_dtype()).eval()
    _load(torch, module, question["weights"])
    return module


def _load(torch: Tensors, module, weights: dict) -> None:
    with torch.without_gradients(), torch.plain():
        for name, parameter in named_parameters(torch, module):
            weight = weights.get(name)
            if weight is not None and weight.shape == torch.shape_of(parameter):
                torch.copy_(parameter, torch.from_numpy(weight))


def _tensors(torch: Tensors, inputs: list) -> list:
    """Copies of the arrays as tensors; floats have torch's default dtype."""
    given = [torch.from_numpy(value.copy()) if isinstance(value, np.ndarray) else value for value in inputs]
    return [torch.to(value, torch.default_dtype()) if _is_float(torch, value) else value for value in given]


def _is_float(torch: Tensors, value) -> bool:
    return isinstance(value, torch.Tensor) and torch.dtype.__get__(value) in (torch.float32, torch.float64)


def _output(torch: Tensors, module, question: dict, given: list):
    """What a call returns. With caches, the outputs of all pieces as one tensor, or the first output that is not a tensor."""
    if not question.get("caches"):
        return getattr(module, question.get("method", "__call__"))(*given)
    tokens, sizes = given
    caches, outputs, start = [{} for _ in range(question["caches"])], [], 0
    for size in sizes:
        outputs.append(module(torch.narrow(tokens, 1, start, size), caches))
        start += size
        if not isinstance(outputs[-1], torch.Tensor):
            return outputs[-1]
    return torch.cat(outputs, dim=1)


def _call(torch: Tensors, module, question: dict, given: list, answer, seed: int = 0) -> dict:
    """What a call returned, its dtype and whether it has a gradient, or its error. Without a module, a new one is called."""
    torch.seed(seed)
    try:
        module = _constructed(torch, answer, question, seed) if module is None else module
        output = _output(torch, module, question, given)
        dtype = str(torch.dtype.__get__(output)) if isinstance(output, torch.Tensor) else ""
        recorded = record(output)
    except Exception as error:
        return {"error": type_name(error), "message": described_error(error, answer)}
    graph = isinstance(output, torch.Tensor) and torch.requires_grad.__get__(output)
    return {"value": recorded.value, "type": recorded.type, "dtype": dtype, "graph": graph}


def _single(torch: Tensors, answer, question: dict, inputs: list) -> dict:
    """A call in float32, torch's usual precision."""
    with torch.precision(torch.float32):
        return _call(torch, None, question, _tensors(torch, inputs), answer)


def _elsewhere(torch: Tensors, answer, question: dict) -> dict:
    """The dtype, or the error, of the first call in float32, while torch's default is float64 in the first of two runs.

    A tensor that follows the input neither in its dtype nor in its device shows.
    """
    try:
        with torch.one_device() as devices:
            module = _constructed(torch, answer, question, seed=0).to(torch.float32)
            devices.move(buffers(torch, module))
            given = _tensors(torch, question["calls"][0])
            given = [torch.to(value, torch.float32) if _is_float(torch, value) else value for value in given]
            return {"dtype": str(torch.dtype.__get__(_output(torch, module, question, given)))}
    except Exception as error:
        return {"error": type_name(error), "message": described_error(error, answer)}


def _in_training(torch: Tensors, answer, question: dict, dropout: float) -> dict:
    """The first call in training mode, of an object constructed with this dropout, if it or its config takes one."""
    rate, optional = {"dropout": dropout}, {name: each for name, each in question["optional"].items() if name != "dropout"}
    sizes = {name: {**size, **rate} if isinstance(size, dict) else size for name, size in question["sizes"].items()}
    sizes |= rate if question.get("dropped") or "dropout" in inspect.signature(answer).parameters else {}
    question = {**question, "sizes": sizes, "optional": optional}
    module = _constructed(torch, answer, question, seed=0).train()
    return _call(torch, module, question, _tensors(torch, question["calls"][0]), answer)


def _gradients(torch: Tensors, module, question: dict, inputs: list, answer) -> dict:
    """The gradients of ``(output * probe).sum()`` at the inputs, and the parameters after a step against their own."""
    torch.seed(0)
    given, probe = _tensors(torch, inputs), question["probe"]
    held = {id(parameter): parameter for _, parameter in named_parameters(torch, module)}.values()
    try:
        for parameter in held:
            torch.grad.__set__(parameter, None)
        for value in given:
            if _is_float(torch, value):
                torch.requires_grad_(value)
        output = _output(torch, module, question, given)
        if isinstance(output, torch.Tensor) and torch.requires_grad.__get__(output) and torch.shape_of(output) == probe.shape:
            torch.backward(output, torch.to(torch.from_numpy(probe), torch.dtype.__get__(output)))
    except Exception as error:
        return {"error": type_name(error), "message": described_error(error, answer)}
    with torch.without_gradients(), torch.plain():
        for parameter in held:
            if (gradient := torch.grad.__get__(parameter)) is not None:
                torch.sub_(parameter, gradient, alpha=question["rate"])
    step = {name: torch.array(parameter).copy() for name, parameter in named_parameters(torch, module)}
    gradients = [torch.grad.__get__(value) if isinstance(value, torch.Tensor) else None for value in given]
    return {"step": step, "inputs": [None if gradient is None else torch.array(gradient) for gradient in gradients]}
