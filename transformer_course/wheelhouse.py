"""A room without a network: a folder with everything that the course needs, from which learners install it offline.

pip decides by the computer it runs on what a package needs, and an instructor's is seldom the learners'. So what each
package needs is read here from its wheel, for the learners' system; pip fetches the wheels.
"""

import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from email.parser import Parser
from importlib.metadata import distribution
from itertools import product
from pathlib import Path

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.tags import compatible_tags, cpython_tags, mac_platforms
from packaging.utils import canonicalize_name, parse_wheel_filename

from . import course
from .files import write_whole

NAME = "transformer-course"
CPU = "https://download.pytorch.org/whl/cpu"  # torch as Linux gets it elsewhere is ten times as large, for graphics cards
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


def fill(
    folder: Path, systems: Iterable[str], pythons: Iterable[str], tell: Callable[[str], None] = lambda name: None
) -> None:
    """Fetch everything for each of the systems ("linux", "macos", "windows") with each of the Pythons ("3.12").

    What the folder holds already stays. ``tell`` is called with each package's name. Raises WheelhouseError, OSError.
    """
    targets = list(product(systems, pythons))
    for system, python in targets:
        _check(system, python)
    wheels = folder / "wheels"
    wheels.mkdir(parents=True, exist_ok=True)
    constraints = (course.ROOT / "constraints.txt").read_text(encoding="utf-8")
    own = _own(wheels)
    for system, python in targets:
        needed_by(own, system, python, lambda need, s=system, p=python: tell(need) or _fetch(need, wheels, s, p))
    write_whole(folder / "constraints.txt", constraints.encode())
    write_scripts(folder)


def this_system() -> str:
    """The name of the system that this computer runs. Raises WheelhouseError where torch has no wheels for it."""
    here = default_environment()
    for name, (_, system) in SYSTEMS.items():
        if all(here[marker] == value for marker, value in system.items()):
            return name
    seen = f"{here['platform_system']} on {here['platform_machine']}"
    raise WheelhouseError(f"This computer has {seen}; name the learners' system: --system {', '.join(SYSTEMS)}.")


def _check(system: str, python: str) -> None:
    if system not in SYSTEMS:
        raise WheelhouseError(f"There is no system {system!r}; name one of {', '.join(SYSTEMS)}.")
    needed = distribution(NAME).metadata["Requires-Python"]
    if python.count(".") != 1 or python not in SpecifierSet(needed):
        raise WheelhouseError(f"There is no Python {python!r} for the course; name one as 3.12, {needed}.")


def needed_by(wheel: Path, system: str, python: str, fetch: Callable[[str], Path]) -> dict[str, str]:
    """Fetch all that a wheel needs there, what that needs, and so on; ``fetch`` gets name==version. Returns the versions."""
    environment = {
        **default_environment(),
        **SYSTEMS[system][1],
        "python_version": python,
        "python_full_version": f"{python}.0",
    }
    pins = _pins()
    got, asked, waiting = {}, set(), [(wheel, "")]  # a wheel is asked for once without, and once with each extra
    with ThreadPoolExecutor(4) as pool:
        while waiting:
            new: dict[str, set[str]] = {}
            for path, extra in waiting:
                for need in requirements(path):
                    if need.marker is None or need.marker.evaluate({**environment, "extra": extra}):
                        new.setdefault(canonicalize_name(need.name), set()).update({"", *need.extras})
            if unknown := new.keys() - pins.keys():
                raise WheelhouseError(f"constraints.txt names no version of {', '.join(sorted(unknown))}; add it there.")
            missing = [name for name in new if name not in got]
            got |= zip(missing, pool.map(lambda name: fetch(f"{name}=={pins[name]}"), missing), strict=True)
            fresh = {(name, extra) for name, extras in new.items() for extra in extras} - asked
            asked |= fresh
            waiting = [(got[name], extra) for name, extra in fresh]
    return {name: pins[name] for name in got}


