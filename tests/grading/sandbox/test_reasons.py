"""What works on a learner's computer and not during grading is named with the true reason."""

import pytest

from transformer_course.exercises.catalogue import by_lesson
from transformer_course.grading.judging.judge import grade
from transformer_course.grading.judging.time_limits import TimeLimits
from transformer_course.grading.sandbox.bubblewrap import Bubblewrap
from transformer_course.grading.sandbox.supervisor import Sandbox
from transformer_course.grading.submissions.notebook_file import Cell
from transformer_course.runner import limits

STARTS_NOTHING = "cannot start programs or processes"
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


@pytest.fixture(scope="module")
def supervisor(needs_sandbox):
    with Sandbox(Bubblewrap.start()) as sandbox:
        sandbox.ready()
        with sandbox.supervisor() as supervisor:
            yield supervisor


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
        ("%%html\n<b>bold</b>", None),
        ("%%latex\n$x$", None),
    ],
    ids=["loader", "pool", "program", "file", "network", "100 threads", "32 threads", "html", "latex"],
)
def test_a_cell_that_fails_only_during_grading(supervisor, source, reason):
    notes = grade([Cell(source, None, ())], [by_lesson()["01"][0]], 0, supervisor, TimeLimits()).notes
    assert notes == [] if reason is None else reason in notes[0]
