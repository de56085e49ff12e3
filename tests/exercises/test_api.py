"""What a learner meets in a notebook: check, hint, solution and reply, with answers of every unfortunate kind."""

import errno
import json
import math
import os
import re
import signal
import threading
import time

import numpy as np
import pytest
import torch

from transformer_course.exercises import api, catalogue, check, hint, my_progress, passes, reply, solution
from transformer_course.exercises.catalogue import predictions
from transformer_course.exercises.kinds import Implement
from transformer_course.exercises.lesson_02_self_attention.softmax import softmax
from transformer_course.runner import limits
from transformer_course.runner.run import record

NAME = "attention.softmax"


def card_text(answer, name: str = NAME) -> str:
    card = check(name, answer)
    assert not card
    return repr(card)


def endless(scores):
    while True:
        pass


def in_place(scores):
    scores -= scores.max(-1, keepdims=True)
    return np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)


def test_a_right_answer_passes_and_is_remembered(home):
    card = check(NAME, softmax)
    assert card
    assert repr(card) == f"✓ {NAME}: passed"
    assert list(passes.passed()) == [NAME]
    assert sum(my_progress()["02 · Self-attention by hand"]) == 1
    assert (home / "progress.json").exists()


def test_an_answer_that_refuses_what_it_should_take_is_pointed_at_its_own_raise():
    def masked_attention(query, key, value, mask):
        if mask.any():
            raise ValueError("no key")
        return value

    seen = card_text(masked_attention, "attention.masked")
    assert "raised ValueError: no key" in seen
    assert "That is your own `raise`" in seen


def test_an_unknown_exercise_names_the_nearest():
    assert "no exercise 'attention.sofmax'. The nearest name is `attention.softmax`" in repr(
        check("attention.sofmax", softmax)
    )
    assert "nearest name" in repr(check(softmax))
    assert "nearest name" in repr(check(["attention.softmax"], softmax))
    assert "nearest name" in repr(hint("softmax"))
    assert "nearest name" in repr(solution(None))
    assert "no prediction '02.larg'. The nearest name is `02.largest`" in repr(reply("02.larg", "a"))


def test_a_forgotten_name_is_asked_for():
    for ask in (check, hint, solution):
        assert repr(ask()).startswith("Which exercise? Its name goes between the brackets")
        assert not ask()


def test_a_forgotten_answer_is_asked_for():
    assert f'check("{NAME}", softmax)' in repr(check(NAME))


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (3, "should be a function, and this is int"),
        (None, "should be a function, and this is NoneType"),
        (softmax(np.ones(3)), "should be a function, and this is ndarray"),
        (lambda scores: None, "returned None. Is a `return` missing"),
        (lambda scores: softmax(scores)[..., :1], "should have shape (3, 3), and has (3, 1)"),
        (lambda scores: softmax(scores) * np.nan, "element [0, 0] should be 0.42232, and is nan"),
        (lambda scores: softmax(scores).astype(int), "has dtype int64: whole numbers"),
        (lambda scores: softmax(scores) > 0, "has dtype bool"),
        (lambda scores: softmax(scores) + 1j, "array of complex128"),
        (lambda scores: "0.42", "returned str"),
        (lambda scores: {1: 2}, "returned dict"),
        (lambda scores: object(), "returned object"),
        (lambda scores: [[1], [2, 3]], "its rows differ in length"),
        (lambda scores: (softmax(scores), scores), "returned 2 values as a tuple"),
        (lambda scores: np.zeros((1 << 21,)), "array of 2097152 elements (at most 1048576 are read)"),
        (lambda scores: scores.unknown, "raised AttributeError"),
        (lambda scores: softmax(scores) * 1.01, "weights must sum to 1. For scores = [[1., 0., 1.]"),
        (lambda: 1, "takes 0 positional arguments"),
        (lambda scores: exit(3), "raised SystemExit: 3"),
        (in_place, "changes its input: after the call, `scores` no longer"),
    ],
)
def test_a_wrong_answer_is_told_what_it_did(answer, words):
    assert words in card_text(answer)


