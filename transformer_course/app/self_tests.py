"""What `transformer-course doctor` tries in a Python of its own: whether torch computes, and how fast it trains."""

import subprocess
import sys
import time
from itertools import pairwise
from statistics import median

PATIENCE = 180  # seconds: a virus scanner may read all of torch at its first start
LESSON_15 = 450, 64, 25, 200  # steps, pairs in each, steps from look to look, pairs to look at


def in_fresh_python(code: str) -> subprocess.CompletedProcess:
    """Run code in another Python, since a broken package may end it without a word. Raises TimeoutExpired."""
    command = [sys.executable, "-P", "-c", code]
    return subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, timeout=PATIENCE, check=False)


def failure(ran: subprocess.CompletedProcess) -> str:
    """How it ended, and the last that it said."""
    return f"ended with status {ran.returncode}: {last_line(ran.stderr.decode(errors='replace'))}"


def last_line(text: str) -> str:
    """The last line that is not empty."""
    return ([line.strip() for line in text.splitlines() if line.strip()] or ["no reason given"])[-1]


def torch_computes() -> None:
    """Multiply with torch and train a step. Raises whatever goes wrong."""
    import torch

    a = torch.arange(6.0).reshape(2, 3)
    assert (a @ a.T).tolist() == [[5, 14], [14, 50]], "torch multiplies wrongly"
    weights = torch.ones(3, requires_grad=True)
    optimizer = torch.optim.AdamW([weights], lr=0.1)
    before = (a @ weights).square().mean()
    before.backward()
    optimizer.step()
    assert (a @ weights).square().mean() < before, "torch's step of training made the loss no smaller"


def training_time() -> float:
    """About how many seconds lesson 15's first training will take here: a few of its steps, and one look at what it learned.

    The look is longer than the lesson's, since a model that has learned nothing goes on writing; that stands for the figure.
    """
    import torch

    from transformer_course.data import number_pairs
    from transformer_course.experiments.translation import teacher_forced, untrained
    from transformer_course.models.recipes import columns
    from transformer_course.training import batches, exact_match, train, translation_loss

    steps, size, apart, looked_at = LESSON_15
    torch.set_num_threads(min(2, torch.get_num_threads()))
    numbers = number_pairs(50 * size, looked_at)  # 50 batches are what is sorted by length at once
    model, vocabularies = untrained(numbers)
    known, unseen = (columns(part, *vocabularies.values()) for part in numbers)
    times: list[float] = []
    data = batches(*known, batch_size=size)
    train(model, data, translation_loss, 8, after_step=lambda *_: times.append(time.perf_counter()))
    each = median(after - before for before, after in pairwise(times))  # without the first step, the slowest
    begun = time.perf_counter()
    teacher_forced(model, *unseen)
    exact_match(model, *unseen)
    return steps * each + steps // apart * (time.perf_counter() - begun)
