"""The file with the course's own parts of the Build is made from the solved stages."""

from types import SimpleNamespace

import pytest

from transformer_course import course
from transformer_course._util import paths
from transformer_course.authoring import course_parts
from transformer_course.course import SourceError
from transformer_course.exercises.catalogue import catalogue
from transformer_course.exercises.learner_parts import parts

HEAD = """import math

# %% exercise="build.head"
class Head:
    ### BEGIN SOLUTION
    x = math.pi
    ### END SOLUTION
"""
MODEL = """from transformer_course.my_transformer import {base}

# %% exercise="build.model"
class Model({base}):
    pass
"""


def test_the_file_is_that_of_the_sources():
    assert course_parts.FILE.read_text(encoding="utf-8") == course_parts.text()


def test_every_part_has_a_name_of_its_own():
    build = [each for each in catalogue().values() if each.id.startswith("build.") and each.is_function]
    assert list(parts().values()) == [each.id for each in build]


@pytest.fixture
def stage(tmp_path, monkeypatch):
    """Write a stage with the parts Head and Model."""
    (tmp_path / "exercises" / "source").mkdir(parents=True)
    monkeypatch.setattr(course, "learning_paths", lambda: ())
    monkeypatch.setattr(paths, "ROOT", tmp_path)
    parts = {"Head": "build.head", "Model": "build.model"}
    exercises = {name: SimpleNamespace(id=name, answer_name=part, blank="...") for part, name in parts.items()}
    monkeypatch.setattr(course_parts, "parts", lambda: parts)
    for module in ("course_parts", "build"):
        monkeypatch.setattr(f"transformer_course.authoring.{module}.catalogue", lambda: exercises)

    def write(number, text):
        title = f'# %% [markdown] lessons=["02"]\n# # B{number} · A stage\n\n# %%\n'
        (tmp_path / f"exercises/source/B{number}_stage.py").write_text(title + text, encoding="utf-8")

    return write


def test_solutions_come_without_markers_and_know_the_stages_before(stage):
    stage(1, HEAD)
    stage(2, MODEL.format(base="Head"))
    head = "class Head:\n    x = math.pi"
    assert course_parts.text() == f"{course_parts.HEADER}\nimport math\n\n\n{head}\n\n\nclass Model(Head):\n    pass\n"


def test_a_part_that_does_not_stand_by_itself_is_reported(stage, snapshot):
    stage(1, HEAD)
    texts = {"a part that is nowhere": "Lost", "a base that the solution misspells": "Head"}
    told = {}
    for case, base in texts.items():
        stage(2, MODEL.format(base=base).replace("(Head)", "(Haed)"))
        with pytest.raises(SourceError) as refused:
            course_parts.text()
        told[case] = str(refused.value)
    assert told == snapshot
