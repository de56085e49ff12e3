"""The time that judging one answer may take."""

import contextlib
import time

import pytest

from transformer_course.grading.judging.time_limits import JudgeTimeout, alarm
from transformer_course.runner.run import respond


def test_what_takes_too_long_to_judge_is_stopped_and_not_taken_for_an_error_of_what_runs():
    def long(x):
        for _ in range(5):
            with contextlib.suppress(Exception):
                time.sleep(0.5)

    with pytest.raises(JudgeTimeout), alarm(0.01):
        respond(long, [[1]], "numpy")
