"""What takes long to build, and is only read: built once for all processes of a test run."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock


def built_once(factory: pytest.TempPathFactory, name: str, build: Callable[[Path], object]) -> Path:
    """Return the path at which ``build(path)`` has made a file or a folder. Other processes wait until it is there."""
    own = factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own  # a worker's folder is inside the run's folder
    path, begun = shared / name, shared / f"{name}.begun"
    with FileLock(shared / f"{name}.lock"):
        if not path.exists():
            build(begun)
            begun.rename(path)
    return path
