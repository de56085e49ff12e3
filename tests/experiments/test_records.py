"""Records: what an experiment returned is kept with its day and its command, and read again."""

import sys
from datetime import date
from types import ModuleType

import pytest

from transformer_course.experiments import records


def test_what_an_experiment_returns_is_kept_with_its_day_and_its_command(tmp_path, monkeypatch):
    experiment = ModuleType("transformer_course.experiments.answer")
    experiment.record = lambda: {"settings": {"steps": 3}, "runs": [{"α": 0.5}]}
    monkeypatch.setitem(sys.modules, experiment.__name__, experiment)
    monkeypatch.setattr(records, "FOLDER", tmp_path / "new")
    records.write("answer")
    found = records.recorded("answer")
    assert (found["settings"], found["runs"]) == ({"steps": 3}, [{"α": 0.5}])
    assert date.fromisoformat(found["day"]) <= date.today()
    assert found["made by"] == "python -m transformer_course.experiments.records answer"


def test_an_unknown_record_names_those_that_there_are():
    with pytest.raises(ValueError, match=r"got 'asistant'; choose one of (\w+, )*assistant"):
        records.recorded("asistant")
