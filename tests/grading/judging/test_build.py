"""A stage of the Build is graded by itself: the course's own parts take the place of earlier stages."""

import json

import pytest
from submissions import notebook

from transformer_course._util import paths
from transformer_course.exercises.catalogue import by_lesson
from transformer_course.grading.judging.judge import grade
from transformer_course.grading.judging.time_limits import TimeLimits
from transformer_course.grading.sandbox.bubblewrap import Bubblewrap
from transformer_course.grading.sandbox.supervisor import Sandbox
from transformer_course.grading.submissions.notebook_file import cells

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("needs_sandbox")]


@pytest.fixture(scope="module")
def supervisor(needs_sandbox):
    with Sandbox(Bubblewrap.start()) as sandbox:
        sandbox.ready()
        with sandbox.supervisor() as supervisor:
            yield supervisor


@pytest.mark.parametrize("stage", [stage.stem[:2] for stage in paths.stages()])
def test_a_solved_stage_has_full_marks_without_the_stages_before_it(stage, supervisor):
    code = cells(json.dumps(notebook(stage)).encode())
    graded = grade(code, by_lesson()[stage], 3, supervisor, TimeLimits(submission=300.0))
    assert not graded.notes
    assert {name: verdict and verdict.passed for name, verdict in graded.verdicts.items()} == {
        exercise.id: True for exercise in by_lesson()[stage]
    }
