"""Kernels that pytest starts get the surroundings in which lessons are built."""

import os
import tempfile
from pathlib import Path

import pytest

from transformer_course.authoring.execute import kernel_environment


def pytest_configure(config: pytest.Config) -> None:
    folder = tempfile.TemporaryDirectory(prefix="transformer-course-")
    config.add_cleanup(folder.cleanup)
    os.environ.update(kernel_environment(Path(folder.name)))
    os.environ["TRANSFORMER_COURSE_TRAINING"] = "short"  # the Build's stages train for a few steps only
