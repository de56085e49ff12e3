"""The tests that `transformer-course doctor` runs in separate processes: does torch work, and how fast does it train?"""

import os
import subprocess
import time
from itertools import pairwise
from statistics import median

from transformer_course._util.isolation import run_python

TIMEOUT = 180  # seconds; when torch is first used, a virus scanner may read all of it


def in_fresh_python(code: str) -> subprocess.CompletedProcess:
    """Run code in a separate Python process, because a broken package may crash it. Raises TimeoutExpired.

    It finds packages where a kernel would, in the folders of PYTHONPATH too.
    """
    folders = [entry for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if os.path.isabs(entry)]
    more = {"PYTHONPATH": os.pathsep.join(folders)}
    return run_python(["-c", code], more, stdin=subprocess.DEVNULL, timeout=TIMEOUT)


def describe_failure(process: subprocess.CompletedProcess) -> str:
    """Describe a process that failed: its exit status and its last line of output."""
    return f"ended with status {process.returncode}: {last_line(process.stderr.decode(errors='replace'))}"


def last_line(text: str) -> str:
    """Return the last line that is not empty."""
    return ([line.strip() for line in text.splitlines() if line.strip()] or ["no reason given"])[-1]


def torch_computes() -> None:
    """Multiply two matrices and take a training step with torch. Raises an error if either goes wrong."""
    import torch

    a = torch.arange(6.0).reshape(2, 3)
    assert (a @ a.T).tolist() == [[5, 14], [14, 50]], "torch gives a wrong matrix product"
    weights = torch.ones(3, requires_grad=True)
    optimizer = torch.optim.AdamW([weights], lr=0.1)
    before = (a @ weights).square().mean()
    before.backward()
    optimizer.step()
    assert (a @ weights).square().mean() < before, "a training step in torch did not reduce the loss"


def training_time() -> float:
    """Estimate how many seconds the first training of lesson 15 will take here, from a few steps and one evaluation.

    This evaluation takes longer than those in the lesson, because an untrained model does not know when to stop. The
    difference makes up for the lesson's figure, which is not drawn here.
    """
    import torch

    from transformer_course.data import number_pairs
    from transformer_course.experiments.translation import BATCH_SIZE, STEPS, TEST_EVERY, TEST_SIZE, teacher_forced, untrained
    from transformer_course.models.recipes import columns
    from transformer_course.training import batches, exact_match, train, translation_loss

    torch.set_num_threads(min(2, torch.get_num_threads()))
    numbers = number_pairs(50 * BATCH_SIZE, TEST_SIZE)  # `batches` sorts 50 batches at a time by length
    model, vocabularies = untrained(numbers)
    known, unseen = (columns(part, *vocabularies.values()) for part in numbers)
    times: list[float] = []
    data = batches(*known, batch_size=BATCH_SIZE)
    train(model, data, translation_loss, 8, after_step=lambda *_: times.append(time.perf_counter()))
    per_step = median(after - before for before, after in pairwise(times))  # leaves out the first step, which is the slowest
    started = time.perf_counter()
    teacher_forced(model, *unseen)
    exact_match(model, *unseen)
    return STEPS * per_step + STEPS // TEST_EVERY * (time.perf_counter() - started)
