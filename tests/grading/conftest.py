import os
from collections.abc import Iterator

import pytest

from transformer_course.grading.sandbox.supervisor import Sandbox, Supervisor


@pytest.fixture(scope="session")
def needs_sandbox() -> Iterator[Sandbox]:
    """A sandbox that is ready. Skip the test if this computer cannot provide one. Continuous integration must provide it.

    Marks do not depend on how busy the computer is: tests of the time limits set their own.
    """
    from grading_a_class import PATIENT

    from transformer_course.grading import grade_class
    from transformer_course.grading.errors import Unavailable
    from transformer_course.grading.sandbox import supervisor
    from transformer_course.grading.sandbox.bubblewrap import Bubblewrap

    with pytest.MonkeyPatch.context() as patch, Sandbox(Bubblewrap.start()) as sandbox:
        patch.setattr(supervisor, "START_SECONDS", 600.0)
        try:
            sandbox.ready()
        except Unavailable as problem:
            if os.environ.get("CI"):
                raise
            why = "" if "bubblewrap is missing" in str(problem) else f" ({problem})"
            pytest.skip(f"needs bubblewrap: sudo apt install bubblewrap{why}")
        patch.setattr(grade_class, "TimeLimits", lambda: PATIENT)
        patch.setattr(sandbox, "ready", lambda: None)  # it is, and says so once
        yield sandbox


@pytest.fixture(scope="module")
def supervisor(needs_sandbox: Sandbox) -> Iterator[Supervisor]:
    with needs_sandbox.supervisor() as supervisor:
        yield supervisor


@pytest.fixture
def warm_sandbox(needs_sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    from grading_a_class import grade_in

    grade_in(needs_sandbox, monkeypatch)  # with the test's own patches, which are undone in turn
