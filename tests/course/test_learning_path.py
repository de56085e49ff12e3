"""The paths through the course: what there are, and what is wrong in a file that cannot be used."""

import pytest

from transformer_course import course
from transformer_course.course import SourceError
from transformer_course.course.learning_path import read


def path(steps: str, **says: str) -> str:
    said = {"id": "mine", "title": "Mine", "audience": "For me."} | says
    return "\n".join(["[[path]]", *(f'{key} = "{value}"' for key, value in said.items()), f"steps = {steps}", ""])


def test_everything_has_each_lesson_sheet_and_stage_once_in_an_order_in_which_they_can_be_done():
    *_, everything = course.learning_paths()
    assert sorted(step.name for step in everything.steps) == sorted(source.name for source in course.sources())
    begins = "00, B1, 01–04, B2, 05, B3, 06–11, B4, 12–14, B5, 15, B6, 16, B7, B8, B10, 17, B9, 18, GPT2, 19–"
    assert everything.contents.startswith(begins)  # new lessons come at the end


def test_the_default_path_takes_about_eleven_hours_with_the_cores_of_its_sheets():
    default = course.learning_paths()[0]
    assert any(isinstance(step, course.Sheet) for step in default.steps)
    assert default.duration == "about 11 hours"


def test_a_path_tells_its_hours_its_lessons_and_its_steps_in_short():
    first = path('["00", "02", "sheet 02", "B1", "03", "04", "05"]', id="first")
    one, other = read(first + path('["B2", "06"]', after="first"), course.sources())
    minutes = {name: course.lesson(name).minutes for name in ("00", "02", "03", "04", "05")}
    assert one.minutes == sum(minutes.values()) + course.sheet("02").minutes + course.stage("B1").minutes
    hours = round(one.minutes / 60), round(other.minutes / 60)
    assert one.duration == f"about {hours[0]} hours"
    assert other.duration == f"about {hours[1]} hours more, after “Mine”"
    assert one.contents == "00, 02, B1, 03–05, with the core of sheet 02"
    assert other.lessons == {"00", "02", "03", "04", "05", "06"}
    assert one.lessons_before("04") == {"00", "02", "03"}
    assert one.lessons_before("06") == one.lessons  # which it leaves out


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("[[paths]]\n", id="no path"),
        pytest.param(path('["00"]', step="00"), id="unknown key"),
        pytest.param(path('"00"'), id="steps in no list"),
        pytest.param('[[path]]\nid = "mine"\naudience = "For me."', id="no title"),
        pytest.param(path('["00"]') * 2, id="two with one id"),
        pytest.param(path('["00"]', after="later") + path('["00"]', id="later"), id="after a later one"),
        pytest.param(path('["00", "99"]'), id="no such step"),
        pytest.param(path('["00", ["01"]]'), id="a list in it"),
        pytest.param(path('["00", "02", "00"]'), id="twice"),
        pytest.param(path('["00", "B1", "03", "B2", "04"]'), id="before its lesson"),
        pytest.param(path('["00", "02", "03", "04", "B2"]'), id="without the stage before it"),
        pytest.param(path('["sheet 02"]'), id="a sheet without its lesson"),
    ],
)
def test_a_file_that_cannot_be_used_is_told_in_one_sentence(text, snapshot):
    with pytest.raises(SourceError) as raised:
        read(text, course.sources())
    assert str(raised.value) == snapshot


def test_a_file_that_is_no_toml_is_told_by_its_name():
    with pytest.raises(SourceError, match=r"^notebooks/source/paths\.toml: .*line 2"):
        read("[[path]]\nid == 3\n", course.sources())
