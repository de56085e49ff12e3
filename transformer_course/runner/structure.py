"""What a learner's ``nn.Module`` is made of, as data: its parameters, and what looks like a parameter but is not."""

CONTAINERS = {"_parameters", "_buffers", "_modules", "_non_persistent_buffers_set"}  # where nn.Module keeps its parts


def structure_of(torch, module) -> dict:
    """What the object is made of: its parameters, and what looks like a parameter but is not."""
    parameters, constants, shared, first = {}, {}, {}, {}
    for name, parameter in torch.nn.Module.named_parameters(module, remove_duplicate=False):
        parameters[name] = list(parameter.shape)
        if parameter.numel() and bool((parameter == parameter.flatten()[0]).all()):
            constants[name] = parameter.flatten()[0].item()
        if first.setdefault(id(parameter), name) != name:
            shared[name] = first[id(parameter)]
    tensors, listed = [], []
    for path, part in torch.nn.Module.named_modules(module):
        for name, value in vars(part).items():
            if name in CONTAINERS:
                continue
            held = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list | tuple) else []
            if isinstance(value, torch.Tensor):
                tensors.append(f"{path}.{name}".lstrip("."))
            if any(isinstance(item, torch.nn.Module | torch.nn.Parameter) for item in held):
                listed.append(f"{path}.{name}".lstrip("."))
    buffers = [name for name, _ in torch.nn.Module.named_buffers(module)]
    found = {"parameters": parameters, "constants": constants, "shared": shared, "buffers": buffers}
    return {**found, "tensors": tensors, "listed": listed}