def test_an_error_names_the_line_that_raised():
    def answer(scores):
        middle = scores.sum(-1)
        return middle @ np.ones(99)

    assert "(in `return middle @ np.ones(99)`)" in card_text(answer)


def test_the_error_of_a_torch_answer_is_the_one_on_tensors():
    def answer(scores):
        return torch.exp(scores) @ torch.ones(99)

    assert "must be Tensor" not in card_text(answer)
    assert "RuntimeError" in card_text(answer)


def test_an_answer_that_takes_torchs_pair_for_a_tensor_is_told():
    def answer(x, w_q, w_k, w_v):
        scores = (x @ w_q) @ (x @ w_k).transpose(-2, -1)
        return torch.exp(scores - scores.max(-1, keepdim=True)) @ (x @ w_v)

    assert "returns a pair" in card_text(answer, "attention.self_attention")


def after_max(finish):
    """An answer in NumPy that crashes after a line on which tensors would give a pair."""

    def answer(scores):
        exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return finish(exponentials)

    return answer


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (after_max(lambda e: e / totl), "NameError: name 'totl' is not defined"),
        (after_max(lambda e: e / e.sum(-1, keepdim=True)), "unexpected keyword argument 'keepdim'"),
        (after_max(lambda e: e @ np.ones((99, 1))), "in a product @"),
        (lambda scores: math.exp(scores - scores.max()), "only length-1 arrays"),
    ],
)
def test_the_error_of_a_numpy_answer_is_the_one_on_arrays(answer, words):
    assert words in card_text(answer)


def test_an_answer_in_numpy_is_judged_on_arrays_first():
    # on float32 tensors this would overflow, and be called by another name
    card = check(NAME, lambda scores: np.exp(np.minimum(scores, 700)) / np.exp(np.minimum(scores, 700)).sum(-1, keepdims=True))
    assert "You cut large scores off" in repr(card)


def test_a_test_that_forgets_to_call_is_told_without_our_own_names():
    assert "'function' and 'float'" in card_text(lambda f: np.allclose(f, 1.0), "attention.test_softmax")


def test_a_missing_transpose_is_hinted_at():
    words = "transpose(-2, -1) is torch's word, and leaves a NumPy matrix as it is"
    assert words in card_text(
        lambda x, w_q, w_k, w_v: np.exp((x @ w_q) @ (x @ w_k).transpose(-2, -1)), "attention.self_attention"
    )


def test_matrices_that_do_not_fit_are_told_by_their_sizes():
    words = "For x of shape (3, 2), w_q of shape (2, 2), w_k of shape (2, 2), w_v of shape (2, 2), it raised ValueError: "
    words += "in a product @, the left has 2 columns and the right 3 rows; these must be equal"
    assert words in card_text(lambda x, w_q, w_k, w_v: w_q @ x, "attention.self_attention")


def test_an_endless_loop_is_ended(monkeypatch):
    monkeypatch.setattr(limits, "ANSWER_SECONDS", 0.3)
    before = time.monotonic()
    assert "still running" in card_text(endless)
    assert time.monotonic() - before < 3
    assert check(NAME, softmax)  # the kernel is alive, and no late interrupt comes


def test_an_endless_loop_is_ended_where_interrupts_are_ignored(monkeypatch):
    monkeypatch.setattr(limits, "ANSWER_SECONDS", 0.3)
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # as in a process that a shell started in the background
    try:
        assert "still running" in card_text(endless)
        assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_an_endless_loop_that_swallows_the_interrupt_is_ended(monkeypatch, capsys):
    monkeypatch.setattr(limits, "ANSWER_SECONDS", 0.2)
    swallowed = []

    def stubborn(scores):
        while len(swallowed) < 4:
            try:
                endless(scores)
            except KeyboardInterrupt:
                swallowed.append(True)
        endless(scores)

    assert "still running" in card_text(stubborn)
    assert "Kernel → Restart" in capsys.readouterr().out


