"""The threads of one learner leave room for another's."""

import subprocess
import sys

import pytest

from transformer_course.grading.sandbox.inside import locks

START = """
import time
from transformer_course.grading.sandbox.bubblewrap import Bubblewrap
from transformer_course.grading.sandbox.supervisor import Sandbox
CELL = '''
import threading
numbers = bytes(900 * 2**20)
for _ in range(60):
    threading.Thread(target=threading.Event().wait, daemon=True).start()
'''
end = time.monotonic() + 600
with Sandbox(Bubblewrap.start()) as sandbox:
    sandbox.ready()
    with sandbox.supervisor() as one, sandbox.supervisor() as other, one.process() as first, other.process() as second:
        for process in (first, second):
            process.send({"cells": [[1, CELL]]}, end)
        print([process.receive(end)["error"] for process in (first, second)])
"""


@pytest.mark.slow
@pytest.mark.usefixtures("needs_sandbox")
@pytest.mark.parametrize("stack", ["8192", "65536", "unlimited"])
def test_threads_take_nothing_from_the_memory_that_a_learner_may_use_or_from_a_neighbour(stack):
    """However large the terminal makes the stack of each."""
    script = f'ulimit -s {stack}; exec "$0" -c "$1"'
    ran = subprocess.run(["bash", "-c", script, sys.executable, START], capture_output=True, text=True, check=True)
    assert ran.stdout == "[None, None]\n"


@pytest.mark.parametrize(
    ("release", "most", "limit"),
    [("6.18.44-generic", -1, 64), ("5.14.0-503.el9", 5000, 64), ("5.10.0-28-amd64", -1, 6400), ("4.18.0", 5000, 5000)],
)
def test_an_older_kernel_counts_everybody_so_the_limit_is_larger(release, most, limit):
    assert locks.threads(release, most) == limit
