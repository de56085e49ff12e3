"""A sandbox that ends leaves nothing, even where the system's process 1 collects no processes, as in containers."""

import subprocess
import sys

import pytest

# A process that collects the orphans among its descendants, in place of the system's process 1, as prctl(2) describes.
ENDED = """
import ctypes
import psutil
from transformer_course.grading.sandbox.bubblewrap import Bubblewrap
from transformer_course.grading.sandbox.supervisor import Sandbox

PR_SET_CHILD_SUBREAPER = 36
assert ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0
with Sandbox(Bubblewrap.start()) as sandbox:
    sandbox.ready()
    with sandbox.supervisor() as supervisor, supervisor.process():
        pass
print([child.name() for child in psutil.Process().children()])
"""


@pytest.mark.usefixtures("needs_sandbox")
def test_no_process_is_left_for_process_1_to_collect():
    done = subprocess.run([sys.executable, "-c", ENDED], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
