"""The estimate of how long lesson 15 trains, which `transformer-course doctor` reports."""

import torch

from transformer_course import training
from transformer_course.app import self_tests
from transformer_course.experiments import translation


def test_time_is_that_of_all_steps_and_looks(monkeypatch):
    """The clock advances by one second per step (the first takes 100), and by three per evaluation."""
    now = [0.0]
    ticking = lambda seconds: lambda *arguments, **named: now.__setitem__(0, now[0] + seconds)  # noqa: E731

    def train(model, data, loss_of, steps, after_step):
        for step in range(steps):
            ticking(100 if step == 0 else 1)()
            after_step(step, 0.0)

    monkeypatch.setattr(self_tests.time, "perf_counter", lambda: now[0])
    monkeypatch.setattr(training, "train", train)
    monkeypatch.setattr(training, "exact_match", ticking(1))
    monkeypatch.setattr(translation, "teacher_forced", ticking(2))
    monkeypatch.setattr(torch, "set_num_threads", lambda count: None)
    assert self_tests.training_time() == translation.STEPS * 1 + translation.STEPS // translation.TEST_EVERY * 3
