"""A check ends an answer that does not stop, and leaves the learner's own interrupts alone."""

import signal
import threading
import time

import pytest
from examining import SOFTMAX, card_text

from transformer_course.exercises import check, time_limit
from transformer_course.exercises.lesson_02_self_attention.softmax import softmax
from transformer_course.runner import limits


def endless(scores):
    while True:
        pass


def test_an_endless_loop_is_ended(monkeypatch):
    with monkeypatch.context() as short:
        short.setattr(limits, "ANSWER_SECONDS", 0.3)
        assert "was stopped after 5 seconds" in card_text(endless)
    assert check(SOFTMAX, softmax)  # the kernel is alive, and no late interrupt comes


def test_an_endless_loop_is_ended_where_interrupts_are_ignored(monkeypatch):
    monkeypatch.setattr(limits, "ANSWER_SECONDS", 0.3)
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # as in a process that a shell started in the background
    try:
        assert "was stopped after 5 seconds" in card_text(endless)
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

    assert "was stopped after 5 seconds" in card_text(stubborn)
    assert "Kernel → Restart" in capsys.readouterr().out


def test_an_answer_keeps_its_time_while_the_computer_does_other_things(monkeypatch):
    monkeypatch.setattr(limits, "ANSWER_SECONDS", 0.2)
    monkeypatch.setattr(limits, "CLOCK_FACTOR", 1e6)
    monkeypatch.setattr(time_limit.time, "process_time", lambda: 0.0)  # as if others computed
    waited = []

    def held_up(scores):
        if not waited:
            time.sleep(0.6)
            waited.append(True)
        return softmax(scores)

    assert check(SOFTMAX, held_up)


def test_an_answer_that_only_waits_is_ended(monkeypatch):
    monkeypatch.setattr(limits, "ANSWER_SECONDS", 0.1)
    monkeypatch.setattr(time_limit.time, "process_time", lambda: 0.0)

    def waiting(scores):
        while True:
            time.sleep(0.01)

    assert "was stopped" in card_text(waiting)


def test_a_check_outside_the_main_thread_works():
    cards = []
    thread = threading.Thread(target=lambda: cards.append(check(SOFTMAX, softmax)))
    thread.start()
    thread.join()
    assert cards[0]


def test_the_stop_button_stops_a_check():
    def pressed(scores):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check(SOFTMAX, pressed)
