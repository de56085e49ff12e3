"""A terminal may limit its programs to less than a learner may use. Then grading says so before it begins."""

import subprocess
import sys

import pytest

START = """
from transformer_course.grading.sandbox.bubblewrap import Bubblewrap
bubble = Bubblewrap.start()
print(bubble.problem)
bubble.close()
"""


@pytest.mark.usefixtures("needs_sandbox")
@pytest.mark.parametrize(
    ("limit", "words"),
    [
        ("-f 100", "Grading needs files of 32 MiB, but this terminal's limit is lower (ulimit -f)."),
        ("-n 100", "Grading needs 256 open files, "),
        ("-v 8000000", "Grading needs 16384 MiB of address space, "),
        ("-u 63", "Grading needs 64 processes, "),
        ("-i 63", "Grading needs 64 pending signals, "),
        ("-t 99", "Grading needs 100 seconds of processor time, "),
        ("-v unlimited", "None"),
    ],
)
def test_a_lower_limit_is_named(limit, words):
    script = f'ulimit {limit}; exec "$0" -c "$1"'
    ran = subprocess.run(["bash", "-c", script, sys.executable, START], capture_output=True, text=True, check=True)
    assert ran.stdout.startswith(words)
