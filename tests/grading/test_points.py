"""points.toml, and the marks that follow from it."""

import pytest
from reporting import POINTS, graded, learner, refused, without_toml

from transformer_course.exercises.catalogue import by_lesson
from transformer_course.grading import points
from transformer_course.grading.errors import GradingError
from transformer_course.grading.graded import Graded
from transformer_course.grading.points import marks, number


def test_the_default_points_are_one_for_each_exercise(tmp_path):
    path = tmp_path / "points.toml"
    for sheet, exercises in by_lesson().items():
        path.unlink(missing_ok=True)
        points.write_default(path, sheet)
        assert points.read(path, sheet) == {exercise.id: 1.0 for exercise in exercises}
        assert all(f": {exercise.prompt}\n{exercise.id} = 1\n" in path.read_text("utf-8") for exercise in exercises)
    kept = path.read_bytes()
    with pytest.raises(GradingError, match="already exists, and was left unchanged"):
        points.write_default(path, "02")
    assert path.read_bytes() == kept


CHANGES = {
    "a line is missing": ("attention.softmax = 1", ""),
    "a typo": ("attention.softmax", "attention.softmx"),
    "negative": ("softmax = 1", "softmax = -1"),
    "NaN": ("softmax = 1", "softmax = nan"),
    "infinite": ("softmax = 1", "softmax = inf"),
    "400 digits": ("softmax = 1", f"softmax = 1{'0' * 400}"),
    "true": ("softmax = 1", "softmax = true"),
    "text": ("softmax = 1", 'softmax = "2"'),
    "a table": ("softmax = 1", "softmax = {}"),
    "no equals sign": ("softmax = 1", "softmax 1"),
    "a decimal comma": ("softmax = 1", "softmax = 1,5"),
    "all zero": (" = 1", " = 0"),
}


def test_points_that_cannot_be_used_are_told(tmp_path, snapshot):
    path, told = tmp_path / "points.toml", {}
    points.write_default(path, "02")
    text = path.read_text("utf-8")
    for case, (before, after) in CHANGES.items():
        assert before in text
        path.write_text(text.replace(before, after), "utf-8")
        told[case] = without_toml(refused(tmp_path, lambda: points.read(path, "02")))
    assert told == snapshot


def test_points_may_be_quoted_and_any_numbers(tmp_path):
    path = tmp_path / "points.toml"
    points.write_default(path, "02")
    text = path.read_text("utf-8").replace("attention.softmax = 1", '"attention.softmax" = 2.5')
    path.write_text("\ufeff" + text.replace("zero_token = 1", "zero_token = 0"), "utf-8")
    given = points.read(path, "02")
    assert (given["attention.softmax"], given["attention.zero_token"]) == (2.5, 0.0)
    assert list(given) == [exercise.id for exercise in by_lesson()["02"]]
    with pytest.raises(GradingError, match="cannot be read"):
        points.read(tmp_path / "nowhere.toml", "02")


def test_marks_and_numbers():
    written = ["", "0", "1", "0.5", "0.33", "100", "12345.68"]
    assert [number(x) for x in (None, 0.0, 1.0, 0.5, 1 / 3, 100.0, 12345.678)] == written
    mark = marks(learner(), graded(None), POINTS)
    assert (mark.total, mark.percent, mark.out_of) == (None, None, 28.0)
    assert marks(learner(), Graded({}), POINTS).total is None