def test_a_check_outside_the_main_thread_works():
    cards = []
    thread = threading.Thread(target=lambda: cards.append(check(NAME, softmax)))
    thread.start()
    thread.join()
    assert cards[0]


def test_the_stop_button_stops_a_check():
    def pressed(scores):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check(NAME, pressed)


def test_warnings_of_an_answer_stay_out_of_the_page(capsys):
    check(NAME, lambda scores: np.exp(scores) / np.exp(scores).sum(-1, keepdims=True))
    assert capsys.readouterr().err == ""


def test_a_fault_of_the_check_itself_is_not_the_learners(monkeypatch):
    def stumble(*_):
        raise KeyError("ours")

    monkeypatch.setattr(api, "examine", stumble)
    assert "itself failed, and says nothing about your answer" in card_text(softmax)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"claim": 2, "reason": "b", "value": 1}, "`claim` should be one of a, b, c, d, and is 2"),
        ({"claim": "b", "reason": ["b"], "value": 1}, "`reason` should be one of"),
        ({"claim": "bc", "reason": "b", "value": 1}, "`claim` should be one of"),
        ({"claim": "b", "reason": "b", "value": "4.48"}, "`value` should be one number, without quotation marks"),
        ({"claim": "b", "reason": "b", "value": 9.99}, "The value does not fit yet"),
        ({"claim": "b", "reason": "b"}, "`value` is still open. The claim and the reason are right."),
        (
            {"claim": "b", "reason": ..., "value": 9.99},
            "`reason` is still open. The value does not fit yet. The claim is right.",
        ),
        ({"claim": ..., "reason": ..., "value": ...}, "still empty"),
        ({"Claim": "b"}, "should keep its form"),
        ("b", "should keep its form"),
    ],
)
def test_a_claim_with_its_reason_in_a_wrong_form_is_told(answer, words):
    assert words in card_text(answer, "attention.wrong_row")


def test_a_part_in_a_wrong_form_costs_that_part_alone():
    exercise = catalogue()["attention.wrong_row"]
    ills = [
        {"claim": exercise.right["claim"].upper()},
        {"value": str(exercise.right["value"])},
        {"reason": ...},
        {"value": None},
    ]
    left = {part: right for part, right in exercise.right.items() if part != "reason"}
    for given in [left, *({**exercise.right, **ill} for ill in ills)]:
        verdict = exercise.judge(0, [record(given)])
        assert not verdict.passed
        assert verdict.score == pytest.approx(2 / 3)


def test_a_number_left_open_costs_that_number_alone():
    exercise = catalogue()["attention.by_hand"]
    for given in ([0.8668, ..., 0.1173], (0.8668, ..., 0.1173), np.array([0.8668, ..., 0.1173])):
        verdict = exercise.judge(0, [record(given)])
        assert (verdict.message, verdict.score) == ("Of the 3 numbers, the second is still open.", pytest.approx(2 / 3))


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ([0.8668, 0.0159, 0.117], "Nearly: your 0.117 is close, and rounded too early or too much. Four digits after"),
        ([0.867, 0.016, 0.117], "Nearly: your 0.867 and 0.117 are close, and rounded"),
        ([0.86702, 0.0169, 0.117], "Nearly: your 0.86702, 0.0169 and 0.117 are close, and rounded"),
        ([0.5, 0.0159, 0.1173], "Of the 3 numbers, 1 is off: your 0.5."),
        ([0.8668, 0.0159], "should be a list of 3 numbers, and has 2."),
        (["a", "b", "c"], "holds something that is no number"),
        ("0.8668", "should be a list of 3 numbers, and is a text. Leave its quotation marks away."),
        ([0.5, 0.5, 0.1173], "Of the 3 numbers, 2 are off, the first of them your 0.5."),
        ([float("nan")] * 3, "3 are off"),
        ([0.8668, ..., 0.5], "Of the 3 numbers, the second is still open; of the others, 1 is off."),
        ([..., 0.0159, ...], "Of the 3 numbers, the first and the third are still open."),
        ([..., 0.0159], "should be a list of 3 numbers, and has 2."),
        ([..., ..., ...], "still empty"),
        ([[..., 0.0159]], "still empty"),
    ],
)
def test_numbers_in_a_wrong_form_are_told(answer, words):
    assert words in card_text(answer, "attention.by_hand")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ((4, 0), ("should be one number, and is 2 numbers, [4, 0].", "write a point in place of the comma")),
        ("4", ("should be one number, and is a text. Leave its quotation marks away.", "hint(")),
        ([[4]], ("should be one number, and has shape (1, 1).", "hint(")),
    ],
)
def test_one_number_in_a_wrong_form_is_told(answer, words):
    assert all(word in repr(check("start.average", answer)) for word in words)


