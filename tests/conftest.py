import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from transformer_course.runner import limits

# No test fails because the computer is busy: examples may take as long as they need, and so may drawing them. And each run
# tries the same examples.
settings.register_profile("course", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("course")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of this test's own progress file."""
    monkeypatch.setenv("TRANSFORMER_COURSE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture(autouse=True)
def patient_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A right answer passes however busy the computer is. Tests of the time limit set their own."""
    monkeypatch.setattr(limits, "ANSWER_SECONDS", 600.0)


@pytest.fixture(autouse=True)
def no_open_figures() -> Iterator[None]:
    """No test finds the figures of another test of its process."""
    yield
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")
