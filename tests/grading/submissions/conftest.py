from pathlib import Path

import pytest


@pytest.fixture
def folder(tmp_path) -> Path:
    (tmp_path / "class").mkdir()
    return tmp_path / "class"