def test_a_list_with_decimal_commas_is_told():
    text = repr(check("attention.by_hand", [0, 8668, 0, 1173, 0, 159]))
    assert "should be a list of 3 numbers, and has 6." in text
    assert "write a point in place of the comma" in text
    assert "write a point" not in repr(check("attention.by_hand", [0.8668, 0.0159]))


def test_what_was_passed_stays_passed_and_says_so(home):
    assert "It stays passed" not in repr(check("start.average", 5))
    assert check("start.average", 4)
    assert re.search(r"It stays passed, since \d{4}-\d\d-\d\d: this is about", repr(check("start.average", 5)))
    assert "start.average" in passes.passed()


def test_an_answer_that_was_not_written_anew_is_told(home):
    same = "This is the answer of last time. Was the cell above run, and is its name still `my_average`?"
    guess = 5.123  # one object
    assert same not in repr(check("start.average", guess))
    assert same in repr(check("start.average", guess))
    assert same not in repr(check("start.average", float("5.123")))
    assert same not in repr([check("start.average", ...) for _ in range(2)])


def test_a_function_that_takes_other_arguments_is_told_how_it_is_called():
    def softmax(scores, axis):
        return scores

    assert "Try: It is called as `softmax(scores)`." in repr(check("attention.softmax", softmax))


def test_one_number_that_is_nearly_right_is_told():
    nearly = card_text(4.02, "start.average")
    assert "Nearly: you are on the right track, and rounded" in nearly
    assert "digit" not in nearly  # of a whole number


def test_whole_numbers_are_no_fault_where_whole_numbers_are_asked_for():
    double = Implement(
        id="double",
        answer_name="f",
        prompt="",
        hints=(),
        minutes=1,
        reference=lambda x: 2 * x,
        draw=lambda rng: [[np.arange(3)]],
    )
    assert double.judge(0, [record(np.array([0, 2, 4]))]).passed
    assert "element [2] should be 4" in double.judge(0, [record(np.array([0, 2, 5]))]).message


EYE = [[1, 0], [0, 1]]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ((EYE, EYE, EYE), "should hold 4 arrays in this order: x, w_q, w_k, w_v"),
        (EYE, "should hold 4 arrays"),
        ((EYE, EYE, "swap", EYE), "`w_k` should be an array of finite numbers"),
        ((EYE, EYE, [[float("inf"), 0], [0, 1]], EYE), "`w_k` should be an array of finite numbers"),
        (([1, 0], EYE, EYE, EYE), "`x` should be a matrix (two axes, not empty), and has shape (2,)"),
        ((EYE, [[1, 0]], EYE, EYE), "`w_q` needs one row for each of the 2 columns of x, and has 1"),
        ((EYE, [[1], [0]], EYE, EYE), "`w_q` and `w_k` need the same shape"),
        ((EYE, EYE, [[0, 1e9], [1, 0]], EYE), "keep all numbers between"),
        ((EYE, EYE, [[1, 1], [1, 1]], [[1, 1], [1, 1]]), "all values are the same"),
        ((EYE, EYE, ..., EYE), "still empty"),
    ],
)
def test_an_input_that_is_none_or_hides_the_fault_is_told(answer, words):
    assert words in card_text(answer, "attention.hidden_fault")


