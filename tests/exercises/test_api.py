"""What a learner meets in a notebook: check, hint and solution, with answers of every unfortunate kind."""

import re
from types import SimpleNamespace

import IPython
import numpy as np
from examining import SOFTMAX, card_text

from transformer_course.exercises import api, catalogue, check, hint, passes, reply, solution
from transformer_course.exercises.lesson_02_self_attention.softmax import softmax
from transformer_course.exercises.progress import rows


def test_a_right_answer_passes_and_is_remembered(home):
    card = check(SOFTMAX, softmax)
    assert card
    assert repr(card).startswith("Exercise 5 of 7 ✓ Softmax for every shape and size")
    assert list(passes.passed()) == [SOFTMAX]
    assert rows()["02 · Self-attention by hand"].practice == 1
    assert (home / "progress.json").exists()


def test_an_unknown_or_forgotten_name_is_asked_for(snapshot):
    cards = {
        "a misspelt name": check("attention.sofmax", softmax),
        "the answer alone": check(softmax),
        "a list": check([SOFTMAX], softmax),
        "half a name for a hint": hint("softmax"),
        "None for a solution": solution(None),
        "nothing": check(),
        "nothing for a hint": hint(),
        "nothing for a solution": solution(),
    }
    assert not any(cards.values())
    assert {name: repr(card) for name, card in cards.items()} == snapshot


def test_a_check_finds_the_answer_in_the_notebook(monkeypatch, snapshot):
    shell = SimpleNamespace(user_ns={})
    monkeypatch.setattr(IPython, "get_ipython", lambda: shell)
    assert repr(check("start.average")) == snapshot
    shell.user_ns["my_average"] = 5
    assert "5 is the plain average" in repr(check("start.average"))
    shell.user_ns["my_average"] = 4
    assert check("start.average")
    assert not check("start.average", 5)  # an answer that is passed comes first


def test_a_check_outside_a_notebook_asks_for_the_answer():
    assert "There is no `softmax` yet" in repr(check(SOFTMAX))


def test_warnings_of_an_answer_stay_out_of_the_page(capsys):
    check(SOFTMAX, lambda scores: np.exp(scores) / np.exp(scores).sum(-1, keepdims=True))
    assert capsys.readouterr().err == ""


def test_only_the_beginning_of_what_an_answer_prints_is_shown(capsys):
    def prints(scores):
        print("A" * 9_999)
        print("B" * 10**6)
        return softmax(scores)

    assert check(SOFTMAX, prints)
    shown = capsys.readouterr().out
    assert shown == "A" * 9_999 + "\n\n… Your answer prints more than 10,000 characters. The rest is not shown.\n"


def test_a_fault_of_the_check_itself_is_not_the_learners(monkeypatch, snapshot):
    def stumble(*_, **__):
        raise KeyError("ours")

    monkeypatch.setattr(api, "examine", stumble)
    assert card_text(softmax) == snapshot


def test_what_was_passed_stays_passed_and_says_so(home):
    assert "it stays passed" not in repr(check("start.average", 5))
    assert check("start.average", 4)
    assert re.search(
        r"You passed this exercise on \d{4}-\d\d-\d\d, and it stays passed\. This message is about",
        repr(check("start.average", 5)),
    )
    assert "start.average" in passes.passed()


def test_an_answer_that_was_not_written_anew_is_told(home):
    same = "This is the same answer as last time. Did you run the cell above, and is your answer still called `my_average`?"
    guess = 5.123  # one object
    assert same not in repr(check("start.average", guess))
    assert same in repr(check("start.average", guess))
    assert same not in repr(check("start.average", float("5.123")))
    assert same not in repr([check("start.average", ...) for _ in range(2)])


def test_the_hint_of_a_recognised_mistake_comes_first(home):
    average = catalogue()["start.average"]
    for mistake in average.mistakes[:2]:  # another mistake: its own hint first
        check("start.average", mistake.answer)
        assert mistake.hint in repr(hint("start.average"))
        assert average.hints[0] in repr(hint("start.average"))
    check("start.average", 4)
    assert mistake.hint not in repr(hint("start.average"))


def test_hints_come_in_steps_and_end_with_the_solution():
    api._hints_given.clear()
    api._missed.clear()
    hints = catalogue()[SOFTMAX].hints
    cards = [repr(hint(SOFTMAX)) for _ in range(len(hints) + 1)]
    for step, text in enumerate(hints):
        assert text in cards[step]
        assert f"Hint {step + 1} of {len(hints)}" in cards[step]
    assert cards[-1] == cards[-2]
    assert f'`solution("{SOFTMAX}")`' in cards[-1]


def test_a_solution_is_shown_on_the_second_request_or_after_a_pass(home):
    api._solutions_asked.clear()
    assert not solution(SOFTMAX).code
    shown = solution(SOFTMAX).code
    assert shown.startswith("def softmax(scores):")
    assert "SOLUTION" not in shown
    api._solutions_asked.clear()
    check(SOFTMAX, softmax)
    assert solution(SOFTMAX).code == shown


def test_a_lesson_from_before_predict_still_runs_and_says_how_to_get_the_new_one(snapshot):
    assert repr(reply("02.zero", "b")) == snapshot


def test_a_card_escapes_what_the_learner_wrote():
    page = check(SOFTMAX, lambda scores: 1 / 0 if scores.ndim else 0)._repr_html_()
    assert "ZeroDivisionError" in page

    def hostile(scores):
        raise ValueError("<script>alert(1)</script>")

    assert "<script>" not in check(SOFTMAX, hostile)._repr_html_()
    assert " at 0x" not in repr(check(SOFTMAX, hostile))
