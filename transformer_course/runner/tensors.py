"""What the runner uses of torch, taken once. Learners' code may replace what torch has under a name, but not what is here.

The methods are those of the type that torch implements in C, so that no subclass of a tensor answers in their place.
"""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import numpy as np


class Tensors:
    """The functions and types of torch that are used here."""

    def __init__(self, torch):
        base, native = torch._C.TensorBase, torch._C
        self.Tensor, self.Parameter = base, torch.nn.Parameter
        self.Module, self.Embedding, self.Linear = torch.nn.Module, torch.nn.Embedding, torch.nn.Linear
        self.float32, self.float64, self.bfloat16 = torch.float32, torch.float64, torch.bfloat16
        self.from_numpy, self.as_tensor = torch.from_numpy, torch.as_tensor
        self.cat, self.zeros_like = torch.cat, torch.zeros_like
        self.default_dtype, self.set_default_dtype = torch.get_default_dtype, native._set_default_dtype
        self.records, self.set_records = torch.is_grad_enabled, native._set_grad_enabled
        self.infers, self.inference = torch.is_inference_mode_enabled, native._InferenceMode
        self.modes, self.without_modes = native._len_torch_function_stack, native.DisableTorchFunction
        self.generator, self.seed = torch.default_generator, torch.default_generator.manual_seed
        self.detach, self.cpu, self.numpy, self.float, self.to = base.detach, base.cpu, base.numpy, base.float, base.to
        self.copy_, self.sub_, self.narrow, self.requires_grad_ = base.copy_, base.sub_, base.narrow, base.requires_grad_
        self.grad, self.dtype, self.shape, self.requires_grad = (
            vars(base)[name] for name in ("grad", "dtype", "shape", "requires_grad")
        )
        self.plain = native.DisableTorchFunctionSubclass
        self.run_backward = torch.autograd.Variable._execution_engine.run_backward
        self.attributes = vars(torch.nn.Module)["__dict__"].__get__  # of a module, whatever its class says
        self.one_device = _one_device(torch)

    def array(self, tensor) -> np.ndarray:
        """The numbers of a tensor, in its own memory where that is possible."""
        with self.plain():
            tensor = self.cpu(self.detach(tensor))
            return self.numpy(self.float(tensor) if self.dtype.__get__(tensor) is self.bfloat16 else tensor)

    def shape_of(self, tensor) -> tuple[int, ...]:
        with self.plain():
            return tuple(self.shape.__get__(tensor))

    def backward(self, output, gradient) -> None:
        """Compute the gradients of ``(output * gradient).sum()``."""
        self.run_backward((output,), (gradient,), False, False, (), allow_unreachable=True, accumulate_grad=True)

    @contextmanager
    def without_gradients(self) -> Iterator[None]:
        before = self.records()
        self.set_records(False)
        try:
            yield
        finally:
            self.set_records(before)

    @contextmanager
    def usual(self) -> Iterator[None]:
        """Compute on the processor, in tensors that can have gradients, even in a notebook that has set something else."""
        with ExitStack() as contexts:
            if self.infers():
                contexts.enter_context(self.inference(False))
            if self.modes():  # a default device is one
                contexts.enter_context(self.without_modes())
            yield

    @contextmanager
    def precision(self, dtype) -> Iterator[None]:
        """Make this torch's default dtype, and keep the random numbers used inside from changing those outside."""
        before, recorded, state = self.default_dtype(), self.records(), self.generator.get_state()
        try:
            self.set_records(True)
            self.set_default_dtype(dtype)
            yield
        finally:
            self.set_default_dtype(before)
            self.set_records(recorded)
            self.generator.set_state(state)


TWO_DEVICES = "tensors on two devices"  # the error of a step that a GPU would refuse
MAKERS = ("arange", "empty", "eye", "full", "linspace", "logspace", "ones", "rand", "randint", "randn", "tensor", "zeros")
PLACING = ("to", "type_as", "cuda")  # methods that may give a tensor the device of another one
INDEXING = ("__getitem__", "__setitem__", "copy_")  # what takes tensors from the processor on a GPU, too


def _one_device(torch) -> type:
    """A context that stops a step which takes a tensor made in it without a device, together with one that was there before.

    It sees what would fail on a GPU, on any computer: there, such a tensor stays on the processor.
    """
    makers = [getattr(torch, name) for name in MAKERS]

    class OneDevice(torch.overrides.TorchFunctionMode):
        def __init__(self):
            super().__init__()
            self.unplaced = {}  # by id; held, so that no id is used again

        def move(self, tensors) -> None:
            """These are on the input's device after all, as a module's buffers are."""
            for each in tensors:
                self.unplaced.pop(id(each), None)

        def __torch_function__(self, function, types, given=(), named=None):
            named, name = named or {}, getattr(function, "__name__", "")
            tensors = [each for each in _leaves([*given, *named.values()]) if isinstance(each, torch.Tensor)]
            without = [each for each in tensors if id(each) in self.unplaced]
            placed = [each for each in tensors if id(each) not in self.unplaced]
            allowed = name in PLACING or (name in INDEXING and placed and given[0] is placed[0])
            if placed and any(each.ndim for each in without) and not allowed:
                raise RuntimeError(TWO_DEVICES)
            result = function(*given, **named)
            if name in PLACING and (placed or _names_a_device(torch, [*given[1:], *named.values()])):
                self.move([result])  # which is the tensor itself if it was there already
            elif isinstance(result, torch.Tensor):
                made = not tensors and function in makers and named.get("device") is None
                if made or (without and not placed):
                    self.unplaced[id(result)] = result
            return result

    return OneDevice


def _names_a_device(torch, values: list) -> bool:
    return any(isinstance(each, str | torch.device) for each in values)


def _leaves(values: list | tuple) -> Iterator:
    for value in values:
        if isinstance(value, list | tuple):
            yield from _leaves(value)
        else:
            yield value


_taken: list[Tensors] = []


def tensors() -> Tensors | None:
    """What is used of torch; None if nobody has imported it here."""
    if not _taken and (torch := sys.modules.get("torch")) is not None:
        _taken.append(Tensors(torch))
    return _taken[0] if _taken else None


def imported_torch() -> Tensors:
    """What is used of torch. Raises NameError if the learner's code has not imported it."""
    torch = tensors()
    if torch is None:
        raise NameError("torch has not been imported; run the first cell of this notebook")
    return torch
