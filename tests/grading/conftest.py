import os
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session")
def needs_sandbox() -> Iterator[None]:
    """Skip the test if this computer cannot provide the sandbox. Continuous integration must provide it.

    Marks do not depend on how busy the computer is: tests of the time limits set their own.
    """
    from grading_a_class import PATIENT

    from transformer_course.grading.errors import Unavailable
    from transformer_course.grading.sandbox import supervisor
    from transformer_course.grading.sandbox.bubblewrap import Bubblewrap

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(supervisor, "START_SECONDS", 600.0)
        try:
            with supervisor.Sandbox(Bubblewrap.start()) as sandbox:
                sandbox.ready()
        except Unavailable as reason:
            if os.environ.get("CI"):
                raise
            pytest.skip(str(reason))
        from transformer_course.grading.judging import local_pool

        patch.setattr(local_pool, "TimeLimits", lambda: PATIENT)
        yield