def requirements(wheel: Path) -> list[Requirement]:
    """What a wheel says that it needs. Raises WheelhouseError for a torch that is made for graphics cards."""
    with zipfile.ZipFile(wheel) as archive:
        (place,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA") and name.count("/") == 1]
        needs = Parser().parsestr(archive.read(place).decode()).get_all("Requires-Dist") or []
    found = [Requirement(need) for need in needs]
    if wheel.name.startswith("torch-") and any(need.name.startswith("nvidia") for need in found) and "linux" in wheel.name:
        raise WheelhouseError(f"torch's small build could not be fetched; can this computer reach {CPU} ?")
    return found


def _pins() -> dict[str, str]:
    lines = (course.ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.split("==") for line in lines if "==" in line)
    return {canonicalize_name(name): version for name, version in pairs}


def _fetch(need: str, wheels: Path, system: str, python: str) -> Path:
    """One wheel that fits; where a package has none for any system, one is made of its source."""
    name, _, pinned = need.partition("==")
    minor, platforms = (3, int(python[2:])), SYSTEMS[system][0]
    tags = {*cpython_tags(minor, [f"cp3{minor[1]}"], platforms), *compatible_tags(minor, f"cp3{minor[1]}", platforms)}
    for path in wheels.glob("*.whl"):
        held, version, _, fitting = parse_wheel_filename(path.name)
        if held == name and version.public == pinned and fitting & tags:
            return path
    index = ["--extra-index-url", CPU] if system == "linux" and need.startswith("torch==") else []
    fits = [word for tag in SYSTEMS[system][0] for word in ("--platform", tag)]
    there = ["--only-binary=:all:", *fits, "--python-version", python, "--implementation", "cp"]
    try:
        return _pip(wheels, "download", need, *there, *index, "--dest")
    except WheelhouseError as error:
        if "No matching distribution" not in str(error):
            raise
    made = _pip(wheels, "wheel", need, "--wheel-dir")
    if not made.name.endswith("-none-any.whl"):
        made.unlink()
        raise WheelhouseError(f"{need} has no wheel for {system} with Python {python}; choose another Python.")
    return made


def _own(wheels: Path) -> Path:
    """The course's own wheel: built in a clone; elsewhere made again of the files that were installed."""
    if course.ROOT != course.PACKED:
        return _pip(wheels, "wheel", str(course.ROOT), "--wheel-dir")
    here = distribution(NAME)
    left_out = "INSTALLER", "REQUESTED", "direct_url.json"  # of this installation
    rows = [row for row in (here.read_text("RECORD") or "").splitlines() if "__pycache__" not in row and row[:2] != ".."]
    rows = [row for row in rows if row.split(",")[0].rpartition("/")[2] not in left_out]
    target = wheels / f"{NAME.replace('-', '_')}-{here.version}-py3-none-any.whl"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in (row.rsplit(",", 2)[0].strip('"') for row in rows):
            if not name.endswith("/RECORD"):
                archive.write(here.locate_file(name), name)
        (record,) = [row.split(",")[0] for row in rows if row.split(",")[0].endswith(".dist-info/RECORD")]
        archive.writestr(record, "\n".join(rows) + "\n")
    return target


def _pip(wheels: Path, *arguments: str) -> Path:
    """Let pip bring one wheel. It is whole before it lies among the others."""
    with tempfile.TemporaryDirectory(dir=wheels) as draft:
        command = [sys.executable, "-m", "pip", *arguments, draft, "--no-deps", "--disable-pip-version-check", "--quiet"]
        ran = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        if ran.returncode:
            errors = [line for line in ran.stderr.splitlines() if line.startswith("ERROR: ")] or ran.stderr.splitlines()
            raise WheelhouseError(f"pip could not bring {arguments[1]} ({' '.join(errors[-1:])}); is this computer online?")
        (wheel,) = Path(draft).glob("*.whl")
        os.replace(wheel, wheels / wheel.name)
    return wheels / wheel.name


def write_scripts(folder: Path) -> None:
    """Write how to install, for the systems and the Pythons of which the folder has a torch."""
    have: dict[str, set[int]] = {}
    for path in (folder / "wheels").glob("torch-*.whl"):
        for tag in parse_wheel_filename(path.name)[3]:
            script = "install.bat" if tag.platform.startswith("win") else "install.sh"
            have.setdefault(script, set()).add(int(tag.interpreter[3:]))
            have.setdefault("README.txt", set()).add(int(tag.interpreter[3:]))
    for name, minors in have.items():
        text = (course.PACKAGE / "offline" / name).read_text(encoding="utf-8")
        text = text.replace("MINORS", " ".join(map(str, sorted(minors))))
        text = text.replace("PYTHONS", ", ".join(f"3.{minor}" for minor in sorted(minors)))
        write_whole(folder / name, text.replace("\n", "\r\n" if name.endswith(".bat") else "\n").encode())
