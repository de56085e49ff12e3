"""The ladder of the Build: the models of stages B1 to B4, B8 and B9, all trained on the same text and compared by one number.

The number is bits per character on text that was held out. The text is Python's documentation. One character is one token,
except in stage B8 (`build_prose`).

Shapes: ``b`` batch, ``n`` characters, ``v`` vocabulary.
"""

import math
from collections.abc import Callable
from pathlib import Path

import torch
from jaxtyping import Float, Int
from torch import Generator, Tensor, nn
from torch.nn import functional as F

from transformer_course._util import paths
from transformer_course._util.folder_record import read_record, update_record
from transformer_course._util.progress_bar import progress
from transformer_course.data.python_docs import CHARACTERS, decode, encode
from transformer_course.data.windows import windows_at
from transformer_course.decoding import next_token_distribution
from transformer_course.experiments import effort

BATCH, LENGTH, D_MODEL = 32, 64, 96
PEAK, WARMUP = 3e-3, 50  # the learning rate at its highest, and the steps until it gets there
EVERY, ESTIMATED = 25, 4  # steps between two estimates of the loss on held-out text, and the batches of each
# Tests run the stages with a few steps and little data, because they only need to see that nothing breaks.
SHORT = effort.setting() == "short"
FULL, FEW = 600, 20
STEPS = effort.count(FULL, FEW)

GUESSING = (math.log2(len(CHARACTERS)), "all equally likely")  # bits per character, and a name for it
# Bits per character that the course measured, for seeds 0, 1 and 2: python -m benchmarks build-ladder
COURSE: dict[str, tuple[float, float, float]] = {
    "version 0": (2.670, 2.761, 2.733),
    "bigram table": (3.664, 3.664, 3.665),
    "one head, no positions": (3.645, 3.644, 3.644),
    "one head": (3.363, 3.340, 3.368),
    "four heads": (3.262, 3.266, 3.278),
    "one block": (2.563, 2.551, 2.535),
    "three blocks": (2.445, 2.499, 2.493),
    "three blocks, no residuals": (4.600, 4.600, 4.600),
    "three Llama blocks": (2.098, 2.094, 2.085),
    "byte pairs": (1.940, 1.942, 1.942),
    "counts of three tokens": (1.594, 1.594, 1.594),
}
_own: dict[str, float] = {}


def steps() -> int:
    """Return ``STEPS``, the steps of each training, and say so if they are fewer than the course's."""
    return effort.steps(FULL, FEW)


class TextModel(nn.Module):
    """Predict the next character from the last one, and what attention finds among all so far."""

    def __init__(self, attention: nn.Module, positions: bool = True, add_input: bool = True):
        super().__init__()
        # A row per character, and one per position.
        self.tokens = nn.Embedding(len(CHARACTERS), D_MODEL)
        self.positions = nn.Embedding(LENGTH, D_MODEL) if positions else None
        self.attention, self.add_input = attention, add_input
        self.output = nn.Linear(D_MODEL, len(CHARACTERS))

    def forward(self, tokens: Int[Tensor, "b n"]) -> Float[Tensor, "b n v"]:
        """Return logits for the character after each of ``tokens`` (at most ``LENGTH``)."""
        x = self.tokens(tokens)
        if self.positions is not None:
            x = x + self.positions(torch.arange(tokens.shape[1]))
        found = self.attention(x)
        return self.output(x + found if self.add_input else found)


def train(
    model: nn.Module, train_step: Callable[..., float], text: str, steps: int = STEPS, held_out: str | None = None, **options
) -> list[float]:
    """Train a model of characters as `train_on_ids` does, with the same options; return the loss of each step, in nats."""
    unseen = None if held_out is None else encode(held_out)
    return train_on_ids(model, train_step, encode(text), LENGTH, steps, held_out=unseen, **options)


