"""corrections.toml: what a teacher sets counts, and a slip of the pen is pointed out."""

from functools import partial
from pathlib import Path

import pytest
from reporting import refused, without_toml

from transformer_course.exercises.catalogue import by_lesson
from transformer_course.exercises.exercise import Verdict
from transformer_course.grading import corrections, points
from transformer_course.grading.errors import GradingError
from transformer_course.grading.graded import Correction, Graded
from transformer_course.grading.submissions.filenames import look_alikes

CLASS = [
    "Quinn rounding",
    "Rene\u0301",  # a letter and a separate accent, as macOS stores names
    "b.c",
    "Robert Bob Smith",  # Moodle leaves quotation marks out of the names of folders
    "OBrien, Mary",
    "OBrien,  Mary",
    "Anna Lee (41200)",
    "Anna Lee (41237)",
]


def corrected(tmp_path: Path, text: str) -> dict:
    worth = {exercise.id: 2.0 for exercise in by_lesson()["02"]}
    (tmp_path / "corrections.toml").write_text(text, "utf-8")
    given, unused = corrections.read(tmp_path / "corrections.toml", dict.fromkeys(CLASS, True), worth)
    assert not unused
    return given


def test_corrections_are_read_with_the_example_in_points_toml(tmp_path):
    assert corrections.read(tmp_path / "corrections.toml", dict.fromkeys(CLASS, True), {}) == ({}, [])
    points.write_default(tmp_path / "points.toml", "02")
    lines = [line.removeprefix("#     ") for line in (tmp_path / "points.toml").read_text("utf-8").splitlines()]
    text = "\n".join(lines[2:4]).replace("Name of the learner", "Quinn rounding")
    once = {"attention.by_hand": Correction(1.0, "rounding accepted")}
    assert corrected(tmp_path, text) == {"Quinn rounding": once}
    text += '\n["Ren\u00e9"]\nattention.softmax = {points = 0, why = "late"}'
    text += '\n["b.c".attention]\nby_hand = {points = 2, why = "?"}'
    rest = {CLASS[1]: {"attention.softmax": Correction(0.0, "late")}, "b.c": {"attention.by_hand": Correction(2.0, "?")}}
    assert corrected(tmp_path, text) == {"Quinn rounding": once, **rest}


UNUSABLE = {
    "a typo in a name": '["Qinn rounding"]\nx = 1',
    "a part of a name": '["quinn"]\nx = 1',  # Moodle appends to names
    "a part of two names": '["anna lee"]',
    "two learners": '["Obrien, Mary"]',
    "an empty heading": '["b.c"]',
    "no heading": '"b.c" = 3',
    "a typo in an exercise": '["b.c"]\nattention.softmx = {points = 1, why = "x"}',
    "a number alone": '["b.c"]\nattention.softmax = 1',
    "points and share": '["b.c"]\nattention.softmax = {points = 1, share = 1, why = "x"}',
    "comment and why": '["b.c"]\nattention.softmax = {comment = "x", why = "x"}',
    "a share above 1": '["b.c"]\nattention.softmax = {share = 1.5, why = "x"}',
    "a typo for everybody": '["*"]\nattention.softmx = {share = 1, why = "x"}',
    "negative": '["b.c"]\nattention.softmax = {points = -1, why = "x"}',
    "too many": '["b.c"]\nattention.softmax = {points = 2.5, why = "x"}',
    "NaN": '["b.c"]\nattention.softmax = {points = nan, why = "x"}',
    "true": '["b.c"]\nattention.softmax = {points = true, why = "x"}',
    "why alone": '["b.c"]\nattention.softmax = {why = "x"}',
    "an unknown key": '["b.c"]\nattention.softmax = {point = 1}',
    "no reason": '["b.c"]\nattention.softmax = {points = 1}',
    "a blank reason": '["b.c"]\nattention.softmax = {points = 1, why = " "}',
    "an empty comment": '["b.c"]\nattention.softmax = {comment = ""}',
    "no TOML": "[b c]",
    "three headings": '["Qinn rounding"]\nx = 1\n["b.c"]\nattention.softmax = {points = 3, why = "x"}\n["OBrien, Mary"]',
}


def test_corrections_that_cannot_be_used_are_told(tmp_path, snapshot):
    told = {case: refused(tmp_path, partial(corrected, tmp_path, text)) for case, text in UNUSABLE.items()}
    assert {case: without_toml(message) for case, message in told.items()} == snapshot


