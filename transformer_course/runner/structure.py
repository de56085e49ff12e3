"""What a learner's ``nn.Module`` is made of. What its class says about itself does not count: methods can say anything."""

from collections import OrderedDict
from collections.abc import Iterator

CONTAINERS = {"_parameters", "_buffers", "_modules", "_non_persistent_buffers_set"}  # where nn.Module keeps its parts


def named_parameters(torch, module) -> Iterator[tuple[str, object]]:
    """Every parameter with its name. One that is in several places comes once for each."""
    for path, part in _parts(torch, module):
        for name, value in _held(torch, part, "_parameters"):
            if type.__subclasscheck__(torch.Parameter, type(value)):  # its metaclass would ask the value
                yield f"{path}{name}", value


def buffers(torch, module) -> Iterator[object]:
    """Every buffer of a module and of its parts."""
    for _, part in _parts(torch, module):
        for _, buffer in _held(torch, part, "_buffers"):
            yield buffer


def stored(torch, module) -> Iterator[tuple[str, object]]:
    """Every tensor that is saved with a module, with its name: parameters, and buffers unless they are not to be saved."""
    yield from named_parameters(torch, module)
    for path, part in _parts(torch, module):
        left_out = torch.attributes(part).get("_non_persistent_buffers_set", ())
        yield from ((f"{path}{name}", each) for name, each in _held(torch, part, "_buffers") if name not in left_out)


def structure_of(torch, module) -> dict:
    """What the object is made of, as data: its parameters, and what looks like a parameter but is not."""
    parameters, shared, first = {}, {}, {}
    for name, parameter in named_parameters(torch, module):
        parameters[name] = list(torch.shape_of(parameter))
        if first.setdefault(id(parameter), name) != name:
            shared[name] = first[id(parameter)]
    tensors, listed, buffers = [], [], []
    for path, part in _parts(torch, module):
        buffers += [f"{path}{name}" for name, _ in _held(torch, part, "_buffers")]
        tensors += [f"{path}{name}" for name, _ in _held(torch, part, "_parameters") if f"{path}{name}" not in parameters]
        for name, value in dict.items(torch.attributes(part)):
            if name in CONTAINERS:
                continue
            held = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list | tuple) else []
            if isinstance(value, torch.Tensor):
                tensors.append(f"{path}{name}")
            if any(isinstance(item, torch.Module | torch.Parameter) for item in held):
                listed.append(f"{path}{name}")
    return {"parameters": parameters, "shared": shared, "buffers": buffers, "tensors": tensors, "listed": listed}


def _parts(torch, module, path: str = "") -> Iterator[tuple[str, object]]:
    """A module and everything within it, with the beginning of the names of what is there."""
    yield path, module
    for name, inner in _held(torch, module, "_modules"):
        yield from _parts(torch, inner, f"{path}{name}.")


def _held(torch, module, container: str) -> list[tuple]:
    held = dict.get(torch.attributes(module), container)
    return [pair for pair in dict.items(held) if pair[1] is not None] if type(held) in (dict, OrderedDict) else []
