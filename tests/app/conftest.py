import os
from pathlib import Path

import pytest


@pytest.fixture
def launched(tmp_path, monkeypatch) -> list:
    """Start no JupyterLab; collect the options of each start instead."""
    calls: list = []
    monkeypatch.setattr("jupyterlab.labapp.LabApp.launch_instance", lambda argv: calls.append(argv))
    monkeypatch.setattr("transformer_course.app.jupyter.start.leave", lambda: None)  # it would end the tests
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", "/elsewhere")
    monkeypatch.setenv("PATH", "/programs")
    monkeypatch.chdir(tmp_path)  # lab changes to the learner's folder; afterwards, pytest changes back
    return calls


@pytest.fixture
def index(tmp_path, monkeypatch) -> Path:
    """A folder from which pip takes all packages."""
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    return folder
