from pathlib import Path

import pytest

from transformer_course._util.folder_record import write_record
from transformer_course.experiments import build_ladder, stage_models


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """A learner's folder, in which the kernel of one of its lessons has just started."""
    (tmp_path / "notebooks").mkdir()
    write_record(tmp_path, {})
    monkeypatch.chdir(tmp_path / "notebooks")
    for module, name in ((build_ladder, "_own"), (stage_models, "_written")):
        monkeypatch.setattr(module, name, {})
    return tmp_path
