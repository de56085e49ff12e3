"""The page about a class: its numbers are right, and it names nobody."""

import base64
import io

import pytest
from chromium import chromium, open_page
from PIL import Image
from reporting import EXERCISES, Page, graded, learner, missed, run_of, write

from transformer_course.exercises.catalogue import by_lesson, catalogue, exercise_titles
from transformer_course.exercises.exercise import Verdict
from transformer_course.grading.graded import Graded, Submission
from transformer_course.grading.reports.summary import summarise
from transformer_course.runner.run import record


def test_the_summary_counts_a_class_and_names_nobody(tmp_path):
    slip = missed(0.0, "You forgot `exp`.", mistake="no exp")
    other = missed(0.5, "Nearly.", mistake="rounded")
    results = [(learner(f"learner{k}"), graded(slip, missed(0.25), EXERCISES[2].empty())) for k in range(3)]
    results += [(learner(f"learner{k}"), graded(other)) for k in (3, 4)]
    results += [(Submission("learner5", None, "cut"), graded(*7 * [None]))]
    write(tmp_path, results)
    page = Page(tmp_path / "summary.html")
    assert "6 learners, 5 with a mark." in page.text
    text = " ".join(page.text.split())
    assert "passed partly correct not yet no answer not graded" in text
    titles = exercise_titles("02")
    for exercise, share in zip(EXERCISES, (0, 40, 40, 100), strict=False):  # of the five who were graded
        assert f"· {titles[exercise.id]}{share}% " in text
    for exercise, counts in zip(EXERCISES, ("0 2 3 0 1", "2 3 0 0 1", "2 0 0 3 1", "5 0 0 0 1"), strict=False):
        assert f"· {titles[exercise.id]}{exercise.prompt.replace('`', '')} {counts}" in text
    assert (
        "no exp in “Other numbers”, 3 submissions: You forgot exp. rounded in “Other numbers”, 2 submissions: Nearly." in text
    )
    assert "80 to under 90%3 " in text  # 22.5 of 28
    assert "90 to 100%2 " in text
    assert "median is 80.36%" in text
    assert not any(submission.learner in text for submission, _ in results)
    assert "grades.csv" not in text  # the class must not see that
    assert "tr { break-inside: avoid; }" in text  # no row is split when printed
    png = (tmp_path / "mistakes.png").read_bytes()
    with Image.open(io.BytesIO(png)) as image:
        assert image.getchannel("A").getextrema()[0] == 0  # no white block on a dark page
    assert ("src", "data:image/png;base64," + base64.b64encode(png).decode()) in page.attributes
    write(tmp_path, results[-1:])
    assert not (tmp_path / "mistakes.png").exists()


def test_the_class_is_told_that_it_rounded_too_much(tmp_path):
    rounded = [EXERCISES[0].judge(0, [record([0.8668, 0.0159, number])]) for number in (0.117, 0.1169)]
    results = [(learner(str(k)), graded(verdict)) for k, verdict in enumerate(rounded)]
    write(tmp_path, results)
    text = " ".join(Page(tmp_path / "summary.html").text.split())
    assert (
        "rounded too early or too much in “Other numbers”, 2 submissions: The numbers are close. Round only once, at the end"
        in text
    )
    assert "0.117" not in text


def test_one_learners_mistake_is_not_shown_to_the_class(tmp_path):
    slip, common = missed(mistake="only mine"), missed(mistake="of two")
    results = [(learner("a"), graded(slip)), (learner("b"), graded(common)), (learner("c"), graded(common))]
    write(tmp_path, results)
    text = Page(tmp_path / "summary.html").text
    assert "of two" in text
    assert "only mine" not in text


def test_the_class_is_told_of_a_mistake_without_one_learners_numbers(tmp_path):
    test, plan = catalogue()["attention.test_softmax"], next(each for each in by_lesson()["01"] if each.kind == "experiment")
    for exercise, shared in ((test, "naive"), (plan, plan.mistakes[0].name)):
        (sheet,) = (sheet for sheet, exercises in by_lesson().items() if exercise in exercises)
        result = Graded({exercise.id: missed(message="Yours caught 5 of 11.", mistake=shared)})
        (common,) = summarise(run_of([], sheet=sheet, points={exercise.id: 1.0}), [(learner(), result)] * 2).mistakes
        assert "5 of 11" not in common.diagnosis
        assert common.diagnosis in (plan.mistakes[0].diagnosis, "These tests accept a function with this mistake.")


