"""The number of parameters of a model."""


def size(model) -> int:
    return sum(p.numel() for p in model.parameters())
