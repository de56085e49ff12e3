"""Written steps: the parity of 16 bits, answered at once, after dots, or after the parity of every prefix.

A small GPT reads bits, "0110…=", and has to say whether the number of ones is odd. "steps": it writes 16 digits, the parity
after each bit, and the last of them is the answer. "dots": it writes 16 dots and then the answer: as much room, but nothing to
read in it. "at once": it writes only the answer.

Shapes: ``b`` rows, ``n`` bits.
"""

from collections.abc import Callable
from typing import Literal, get_args

import torch
from jaxtyping import Int
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course._util.progress_bar import progress
from transformer_course.config import TransformerConfig
from transformer_course.family import GPT

Writing = Literal["at once", "dots", "steps"]

BITS, LONGEST = 16, 24
STEPS, BATCH = 400, 64
BEGIN, ZERO, ONE, EQUALS, DOT = 1, 4, 5, 6, 7  # ids; the first four belong to special tokens


def rows(writing: Writing, size: int, generator: torch.Generator, bits: int = BITS) -> Int[Tensor, "b m"]:
    """Return random rows: the bits, "=", and what a model should write after it, which ends with the parity.

    Raises ValueError for an unknown way to write.
    """
    if writing not in get_args(Writing):
        raise ValueError(f"writing must be one of {', '.join(get_args(Writing))}, got {writing!r}")
    drawn = torch.randint(2, (size, bits), generator=generator)
    parities = drawn.cumsum(1) % 2
    equals = torch.full((size, 1), EQUALS)
    written = {
        "at once": parities[:, -1:] + ZERO,
        "dots": torch.cat([torch.full((size, bits), DOT), parities[:, -1:] + ZERO], dim=1),
        "steps": parities + ZERO,
    }[writing]
    return torch.cat([drawn + ZERO, equals, written], dim=1)


def new_model(seed: int, num_layers: int = 2) -> GPT:
    """Return an untrained GPT of width 64."""
    torch.manual_seed(seed)
    return GPT(
        TransformerConfig(
            d_model=64,
            num_heads=4,
            num_layers=num_layers,
            d_ff=256,
            dropout=0.0,
            norm="pre",
            activation="gelu",
            positions="learned",
            vocabulary_size=8,
            tied=False,
            scale_embedding=False,
            max_length=2 * LONGEST + 2,
        )
    )


def trained(
    writing: Writing,
    seed: int = 0,
    num_layers: int = 2,
    steps: int = STEPS,
    after_step: Callable[[int, float], None] | None = None,
) -> GPT:
    """Train a model on random rows of 16 bits, with a loss on what follows "=", and return it in evaluation mode."""
    model, generator = new_model(seed, num_layers), torch.Generator().manual_seed(seed)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, betas=(0.9, 0.98))
    for step in progress(range(1, steps + 1), "training"):
        tokens = rows(writing, BATCH, generator)
        logits = model(tokens[:, :-1])[:, BITS:]
        loss = F.cross_entropy(logits.flatten(0, 1), tokens[:, BITS + 1 :].flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if after_step is not None:
            after_step(step, loss.item())
    return model.eval()


@torch.no_grad()
def write(model: nn.Module, given: Int[Tensor, "b m"], count: int) -> Int[Tensor, "b m+count"]:
    """Append ``count`` tokens, greedily."""
    for _ in range(count):
        given = torch.cat([given, model(given)[:, -1:].argmax(-1)], dim=1)
    return given


def accuracy(
    model: nn.Module, writing: Writing, bits: int = BITS, wrong_at: int | None = None, size: int = 200, seed: int = 1000
) -> float:
    """Return how often the last token that the model writes is the parity, on new random rows.

    With ``wrong_at``, the step at this place (counted from 0) is replaced with the wrong one, and the model writes the rest.
    """
    right = rows(writing, size, torch.Generator().manual_seed(seed), bits)
    given, length = right[:, : bits + 1], right.shape[1] - bits - 1
    if wrong_at is not None:
        given = write(model, given, wrong_at + 1)
        given[:, -1] = ZERO + ONE - given[:, -1]
        length -= wrong_at + 1
    return (write(model, given, length)[:, -1] == right[:, -1]).float().mean().item()


def settings() -> dict[str, object]:
    """Return what decides the recorded results."""
    return {"bits": BITS, "steps": STEPS, "rows per step": BATCH, "seeds": [0, 1, 2]}


def record() -> dict[str, object]:
    """Train every way of writing with three seeds, which takes about two and a half minutes; see `records`."""
    found: dict[str, dict[str, list[float]]] = {}

    def note(name: str, measured: str, value: float) -> None:
        found.setdefault(name, {}).setdefault(measured, []).append(round(value, 4))

    for seed in range(3):
        for writing, layers in (("at once", 2), ("at once", 4), ("dots", 2), ("steps", 2)):
            model, name = trained(writing, seed, layers), f"{writing}, {layers} layers"
            note(name, "16 bits", accuracy(model, writing))
            if writing == "steps":
                for bits in (17, 20, 24):
                    note(name, f"{bits} bits", accuracy(model, writing, bits))
                note(name, "step 7 wrong", accuracy(model, writing, wrong_at=7))
    return {"settings": settings(), "accuracy": found}