def test_faults_without_a_name_of_their_own_are_counted_too(tmp_path):
    changes = Verdict(False, "mutated", "Your function modifies its argument 1.", score=0.5)
    results = [(learner(name), graded(changes)) for name in ("a", "b")]
    write(tmp_path, results)
    (common,) = summarise(run_of(results), results).mistakes
    assert (common.mistake, common.count) == ("modifies its input", 2)
    assert common.diagnosis == "The values are right, but the function changes the arrays that it is given."
    assert f"{EXERCISES[0].id},modifies its input,2,a; b" in (tmp_path / "mistakes.csv").read_text("utf-8-sig")


def test_answers_that_stop_with_the_same_error_are_counted_together(tmp_path):
    same = "NameError: name 'npp' is not defined"
    crashes = [
        Verdict(False, "error", f"In the call softmax([1, 2]), it raised {same} (in `return npp.exp(x)`)"),
        Verdict(False, "error", f"In the call softmax([3]), it raised {same} (in `e = npp.exp(scores)`)"),
        Verdict(False, "missing", f"After all cells had run, `softmax` did not exist, because its cell raised {same}"),
        Verdict(
            False, "missing", "`softmax` did not exist, because its cell raised SyntaxError: bad; use ( (line 2 of the cell)"
        ),
        Verdict(False, "missing", "`softmax` did not exist, because its cell raised SyntaxError: bad (line 3 of the cell)"),
        Verdict(False, "missing", "`softmax` did not exist, because its cell raised KeyError."),
        Verdict(False, "missing", "`softmax` did not exist, because its cell raised KeyError."),
        Verdict(False, "missing", "After all cells had run, `softmax` did not exist. Did you rename it?"),
        Verdict(False, "missing", "After all cells had run, `softmax` did not exist. Did you rename it?"),
        Verdict(True, "passed", f"It raised {same}"),
        missed(message=f"It raised {same}"),
    ]
    results = [(learner(f"learner{place}"), graded(crash)) for place, crash in enumerate(crashes)]
    write(tmp_path, results)
    common = summarise(run_of(results), results).mistakes
    assert [(each.mistake, each.count) for each in common] == [(same, 3), ("SyntaxError: bad", 2), ("KeyError", 2)]
    assert {each.diagnosis for each in common} == {"These answers stopped with this error."}
    lines = (tmp_path / "mistakes.csv").read_text(encoding="utf-8-sig").splitlines()
    assert lines[1] == f"{EXERCISES[0].id},{same},3,learner0; learner1; learner2"
    assert len(lines) == 4


@pytest.mark.slow
def test_the_class_can_be_read_on_a_phone(tmp_path):
    all_ways = [
        missed(0.5),
        missed(),
        Verdict(False, "error", "No."),
        Verdict(False, "timeout", "No."),
        EXERCISES[0].empty(),
        None,
        EXERCISES[0].passed(),
    ]
    write(tmp_path, [(learner(str(k)), graded(way)) for k, way in enumerate(all_ways)])
    with chromium() as browser:
        page = open_page(browser, 375, 800)
        page.goto((tmp_path / "summary.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") == 375
        heights = page.eval_on_selector_all("table.counts tbody tr", "rows => rows.map(row => row.offsetHeight)")
        assert len(heights) == 7
        assert max(heights) < 120  # a name with one letter per line takes hundreds


def test_a_class_without_mistakes_and_one_without_marks(tmp_path):
    write(tmp_path, [(learner(), graded())])
    assert "No known mistake appears in more than one submission." in Page(tmp_path / "summary.html").text
    assert not (tmp_path / "mistakes.png").exists()
    write(tmp_path, [(learner(), graded(problem="No."))] * 2)
    assert "Totals" not in Page(tmp_path / "summary.html").text
