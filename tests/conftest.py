import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("course", deadline=None)  # the first call of a kernel may take long; that is no defect
settings.load_profile("course")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of this test's own progress file."""
    monkeypatch.setenv("TRANSFORMER_COURSE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture(scope="session")
def locks() -> None:
    """Skips where the locks of grading cannot be had; in continuous integration they must be there."""
    from transformer_course.grading.errors import Unavailable
    from transformer_course.grading.sandbox.bubblewrap import Bubble
    from transformer_course.grading.sandbox.supervisor import Sandbox

    try:
        with Sandbox(Bubble.start()) as sandbox:
            sandbox.ready()
    except Unavailable as reason:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(reason))