def test_a_share_is_a_part_of_what_the_exercise_is_worth(tmp_path):
    text = '["b.c"]\nattention.softmax = {share = 0.25, why = "late"}'
    assert corrected(tmp_path, text) == {"b.c": {"attention.softmax": Correction(0.5, "late")}}


def test_a_name_fits_as_it_is_or_as_on_a_roster(tmp_path):
    text = "['Robert \"Bob\" Smith']\nattention.softmax = {points = 1, why = 'so'}\n"
    text += '["OBrien, Mary"]\nattention.softmax = {points = 2, why = "so"}'
    set_to = {name: given["attention.softmax"].points for name, given in corrected(tmp_path, text).items()}
    assert set_to == {"Robert Bob Smith": 1.0, "OBrien, Mary": 2.0}


def test_a_name_that_looks_like_another_fits_as_in_grades_csv(tmp_path):
    code = look_alikes(CLASS)["OBrien,  Mary"]
    text = f'["{code}"]\nattention.softmax = {{points = 2, why = "so"}}'
    assert [*corrected(tmp_path, text)] == ["OBrien,  Mary"]


def test_a_comment_sets_no_points(tmp_path):
    text = '["b.c"]\nattention.softmax = {comment = "Nicely put."}'
    assert corrected(tmp_path, text) == {"b.c": {"attention.softmax": Correction(None, "Nicely put.")}}


def test_a_correction_for_everybody_gives_way_to_a_learners_own(tmp_path):
    for_all = '["*"]\nattention.softmax = {share = 1, why = "unclear"}\nattention.zero_token = {comment = "See page 3."}'
    own = '["b.c"]\nattention.softmax = {points = 0, why = "copied"}'
    every = {
        "attention.softmax": Correction(2.0, "unclear", for_all=True),
        "attention.zero_token": Correction(None, "See page 3.", for_all=True),
    }
    expected = dict.fromkeys(CLASS, every) | {"b.c": every | {"attention.softmax": Correction(0.0, "copied")}}
    for text in (f"{for_all}\n{own}", f"{own}\n{for_all}"):
        assert corrected(tmp_path, text) == expected


def test_a_comment_takes_no_correction_for_everybody_away(tmp_path):
    text = '["*"]\nattention.softmax = {share = 1, why = "misprint"}\n["b.c"]\nattention.softmax = {comment = "Nicely put."}'
    given = corrected(tmp_path, text)
    assert given["b.c"] == {"attention.softmax": Correction(2.0, "misprint. Nicely put.")}
    assert given["Quinn rounding"] == {"attention.softmax": Correction(2.0, "misprint", for_all=True)}


def test_a_correction_for_everybody_gives_nothing_to_those_who_handed_in_nothing(tmp_path):
    path = tmp_path / "corrections.toml"
    path.write_text('["*"]\nattention.softmax = {points = 1, why = "unclear"}', "utf-8")
    found, _ = corrections.read(path, {"Ada": True, "Absent": False}, {"attention.softmax": 1.0})
    assert found == {"Ada": {"attention.softmax": Correction(1.0, "unclear", for_all=True)}}


EVERYBODYS, OWN = Correction(2.0, "unclear", for_all=True), Correction(2.0, "right after all")


@pytest.mark.parametrize(("correction", "stays"), [(EVERYBODYS, False), (OWN, True)])
def test_a_correction_for_everybody_is_not_mentioned_where_it_changes_nothing(correction, stays):
    given = {"attention.softmax": correction}
    passed = Graded({"attention.softmax": Verdict(True, "pass", "right", score=1.0)})
    assert bool(corrections.effective(given, passed, {"attention.softmax": 2.0})) == stays
    missed = Graded({"attention.softmax": Verdict(False, "value", "wrong")})
    assert corrections.effective(given, missed, {"attention.softmax": 2.0}) == given


def test_corrections_of_who_is_not_there_have_no_effect_and_stop_nobody(tmp_path):
    path = tmp_path / "corrections.toml"
    given = '["Vic Verdict"]\nx = 1\n["b.c"]\n"attention.softmax" = {points = 1, why = "x"}\n["Quin rounding"]\ny = 2'
    path.write_text(given, "utf-8")
    worth = {"attention.softmax": 1.0}
    corrected, unused = corrections.read(
        path, dict.fromkeys(CLASS, True), worth, gone=["Quin rounding"]
    )  # her results exist, perhaps in the archive
    assert (corrected, unused) == ({"b.c": {"attention.softmax": Correction(1.0, "x")}}, ["Vic Verdict", "Quin rounding"])
    with pytest.raises(GradingError, match="Did you mean `Quinn rounding`"):
        corrections.read(path, dict.fromkeys(CLASS, True), worth)
