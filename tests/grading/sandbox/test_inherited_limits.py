"""A terminal may limit its programs to less than a learner may use. Then grading says so before it begins."""

import json
import subprocess
import sys

import pytest

LIMITS = [
    ("FSIZE", 100 * 1024),
    ("NOFILE", 100),
    ("AS", 8_000_000 * 1024),
    ("NPROC", 63),
    ("SIGPENDING", 63),
    ("CPU", 99),
    ("AS", -1),
]
START = """
import json, os, resource, sys
from transformer_course.grading.sandbox import bubblewrap

bubblewrap.ENDING_SECONDS = 0.0
for name, most in json.loads(sys.argv[1]):
    if os.fork() == 0:
        resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (most, most))
        bubble = bubblewrap.Bubblewrap.start()
        print(f"{name}: {bubble.problem}", flush=True)
        bubble.close()
        os._exit(0)
    os.wait()
"""


@pytest.mark.usefixtures("needs_sandbox")
def test_a_lower_limit_is_named(snapshot):
    ran = subprocess.run([sys.executable, "-c", START, json.dumps(LIMITS)], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines() == snapshot
