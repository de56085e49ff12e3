"""Keep the commands apart from the folder in which they are run: it may be a learner's, and contain a file ``numpy.py``."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import chdir, suppress
from pathlib import Path

ELSEWHERE = sys.prefix  # a folder that contains no modules


def leave_current_folder() -> None:
    """From now on, import nothing from the current folder, and read no ``matplotlibrc`` there.

    The folder is on Python's path after ``python -m``, or if PYTHONPATH has a relative or an empty entry.
    """
    with suppress(FileNotFoundError):  # the current folder has been deleted
        here = os.path.realpath(os.getcwd())
        sys.path[:] = [entry for entry in sys.path if os.path.isabs(entry) and os.path.realpath(entry) != here]
        if os.path.lexists("matplotlibrc"):  # matplotlib looks there first, but only while it is imported
            with chdir(ELSEWHERE):
                import matplotlib  # noqa: F401


def run_python(arguments: Sequence[str | Path], more: Mapping[str, str] = {}, **options) -> subprocess.CompletedProcess:
    """Run Python so that neither the current folder nor a variable such as PYTHONPATH changes what it imports.

    ``more`` are further environment variables, ``options`` those of `subprocess.run`. The process runs in ``ELSEWHERE``, so
    paths among the arguments must be absolute. Its output is captured.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment = {**kept, "PYTHONUTF8": "1", "MATPLOTLIBRC": os.devnull, **more}
    command = [sys.executable, "-P", *arguments]
    return subprocess.run(command, cwd=ELSEWHERE, env=environment, capture_output=True, check=False, **options)
