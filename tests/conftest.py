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
