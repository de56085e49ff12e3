"""Which packages a wheel needs on a learner's system."""

from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name
from wheels import wheel

from transformer_course.app.wheelhouse import fill, needs
from transformer_course.app.wheelhouse.needs import WheelhouseError

ELSEWHERE = {"appnope": "macos", "colorama": "windows", "pywinpty": "windows"}  # not installed on Linux


def test_what_is_needed_is_what_the_other_system_needs(tmp_path, monkeypatch):
    monkeypatch.setattr(needs, "pins", lambda: dict.fromkeys("abcde", "1"))
    own = wheel(tmp_path, "own", "1", "a", "b; sys_platform == 'win32'", "c; python_version < '3.12'", "test; extra == 'test'")
    wheels = {
        "a": wheel(tmp_path, "a", "1", "d[more]; platform_system == 'Darwin'", "own-less; extra == 'none'"),
        "d": wheel(tmp_path, "d", "1", "e; extra == 'more'", "d[more]"),
        **{name: wheel(tmp_path, name, "1") for name in "bce"},
    }
    fetch = lambda need: wheels[need.removesuffix("==1")]  # noqa: E731
    assert needs.needed_by(own, "linux", "3.11", fetch).keys() == {"a", "c"}
    assert needs.needed_by(own, "windows", "3.12", fetch).keys() == {"a", "b"}
    assert needs.needed_by(own, "macos", "3.12", fetch).keys() == {"a", "d", "e"}
    monkeypatch.setattr(needs, "pins", lambda: {"a": "1"})
    with pytest.raises(WheelhouseError, match=r"constraints.txt has no version of c. Add one there"):
        needs.needed_by(own, "linux", "3.11", fetch)


@pytest.mark.parametrize("system", needs.SYSTEMS)
@pytest.mark.parametrize("python", fill.PYTHONS)
def test_constraints_name_all_that_learners_need(system, python, tmp_path):
    """The requirements come from the packages installed here; they are the same on every computer."""
    own = wheel(tmp_path, "own", "1", *needs_of("transformer-course"))

    def fetch(need: str) -> Path:
        name = need.split("==")[0]
        if name in ELSEWHERE and (ELSEWHERE[name] == system):
            return wheel(tmp_path, name, "1")
        return wheel(tmp_path, canonicalize_name(name).replace("-", "_"), "1", *needs_of(name))

    assert {"torch", "jupyterlab", "numpy"} <= needs.needed_by(own, system, python, fetch).keys()


def needs_of(name: str) -> list[str]:
    return [need for need in distribution(name).requires or () if not need.startswith(("nvidia", "triton"))]
