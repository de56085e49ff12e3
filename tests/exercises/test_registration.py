"""An exercise is registered by being there: in a module of its lesson, and in a cell of the lesson's sheet."""

import os
import subprocess
import sys
from types import ModuleType

import pytest

from transformer_course import course
from transformer_course.course import SourceError
from transformer_course.exercises.catalogue import by_lesson, catalogue, collected, ids_in, in_sheet_order, questions
from transformer_course.exercises.kinds import Number


def number(exercise_id: str) -> Number:
    return Number(id=exercise_id, answer_name="x", prompt="A number.", hints=("one", "two"), value=1, atol=0.1)


def module(**names) -> ModuleType:
    made = ModuleType("lesson")
    vars(made).update(names)
    return made


def sheet(folder, name: str, *exercises: str) -> course.Sheet:
    path = folder / "exercises/source" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f'# %% [markdown]\n# ## Heading\n\n# %% exercise="{e}"\nx = 1\n\n' for e in exercises))
    return course.Sheet(path)


def test_every_lesson_and_sheet_is_in_the_catalogue():
    numbers = {source.number for source in course.lessons()}
    assert {name[:2] for name in questions()} == numbers
    assert list(by_lesson()) == ["00", *(source.number for source in course.sheets_and_stages())]
    assert list(catalogue()) == [exercise.id for exercises in by_lesson().values() for exercise in exercises]


def test_exercises_come_in_the_order_of_their_sheets(tmp_path):
    first, second, third = (number(name) for name in ("a.first", "a.second", "b.third"))
    sources = [sheet(tmp_path, "02_sheet_b.py", "b.third"), sheet(tmp_path, "01_sheet_a.py", "a.first", "a.second")]
    cells = ids_in(sources)
    assert cells == {"02": ["b.third"], "01": ["a.first", "a.second"]}
    found = collected([module(third=third, second=second), module(again=second, first=first, other=1)])
    assert in_sheet_order(found, "01", cells) == [first, second]


def test_an_exercise_without_a_cell_and_a_cell_without_an_exercise_are_refused():
    found = collected([module(first=number("a.first"))])
    with pytest.raises(SourceError, match=r"^no sheet has a cell for 'a\.first'; add one with exercise=\"a\.first\"$"):
        in_sheet_order(found, "01", {"01": []})
    with pytest.raises(SourceError, match=r"^the sheet 01 has a cell for 'a\.frist', but no module of this sheet defines it$"):
        in_sheet_order(found, "01", {"01": ["a.first", "a.frist"]})


def test_a_check_loads_the_exercises_of_its_own_sheet_alone():
    code = "import sys\nfrom transformer_course.exercises import check\ncheck('attention.softmax', 1)\n"
    code += "print(*sorted(name.split('.')[2] for name in sys.modules if '.lesson_' in name and name.count('.') == 2))"
    printed = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert printed == "lesson_02_self_attention\n"


def test_two_exercises_with_one_id_are_refused():
    with pytest.raises(SourceError, match=r"^two exercises have the id 'a\.first'"):
        collected([module(first=number("a.first")), module(first=number("a.first"))])


def test_the_seed_alone_decides_the_questions():
    """A set of strings has another order in each process."""
    code = "from transformer_course.exercises import catalogue\n"
    code += "print({name: exercise.questions(3) for name, exercise in catalogue().items() if exercise.is_function})"
    printed = [
        subprocess.run(
            [sys.executable, "-c", code], check=True, capture_output=True, env={**os.environ, "PYTHONHASHSEED": seed}
        )
        for seed in "12"
    ]
    assert printed[0].stdout == printed[1].stdout
