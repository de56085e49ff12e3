"""Points that the teacher has set count in every report, and every report says who set them."""

import json
from dataclasses import replace

from reporting import EXERCISES, POINTS, Page, graded, learner, missed, rows, run_of, text_of, write

from transformer_course.grading import store
from transformer_course.grading.graded import Correction, Graded, Submission
from transformer_course.grading.reports.summary import summarise


def test_what_the_teacher_has_set_counts_and_is_shown_everywhere(tmp_path, snapshot):
    first, second = EXERCISES[0].id, EXERCISES[1].id
    third = EXERCISES[2].id
    given = {
        first: Correction(1.0, "rounding `accepted`"),
        second: Correction(0.5, "<b>late"),
        third: Correction(3.0, "shown"),
    }
    result = graded(missed(0.25, "Rounded."), EXERCISES[1].passed(), None)
    write(tmp_path, [(learner(corrections=given), result)])
    (row,) = rows(tmp_path)
    remark = f"Set by your teacher: {first} 1 (rounding `accepted`), {second} 0.5 (<b>late), {third} 3 (shown)."
    assert (row[first], row[second], row["total"], row["remark"]) == ("1", "0.5", "26.5", remark)
    whole = Page(tmp_path / "feedback" / "anna.html")
    assert text_of(tmp_path / "feedback" / "anna.html") == snapshot  # there is no offer of a hint
    assert not {"partly", "missed"} & {value for name, value in whole.attributes if name == "class"}
    assert (tmp_path / "grading.log").read_text("utf-8") == f"anna: {remark}\n"
    content = json.loads((tmp_path / "results.json").read_bytes())
    assert (content["score"], content["output"]) == (26.5, f"26.5 of 28 points\n{remark}")
    scores = [(test["score"], test["status"]) for test in content["tests"][:3]]
    assert scores == [(1, "passed"), (0.5, "failed"), (3, "passed")]
    assert content["tests"][0]["output"] == "Set by your teacher: rounding `accepted`\nThe check said: Rounded."
    assert store.load(tmp_path, "anna", "02")[2] == replace(result, notes=())  # the verdicts stay as the grader reached them
    write(tmp_path, [(learner(), result)])
    assert (rows(tmp_path)[0][first], rows(tmp_path)[0]["total"]) == ("0.25", "")


def test_a_comment_is_shown_and_leaves_the_mark_as_it_is(tmp_path, snapshot):
    first, second = EXERCISES[0].id, EXERCISES[1].id
    said = {first: Correction(None, "Nicely <put>."), second: Correction(None, "Look at page 3.")}
    result = graded(EXERCISES[0].passed(), missed(0.0, "Transposed."))
    write(tmp_path, [(learner(corrections=said), result)])
    (row,) = rows(tmp_path)
    assert (row[first], row[second], row["remark"]) == ("1", "0", "")
    assert text_of(tmp_path / "feedback" / "anna.html")[:13] == snapshot
    tests = json.loads((tmp_path / "results.json").read_bytes())["tests"]
    assert tests[1]["output"].startswith("Your teacher says: Look at page 3.\nTransposed.")
    assert [test["status"] for test in tests[:2]] == ["passed", "failed"]


def test_a_comment_is_shown_to_who_has_no_notebook(tmp_path, snapshot):
    nobody = Submission(
        "anna", None, "Nothing was handed in for sheet 02.", corrections={EXERCISES[1].id: Correction(None, "See me.")}
    )
    write(tmp_path, [(nobody, Graded({}))])
    assert text_of(tmp_path / "feedback" / "anna.html") == snapshot


def test_the_class_is_counted_as_its_teacher_has_set_it():
    slip = graded(missed(mistake="a slip"))
    set_to = [learner(str(points), corrections={EXERCISES[0].id: Correction(points, "so")}) for points in (1.0, 0.5, 0.0)]
    results = [(submission, slip) for submission in (*set_to, learner())]
    summary = summarise(run_of(results), results)
    assert summary.rows[0].standings == {"passed": 1, "partly correct": 1, "not yet": 2}
    assert [common.count for common in summary.mistakes] == [3]


def test_a_teacher_may_give_points_where_there_is_no_verdict(tmp_path):
    unread = Submission("anna", None, "The file is empty; save your notebook in JupyterLab, and hand it in again.")
    some = {EXERCISES[0].id: Correction(1.0, "shown in class")}
    write(tmp_path, [(replace(unread, corrections=some), Graded({}))])
    (row,) = rows(tmp_path)
    assert (row[EXERCISES[0].id], row["total"]) == ("1", "")
    assert row["remark"].endswith("hand it in again. Set by your teacher: attention.by_hand 1 (shown in class).")
    assert "and hand it in again" in Page(tmp_path / "feedback" / "anna.html").text
    all_ = {name: Correction(0.5, "excused") for name in POINTS}
    write(tmp_path, [(replace(unread, corrections=all_), Graded({}))])
    (row,) = rows(tmp_path)
    assert row["total"] == "3.5"
    assert row["remark"].startswith("The file is empty. Your teacher has set these marks. Set by your teacher: attention")
    assert json.loads((tmp_path / "results.json").read_bytes())["score"] == 3.5
    page = Page(tmp_path / "feedback" / "anna.html")
    assert "The file is empty. Your teacher has set these marks." in page.text
    assert "hand in" not in page.text
    assert page.tags.count("section") == 7
    assert "No mark" not in (tmp_path / "grading.log").read_text("utf-8")
