"""What a card shows after a miss and after a pass."""

import html
import re

import numpy as np
from examining import SOFTMAX, solved

from transformer_course import course
from transformer_course._util import paths
from transformer_course.exercises import catalogue, check, choose_path, feedback, passes
from transformer_course.exercises.catalogue import by_lesson
from transformer_course.exercises.lesson_02_self_attention.softmax import softmax
from transformer_course.exercises.solutions import solution_of


def over_the_first_axis(scores):
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum(0)


def summaries(page: str) -> list[str]:
    return re.findall(r"<summary[^>]*>(.*?)</summary>", page)


def test_a_miss_shows_what_is_wrong_and_unfolds_how_to_go_on():
    card, exercise = check(SOFTMAX, over_the_first_axis), catalogue()[SOFTMAX]
    mistake = next(mistake for mistake in exercise.mistakes if mistake.name == "softmax over the first axis")
    number = 1 + len(exercise.hints)
    assert card.title == "Exercise 5 of 7 ✗ Softmax for every shape and size: not yet"
    assert card.paragraphs == (mistake.diagnosis,)
    assert [fold.text for fold in card.folds[:-1]] == [mistake.hint, *exercise.hints]
    assert card.folds[-1].code == solution_of(SOFTMAX)
    page = card._repr_html_()
    assert summaries(page) == [*(f"Hint {n} of {number}" for n in range(1, number + 1)), "Show a solution"]
    assert page.index("<details") > page.index("<table")
    assert page.endswith("</details>" * (number + 1) + "</div>")  # each inside the one before
    assert " open" not in re.findall("<details.*?>", page)


def test_plain_text_says_how_to_get_a_hint_and_not_the_hint(snapshot):
    assert repr(check(SOFTMAX, lambda scores: over_the_first_axis(scores))) == snapshot  # not the answer of another test


def test_a_solution_that_was_unfolded_records_nothing():
    check(SOFTMAX, over_the_first_axis)
    assert SOFTMAX not in passes.passed()


def test_a_small_output_is_shown_beside_the_expected_one(snapshot):
    card = check("attention.causal_mask", lambda n: np.tri(n, dtype=bool).T)
    assert card.comparison == snapshot
    page = card._repr_html_()
    assert re.findall("<th [^>]*>(.*?)</th>", page) == ["Your output", "Expected"]
    assert html.escape(card.comparison["given"], quote=False) in page


def test_a_large_output_or_one_of_another_shape_is_not_compared():
    assert check("attention.causal_mask", lambda n: np.ones(n, bool)).comparison is None
    assert check("heads.split", lambda x, num_heads: x[:, None]).comparison is None
    assert (
        check("attention.causal_mask", lambda n: np.ones((n, n), bool)).comparison["question"] == "n = 3"
    )  # not 1, where it is right


def test_the_answer_itself_is_never_shown():
    for exercise in catalogue().values():
        for mistake in exercise.mistakes if not exercise.is_function else ():
            assert mistake.answer is None or check(exercise.id, mistake.answer).comparison is None, exercise.id


def test_a_pass_says_why_the_answer_is_right_and_shows_ours(home):
    card = check(SOFTMAX, softmax)
    assert card.paragraphs == (catalogue()[SOFTMAX].why,)
    assert [(fold.summary, fold.code) for fold in card.folds] == [("Compare with ours", solution_of(SOFTMAX))]
    assert not card.link


def test_every_exercise_says_why_in_one_sentence():
    for exercise in catalogue().values():
        assert re.fullmatch(r"[A-Z0-9√`].{20,240}[.]", exercise.why), exercise.id
        assert not re.search(r"[.!?] [A-Z]", exercise.why), exercise.id


def test_the_last_pass_of_a_sheet_sums_it_up_and_leads_to_the_next_lesson(home, tmp_path, monkeypatch):
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "exercises").mkdir()
    monkeypatch.chdir(tmp_path / "exercises")
    for exercise in by_lesson()["02"]:
        if exercise.id != SOFTMAX:
            passes.remember(exercise.id)
    card = check(SOFTMAX, softmax)
    assert card.paragraphs[-1].startswith(
        "You have passed all 7 exercises of this notebook: Other numbers, A token of zeros, "
    )
    assert card.link is None  # the next lesson is not in this folder
    assert not check(SOFTMAX, softmax).paragraphs[1:]  # said once
    (tmp_path / "notebooks" / "03_queries_keys_values_and_the_scale.ipynb").touch()
    passes.file().unlink()
    for exercise in by_lesson()["02"]:
        if exercise.id != SOFTMAX:
            passes.remember(exercise.id)
    page = check(SOFTMAX, softmax)._repr_html_()
    assert '<a href="../notebooks/03_queries_keys_values_and_the_scale.ipynb">Go on with lesson 03 · ' in page


def test_the_last_pass_of_a_core_says_that_the_rest_can_be_left_out(home):
    passes.remember("attention.scaled_dot_product")
    for name in ("attention.score_spread", "attention.saturated"):
        passes.remember(name)
    shapes = [(7, 6), (11, 6), (11, 10), (7, 11), (7, 10)]
    card = check("attention.shapes", shapes)
    assert card.title == "Exercise 1 of 3 ✓ Seven look at eleven"
    assert card.paragraphs[-1] == (
        "You have passed the core of this sheet (Seven look at eleven, How far do these scores spread? and What makes it "
        "slow?). You can leave out what is below “More practice”."
    )
    assert not check("attention.shapes", shapes).paragraphs[1:]  # said once
    last = "attention.saturated"  # whoever runs the sheet again is told at its end
    assert check(last, solved(catalogue()[last])).paragraphs[-1] == card.paragraphs[-1]


def test_the_exercise_of_lesson_00_has_no_sheet_to_sum_up(home):
    card = check("start.average", 4)
    assert card.title == "Exercise ✓"
    assert not card.link


def test_a_sheet_leads_to_what_follows_it_on_the_path_and_a_stage_goes_on_below():
    def onward(key: str) -> tuple[str, str] | None:
        return feedback.onward(course.stage(key) if key == "B1" else course.sheet(key), paths.ROOT)

    stage = "Build it: B2 · One head", "../exercises/B2_one_head.ipynb"
    choose_path("everything")
    assert onward("04") == stage
    assert onward("01")[0] == "Go on with lesson 02 · Self-attention by hand"
    choose_path("gpt")
    assert onward("04") == stage
    assert onward("03")[0] == "Go on with lesson 04 · Masks"
    choose_path("today")
    assert onward("18")[0] == "Build it: GPT-2 · Its weights in your code"
    assert onward("B1") is None
