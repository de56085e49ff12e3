"""How many numbers a model learns."""


def size(model) -> int:
    return sum(p.numel() for p in model.parameters())