def test_an_input_on_which_both_agree_by_chance_is_told():
    # all scores of a row are alike for both, since the second coordinate, which tells the tokens apart, is projected away
    x, w_q, w_k = [[1, 0], [1, 1]], [[1], [0]], [[2], [0]]
    assert "The fault stays hidden" in card_text((x, w_q, w_k, EYE), "attention.hidden_fault")


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"passed": 3}', b"\xff\xfe", b'{"other": {}}'])
def test_a_damaged_progress_file_is_kept_aside_and_costs_no_answer(home, damage):
    home.mkdir()
    (home / "progress.json").write_bytes(damage)
    assert my_progress()["02 · Self-attention by hand"].count(True) == 0
    card = check(NAME, softmax)
    assert card
    assert "could not be read. It is kept as" in repr(card)
    assert (home / "progress.damaged.json").read_bytes() == damage
    assert list(json.loads((home / "progress.json").read_text())["passed"]) == [NAME]


def test_a_second_damaged_file_does_not_replace_the_first(home):
    home.mkdir()
    for damage in ("{", "["):
        (home / "progress.json").write_text(damage)
        assert check(NAME, softmax)
    assert [(home / name).read_text() for name in ("progress.damaged.json", "progress.damaged1.json")] == ["{", "["]


def test_an_unwritable_progress_file_costs_no_answer(home, monkeypatch):
    home.write_text("a file where the folder should be")
    card = check(NAME, softmax)
    assert card
    assert "Your answer counts, but this pass could not be remembered" in repr(card)


def test_a_full_disk_costs_no_answer_and_leaves_no_half_file(home, monkeypatch):
    check("attention.by_hand", [0.8668, 0.0159, 0.1173])
    before = (home / "progress.json").read_bytes()

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    card = check(NAME, softmax)
    assert card
    assert "could not be remembered" in repr(card)
    assert (home / "progress.json").read_bytes() == before


def test_hints_come_in_steps_and_end_with_the_solution():
    api._hints_given.clear()
    hints = catalogue()[NAME].hints
    cards = [repr(hint(NAME)) for _ in range(len(hints) + 1)]
    for step, text in enumerate(hints):
        assert text in cards[step]
        assert f"Hint {step + 1} of {len(hints)}" in cards[step]
    assert cards[-1] == cards[-2]
    assert f'`solution("{NAME}")`' in cards[-1]


def test_a_solution_is_shown_on_the_second_request_or_after_a_pass(home):
    api._solutions_asked.clear()
    assert not solution(NAME).code
    shown = solution(NAME).code
    assert shown.startswith("def softmax(scores):")
    assert "SOLUTION" not in shown
    api._solutions_asked.clear()
    check(NAME, softmax)
    assert solution(NAME).code == shown


@pytest.mark.parametrize("prediction", predictions().values(), ids=predictions())
def test_every_guess_gets_its_own_reply(prediction):
    assert "No guess yet" in repr(reply(prediction.id, ...))
    assert "should be one of" in repr(reply(prediction.id, "z"))
    assert "should be one of" in repr(reply(prediction.id, 3))
    for guess, text in prediction.replies.items():
        card = reply(prediction.id, guess)
        assert text in repr(card)
        assert bool(card) == (guess == prediction.right)


def test_a_card_escapes_what_the_learner_wrote():
    page = check(NAME, lambda scores: 1 / 0 if scores.ndim else 0)._repr_html_()
    assert "ZeroDivisionError" in page

    def hostile(scores):
        raise ValueError("<script>alert(1)</script>")

    assert "<script>" not in check(NAME, hostile)._repr_html_()
    assert " at 0x" not in repr(check(NAME, hostile))
