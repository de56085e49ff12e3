"""A stage of the Build is graded by itself: the course's own parts take the place of earlier stages."""

import json
import time

import pytest
import sampling
from submissions import notebook

from transformer_course import course
from transformer_course.exercises.catalogue import by_lesson
from transformer_course.exercises.learner_parts import parts
from transformer_course.grading.judging.earlier_parts import earlier_parts
from transformer_course.grading.judging.judge import grade
from transformer_course.grading.run import TimeLimits
from transformer_course.grading.submissions.notebook_file import cells

STAGES = [stage.number for stage in course.stages()]
LOOK = """
import gc
gc.unfreeze()
texts = [each for space in gc.get_objects() if type(space) in (dict, list, tuple)
         for each in (list(space.values()) if type(space) is dict else space) if type(each) is str]
from transformer_course import build_parts
found = [sorted(name for name in {names!r} if hasattr(build_parts, name)),
         [name for name in {names!r} if any(f"class {{name}}(" in text or f"def {{name}}(" in text for text in texts)]]
"""


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_gets_the_parts_of_all_stages_before_it_and_no_others(stage):
    given: dict = {}
    exec(earlier_parts(by_lesson()[stage][-1:]), given)
    before = {exercise.answer_name for each in STAGES[: STAGES.index(stage)] for exercise in by_lesson()[each]}
    assert given.keys() & parts().keys() == before & parts().keys()
    assert not earlier_parts(by_lesson()["11"])


def test_no_later_part_is_in_a_learners_process(supervisor):
    later = ["FeedForward", "Block", "CachedGPT", "GroupedAttention"]
    with supervisor.process() as process:
        end = time.monotonic() + 300
        code = LOOK.format(names=["CausalHead", *later])
        process.send({"cells": [[0, code]], "parts": earlier_parts(by_lesson()["B4"])}, end)
        assert process.receive(end)["error"] is None
        assert process.receive(end) == {"ready": True}
        process.send({"name": "found", "backend": "numpy", "questions": None}, end)
        (outcome,) = process.receive(end)["answers"]
    importable, readable = outcome["value"]
    assert importable == ["CausalHead"]
    assert "CausalHead" in readable
    assert not {*later} & {*readable}


@pytest.mark.slow
def test_a_solved_stage_has_full_marks_without_the_stages_before_it(supervisor):
    """One of them, since a stage always gets the parts of all stages before it."""
    stage, (seed,) = sampling.dice("solved stage").choice(STAGES), sampling.seeds(1, "solved stage")
    code = cells(json.dumps(notebook(stage)).encode())
    graded = grade(code, by_lesson()[stage], seed, supervisor, TimeLimits(submission=300.0))
    assert not graded.notes, (stage, seed)
    wrong = {name: verdict for name, verdict in graded.verdicts.items() if not (verdict and verdict.passed)}
    assert not wrong, (stage, seed)
