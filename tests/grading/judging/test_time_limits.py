"""Processor time stops what computes, the clock stops what waits, and other programs on the computer decide nothing."""

import contextlib
import math
import time
from dataclasses import dataclass, replace
from types import SimpleNamespace

import pytest
from grading_a_class import PATIENT

from transformer_course.grading.judging.time_limits import Allowance, Budget, JudgeTimeout, TooBusy, TooLong, alarm
from transformer_course.grading.sandbox import supervisor
from transformer_course.runner.link import Late
from transformer_course.runner.run import respond


def test_what_takes_too_long_to_judge_is_stopped_and_not_taken_for_an_error_of_what_runs():
    def long(x):
        while True:
            with contextlib.suppress(Exception):
                while True:
                    pass

    with pytest.raises(JudgeTimeout), alarm(0.01):
        respond(long, [[1]], "numpy")


def test_the_time_for_which_we_wait_does_not_count_as_judging():
    with alarm(0.5):
        time.sleep(0.6)


@dataclass
class Slow:
    """A process that takes or sends a message after many looks, in each of which it has computed or waited for some time."""

    looks: int
    computes: float
    waits: float
    used: float = 0.0
    waited: float = 0.0

    def processor_seconds(self) -> float:
        return self.used

    def look(self, seconds: float) -> None:
        self.looks -= 1
        self.used, self.waited = self.used + self.computes, self.waited + self.waits

    def receive(self, deadline: float) -> str:
        if self.looks:
            raise Late
        return "done"

    def send(self, value, deadline: float) -> str:
        return self.receive(deadline)

    def send_rest(self, deadline: float) -> str:
        return self.receive(deadline)


@pytest.mark.parametrize("use", [Allowance.receive, lambda allowance: allowance.send("value")], ids=["receive", "send"])
@pytest.mark.parametrize(
    ("process", "waited"),
    [
        (Slow(10_000, 0.0, 0.0), None),  # others have the processors: it does nothing, but could
        (Slow(90, 0.1, 0.4), None),
        (Slow(110, 0.1, 0.0), False),
        (Slow(110, 0.0, 0.4), True),
    ],
    ids=["kept from computing", "within both", "computes", "waits"],
)
def test_a_process_is_stopped_for_what_it_does_itself(process, waited, use):
    process = Slow(process.looks, process.computes, process.waits, used=7.0, waited=50.0)
    allowance = Budget(PATIENT).allowance(process, 10.0)
    if waited is None:
        assert use(allowance) == "done"
        return
    with pytest.raises(TooLong) as stopped:
        use(allowance)
    assert stopped.value.waited is waited


@pytest.mark.parametrize(("process", "waited"), [(Slow(140, 0.1, 0.0), False), (Slow(90, 0.0, 0.4), True)])
def test_a_cell_gets_no_more_than_what_is_left_of_its_submission(process, waited):
    """Of 20 seconds of processor time, and 80 of waiting."""
    process = Slow(process.looks, process.computes, process.waits, used=7.0, waited=50.0)
    budget = Budget(replace(PATIENT, submission=20.0))
    with pytest.raises(TooLong) as stopped:
        budget.allowance(process, 600.0).receive()
    assert stopped.value.waited is waited
    assert ("waited for 80 seconds" if waited else "up its 20 seconds") in budget.used_up(process)


def test_on_a_computer_that_is_too_busy_nobody_says_who_was_slow():
    with pytest.raises(TooBusy):
        Allowance(Slow(1, 0.0, 0.0), 10.0, 40.0, time.monotonic()).receive()


def test_waiting_counts_however_many_messages_come_in_between(monkeypatch):
    """An answer that sleeps before each of many calls waits, although every call asks for the processor time again."""
    now = [100.0]

    def receive(deadline: float) -> None:
        now[0] += 0.03

    monkeypatch.setattr(supervisor, "time", SimpleNamespace(monotonic=lambda: now[0]))
    control = SimpleNamespace(send=lambda order: None, recv=lambda size: b"time 1.5 1")
    process = supervisor.Process(SimpleNamespace(receive=receive), control)
    process.look(0.1)
    for _ in range(10):
        process.receive(math.inf)
        assert process.processor_seconds() == 1.5
    process.look(0.1)
    assert process.waited == pytest.approx(0.3)
    for says in (b"time 9.5 0", b"time 9.5 1"):  # it computes for long, and then waits for a moment
        control.recv = lambda size, says=says: says
        for _ in range(100 if says.endswith(b"0") else 1):
            process.receive(math.inf)
        process.look(0.1)
    assert process.waited == pytest.approx(0.33)
