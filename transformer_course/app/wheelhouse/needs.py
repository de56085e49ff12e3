"""What a wheel needs on a learner's system, and what that needs, and so on."""

import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from email.parser import Parser
from pathlib import Path

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.tags import mac_platforms
from packaging.utils import canonicalize_name

from transformer_course._util import paths

GLIBC = [f"manylinux_2_{minor}_x86_64" for minor in range(28, 4, -1)]
# For each system: the tags of the wheels that fit it, and what markers in requirements ask for. torch has wheels for these.
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
    """Fetch all that a wheel needs there, what that needs, and so on; ``fetch`` gets name==version. Returns the wheels."""
    environment = {
        **default_environment(),
        **SYSTEMS[system][1],
        "python_version": python,
        "python_full_version": f"{python}.0",
    }
    versions = pins()
    got, asked, waiting = {}, set(), [(wheel, "")]  # a wheel is asked for once without, and once with each extra
    with ThreadPoolExecutor(4) as pool:
        while waiting:
            new: dict[str, set[str]] = {}
            for path, extra in waiting:
                for need in requirements(path):
                    if need.marker is None or need.marker.evaluate({**environment, "extra": extra}):
                        new.setdefault(canonicalize_name(need.name), set()).update({"", *need.extras})
            if unknown := new.keys() - versions.keys():
                raise WheelhouseError(f"constraints.txt names no version of {', '.join(sorted(unknown))}; add it there.")
            missing = [name for name in new if name not in got]
            got |= zip(missing, pool.map(lambda name: fetch(f"{name}=={versions[name]}"), missing), strict=True)
            fresh = {(name, extra) for name, extras in new.items() for extra in extras} - asked
            asked |= fresh
            waiting = [(got[name], extra) for name, extra in fresh]
    return got


def requirements(wheel: Path) -> list[Requirement]:
    """What a wheel says that it needs."""
    with zipfile.ZipFile(wheel) as archive:
        (place,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA") and name.count("/") == 1]
        needs = Parser().parsestr(archive.read(place).decode()).get_all("Requires-Dist") or []
    return [Requirement(need) for need in needs]


def pins() -> dict[str, str]:
    """The version of each package that constraints.txt names."""
    lines = (paths.ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.split("==") for line in lines if "==" in line)
    return {canonicalize_name(name): version for name, version in pairs}
