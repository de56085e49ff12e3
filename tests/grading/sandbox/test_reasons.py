"""What works on a learner's computer and not during grading is named with the true reason."""

import pytest

from transformer_course.exercises.catalogue import by_lesson
from transformer_course.grading.judging.judge import grade
from transformer_course.grading.run import TimeLimits
from transformer_course.grading.submissions.notebook_file import Cell
from transformer_course.runner import limits

STARTS_NOTHING = "cannot start programs or processes"
NEEDED_MEMORY = "This needed more than 1024 MiB of memory"
THREADS = """
from concurrent.futures import ThreadPoolExecutor
from threading import Event

all_started = Event()  # no thread may end before, because the pool would give it the next task
with ThreadPoolExecutor({threads}) as pool:
    try:
        done = [pool.submit(all_started.wait) for _ in range({threads})]
    finally:
        all_started.set()
"""
LOADER = """
import torch
from torch.utils.data import DataLoader

numbers = list(DataLoader(torch.arange(8), num_workers=2))
"""


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (LOADER, STARTS_NOTHING),
        ("import multiprocessing\nmultiprocessing.Pool(2)", STARTS_NOTHING),
        ("import subprocess\nsubprocess.run(['ls'])", STARTS_NOTHING),
        ("import pathlib\npathlib.Path('/notes.txt').write_text('x')", STARTS_NOTHING),
        ("import urllib.request\nurllib.request.urlopen('http://example.com')", "there is no network"),
        (THREADS.format(threads=100), f"code can have at most {limits.THREADS} threads"),
        (THREADS.format(threads=32), None),
        ("numbers = bytes(10**12)", NEEDED_MEMORY),
        ("import numpy as np\nnp.ones(10**12)", NEEDED_MEMORY),
        ("import torch\ntorch.ones(10**12)", NEEDED_MEMORY),
        ("%%html\n<b>bold</b>", None),
        ("%%latex\n$x$", None),
    ],
    ids=[
        *("loader", "pool", "program", "file", "network", "100 threads", "32 threads"),
        *("list", "array", "tensor", "html", "latex"),
    ],
)
def test_a_cell_that_fails_only_during_grading(supervisor, source, reason):
    exercise = by_lesson()["01"][0]
    graded = grade([Cell(source, exercise.id, ())], [exercise], 0, supervisor, TimeLimits())
    assert graded.notes == [] if reason is None else reason in graded.notes[0]
    assert graded.verdicts[exercise.id].reason == ("memory" if reason is NEEDED_MEMORY else "missing")
