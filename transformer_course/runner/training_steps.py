"""Run an answer that takes training steps, with a table of logits as its model and plain SGD.

Torch's default dtype and random numbers are as before afterwards.
"""

from collections.abc import Callable

from .outcome import record
from .structure import named_parameters
from .tensors import imported_torch


def run_training_steps(answer, question: dict) -> dict:
    """Call ``answer(model, optimizer, inputs, labels)`` for each batch, with a table of logits as the model, and plain SGD.

    Returns what each call returned, as ``losses`` and their ``types``, the table after each call, as ``tables``, and as
    ``trace`` the order in which the optimizer's methods were called and gradients arrived.
    """
    torch = imported_torch()
    with torch.precision(torch.float64):
        model = torch.Embedding.from_pretrained(torch.from_numpy(question["table"].copy()), freeze=False)
        trace, losses, tables = [], [], []
        model.weight.register_hook(lambda gradient: trace.append("backward"))
        optimizer = _SGD(torch, model, question["rate"], trace)
        for batch in question["batches"]:
            losses.append(record(answer(model, optimizer, *(torch.from_numpy(ids) for ids in batch))))
            ((_, weight),) = named_parameters(torch, model)
            tables.append(torch.array(weight).copy())
        types = [loss.type for loss in losses]
        return {"losses": [loss.value for loss in losses], "types": types, "tables": tables, "trace": trace}


class _SGD:
    """Plain SGD with a record of its calls. In torch.optim, making the first optimizer takes seconds, which answers lack."""

    def __init__(self, torch, model, rate: float, trace: list[str]):
        self.torch, self.trace, self.rate = torch, trace, rate
        self.param_groups = [{"params": list(model.parameters()), "lr": rate}]

    def zero_grad(self, set_to_none: bool = True) -> None:
        self.trace.append("zero_grad")
        for parameter in self.param_groups[0]["params"]:
            if parameter.grad is not None:
                parameter.grad = None if set_to_none else self.torch.zeros_like(parameter)

    def step(self, closure: Callable | None = None):
        loss = None if closure is None else closure()
        self.trace.append("step")
        with self.torch.without_gradients():
            for parameter in self.param_groups[0]["params"]:
                if parameter.grad is not None:
                    self.torch.sub_(parameter, parameter.grad, alpha=self.rate)
        return loss
