"""Find all packages that a wheel needs on a learner's system, directly and indirectly."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import distributions
from pathlib import Path

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.tags import mac_platforms
from packaging.utils import canonicalize_name

from transformer_course._util import paths

GLIBC = [f"manylinux_2_{minor}_x86_64" for minor in range(28, 4, -1)]
# The systems that torch has wheels for, each with the tags of wheels that fit it and the values of markers in requirements.
SYSTEMS = {
    "linux": (
        [*GLIBC, "manylinux2014_x86_64", "manylinux2010_x86_64", "manylinux1_x86_64", "linux_x86_64"],
        {"os_name": "posix", "sys_platform": "linux", "platform_system": "Linux", "platform_machine": "x86_64"},
    ),
    "macos": (
        [*mac_platforms((14, 0), "arm64")],
        {"os_name": "posix", "sys_platform": "darwin", "platform_system": "Darwin", "platform_machine": "arm64"},
    ),
    "windows": (
        ["win_amd64"],
        {"os_name": "nt", "sys_platform": "win32", "platform_system": "Windows", "platform_machine": "AMD64"},
    ),
}


class WheelhouseError(Exception):
    """The folder cannot be filled; the message says why and what to try."""


def needed_by(wheel: Path, system: str, python: str, fetch: Callable[[str], Path]) -> dict[str, Path]:
    """Get all the packages that a wheel needs on a system, directly and indirectly; return their wheels by package name.

    ``fetch`` is called with a requirement such as "numpy==2.4.6", and returns its wheel.
    """
    environment = {
        **default_environment(),
        **SYSTEMS[system][1],
        "python_version": python,
        "python_full_version": f"{python}.0",
    }
    versions = pins()
    wheels, seen, waiting = {}, set(), [(wheel, "")]  # requirements are read once without, and once with each extra
    with ThreadPoolExecutor(4) as pool:
        while waiting:
            new: dict[str, set[str]] = {}
            for path, extra in waiting:
                for need in requirements(path):
                    if need.marker is None or need.marker.evaluate({**environment, "extra": extra}):
                        new.setdefault(canonicalize_name(need.name), set()).update({"", *need.extras})
            if unknown := new.keys() - versions.keys():
                raise WheelhouseError(f"constraints.txt has no version of {', '.join(sorted(unknown))}. Add one there.")
            missing = [name for name in new if name not in wheels]
            wheels |= zip(missing, pool.map(lambda name: fetch(f"{name}=={versions[name]}"), missing), strict=True)
            unseen = {(name, extra) for name, extras in new.items() for extra in extras} - seen
            seen |= unseen
            waiting = [(wheels[name], extra) for name, extra in unseen]
    return wheels


def requirements(wheel: Path) -> list[Requirement]:
    """Return the requirements that a wheel declares."""
    (inside,) = distributions(path=[str(wheel)])
    return [Requirement(need) for need in inside.requires or ()]


def pins() -> dict[str, str]:
    """Return the version of each package in constraints.txt."""
    lines = (paths.ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.split("==") for line in lines if "==" in line)
    return {canonicalize_name(name): version for name, version in pairs}