def train_on_ids(
    model: nn.Module,
    train_step: Callable[..., float],
    ids: Int[Tensor, "n"],
    length: int,
    steps: int,
    seed: int = 0,
    after_step: Callable[..., None] | None = None,
    get_batch: Callable[..., tuple[Tensor, Tensor]] = windows_at,
    estimate_loss: Callable[..., float] | None = None,
    held_out: Int[Tensor, "m"] | None = None,
) -> list[float]:
    """Train a model in place with the learner's ``train_step``; return the loss of each step, in nats per token.

    Each step takes ``BATCH`` windows of ``length`` tokens, which the learner's ``get_batch`` cuts out. The learning rate of
    AdamW rises to ``PEAK`` over ``WARMUP`` steps, then falls linearly to 0. ``after_step(step, loss)`` is called after each
    step, so that you can watch the model learn. With the learner's ``estimate_loss``, it also gets ``held_out=``, the loss on
    ``ESTIMATED`` fixed batches of other ids, after every ``EVERY`` steps and the last.
    """

    def batch(ids: Int[Tensor, "n"], generator: Generator) -> tuple[Tensor, Tensor]:
        return get_batch(ids, torch.randint(len(ids) - length, (BATCH,), generator=generator).tolist(), length)

    fixed, generator = (torch.Generator().manual_seed(number) for number in (0, seed))
    unseen = [batch(held_out, fixed) for _ in range(ESTIMATED)] if estimate_loss else []
    optimizer = torch.optim.AdamW(model.parameters(), lr=PEAK)
    losses = []
    model.train()
    for step in progress(range(1, steps + 1), "training"):
        optimizer.param_groups[0]["lr"] = PEAK * min(1, step / WARMUP, (steps - step + 1) / max(1, steps - WARMUP))
        losses.append(train_step(model, optimizer, *batch(ids, generator)))
        if after_step is not None:
            due = unseen and (step % EVERY == 0 or step in (1, steps))
            after_step(step, losses[-1], **({"held_out": estimate_loss(model, unseen)} if due else {}))
    model.eval()
    return losses


@torch.no_grad()
def bits_per_character(model: nn.Module, text: str) -> float:
    """Return the mean of -log₂ p over all characters after the first, read in windows of ``LENGTH``; the rest is left out.

    Raises ValueError for a text of fewer than ``LENGTH`` + 1 characters.
    """
    ids = encode(text)
    count = (len(ids) - 1) // LENGTH
    if count < 1:
        raise ValueError(f"the text must have at least {LENGTH + 1} characters, got {len(ids)}")
    inputs, labels = (ids[shift : shift + count * LENGTH].reshape(count, LENGTH) for shift in (0, 1))
    model.eval()
    batches = zip(inputs.split(128), labels.split(128), strict=True)
    total = sum(F.cross_entropy(model(x).flatten(0, 1), y.flatten(), reduction="sum").item() for x, y in batches)
    return total / labels.numel() / math.log(2)


def _next_probabilities(logits: Float[Tensor, "v"], temperature: float, p: float) -> Float[Tensor, "v"]:
    return next_token_distribution(logits, temperature, top_p=p)


def sample(model: nn.Module, count: int = 300, start: str = "\n", seed: int = 0, **choice) -> str:
    """Return ``count`` characters that the model writes after ``start``, drawn as `continuation` does.

    The model sees at most the last ``LENGTH`` characters. A newline as the start begins a new paragraph.
    """
    return decode(continuation(model, encode(start), count, LENGTH, seed, **choice))


@torch.no_grad()
def continuation(
    model: nn.Module,
    ids: Int[Tensor, "n"],
    count: int,
    length: int,
    seed: int = 0,
    temperature: float = 0.8,
    p: float = 0.9,
    probabilities: Callable[..., Float[Tensor, "v"]] = _next_probabilities,
) -> list[int]:
    """Return ``count`` ids that the model draws after ``ids``, of which it sees at most the last ``length``.

    Each is drawn from ``probabilities(logits, temperature, p)``, as the learner's ``next_probabilities`` gives them.
    """
    seen, generator = ids.tolist(), torch.Generator().manual_seed(seed)
    model.eval()
    for _ in range(count):
        logits = model(torch.tensor([seen[-length:]]))[0, -1]
        seen.append(int(torch.multinomial(probabilities(logits, temperature, p), 1, generator=generator)))
    return seen[len(ids) :]


def record(name: str, bits: float) -> dict[str, float]:
    """Put a measurement on the learner's ladder; return all of theirs, in the order of the course's.

    In a learner's folder they are kept from stage to stage, elsewhere until the kernel stops.

    Raises ValueError for a name that is not in ``COURSE``.
    """
    if name not in COURSE:
        raise ValueError(f"name must be one of {', '.join(COURSE)}, got {name!r}")
    folder = paths.course_folder(Path.cwd())
    kept = read_record(folder).get("ladder") if folder else None
    _own.update(kept if isinstance(kept, dict) else {})
    _own[name] = bits
    own = {each: _own[each] for each in COURSE if isinstance(_own.get(each), float)}
    if folder:
        try:
            update_record(folder, "ladder", own)
        except OSError as error:
            print(f"Your number could not be saved ({error.strerror or error}), so later stages will not show it.")
    return own
