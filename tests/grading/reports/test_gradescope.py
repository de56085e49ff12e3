"""Gradescope can read a result, and grading can continue from it; anything damaged is graded again."""

import json

import pytest
from reporting import EXERCISES, POINTS, graded, learner, missed

from transformer_course.grading.reports import report


def test_gradescope_finds_what_it_reads(tmp_path):
    report.write(tmp_path, "02", [(learner(), graded(missed(0.5, hint="Look."), notes=["A cell failed."]))], POINTS, "e1")
    content = json.loads((tmp_path / "results.json").read_bytes())
    assert content == json.loads((tmp_path / "results" / "anna.json").read_bytes())
    assert content["score"] == 27.5
    assert content["output"] == "27.5 of 28 points\nA cell failed."
    assert content["output_format"] == content["test_output_format"] == "text"
    first, second, *_ = content["tests"]
    assert first == {
        "number": "1",
        "name": f"Other numbers: {EXERCISES[0].prompt}",
        "score": 0.5,
        "max_score": 1.0,
        "status": "failed",
        "output": "Not so.\nHint: Look.",
    }
    assert (second["score"], second["max_score"], second["status"]) == (2.0, 2.0, "passed")
    assert sum(test["score"] for test in content["tests"]) == content["score"]


def test_of_several_submissions_none_is_the_one(tmp_path):
    report.write(tmp_path, "02", [(learner("anna"), graded()), (learner("bea"), graded())], POINTS, "e1")
    assert not (tmp_path / "results.json").exists()
    assert {path.name for path in (tmp_path / "results").iterdir()} == {"anna.json", "bea.json"}


def test_what_was_graded_is_not_graded_again(tmp_path):
    result = graded(missed(0, "Not `so`.", "Look.", "a slip"), EXERCISES[1].empty(), None, notes=("A cell failed.",))
    report.write_one(tmp_path, "anna", "02", learner(), result, POINTS, "e1")
    assert report.load(tmp_path, "anna", "02") == ("d1 anna", "e1", result)
    answers = {EXERCISES[0].id: 'def f(x):\n    return "</pre>"'}
    result = graded(missed(), notes=("x",), cells_failed=True, answers=answers)
    report.write_one(tmp_path, "anna", "02", learner(), result, POINTS, "e1")
    assert report.load(tmp_path, "anna", "02") == ("d1 anna", "e1", result)
    result = graded(*7 * [None], problem="No sandbox.")
    report.write_one(tmp_path, "anna", "02", learner(), result, POINTS, "e1")
    digest, version, again = report.load(tmp_path, "anna", "02")
    assert (digest, version, dict(again.verdicts), again.problem) == ("d1 anna", "e1", result.verdicts, "No sandbox.")
    assert report.load(tmp_path, "anna", "03") is None
    assert report.load(tmp_path, "bea", "02") is None


@pytest.mark.parametrize(
    ("part", "damage"),
    [
        ("digest", 3),
        ("edition", None),
        ("notes", "text"),
        ("notes", [3]),
        ("problem", None),
        ("cells_failed", "yes"),
        ("answers", None),
        ("verdicts", {}),
        ("verdicts", []),
        ("score", 1.5),
        ("score", "1"),
        ("score", float("nan")),
        ("passed", "yes"),
        ("message", None),
        ("more", 1),
    ],
)
def test_a_damaged_result_is_graded_again(tmp_path, part, damage):
    report.write_one(tmp_path, "anna", "02", learner(), graded(), POINTS, "e1")
    path = tmp_path / "results" / "anna.json"
    content = json.loads(path.read_bytes())
    stored = content["extra_data"]
    (stored if part in stored else stored["verdicts"]["attention.softmax"])[part] = damage
    path.write_text(json.dumps(content))
    assert report.load(tmp_path, "anna", "02") is None


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"{}", b'{"extra_data": 3}', b"\xff", b"[" * 100_000, b"9" * 5000])
def test_what_is_no_result_is_graded_again(tmp_path, content):
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "anna.json").write_bytes(content)
    assert report.load(tmp_path, "anna", "02") is None
