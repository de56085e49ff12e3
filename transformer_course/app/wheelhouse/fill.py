"""A room without a network: a folder with everything that the course needs, from which learners install it offline.

pip decides by the computer it runs on what a package needs, and an instructor's is seldom the learners'. So what each
package needs is read here from its wheel, for the learners' system; pip fetches the wheels.
"""

import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import distribution
from itertools import product
from pathlib import Path

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.tags import compatible_tags, cpython_tags
from packaging.utils import parse_wheel_filename

from transformer_course._util import paths
from transformer_course._util.files import write_whole

from . import needs
from .needs import SYSTEMS, WheelhouseError, needed_by
from .scripts import TITLES, write_scripts

NAME = "transformer-course"
PYTHONS = "3.11", "3.12", "3.13", "3.14"  # those that constraints.txt is made for
OWN = {"wheels", "constraints.txt", "README.txt", "install.sh", "install.bat"}  # all that lies in such a folder
CPU = "https://download.pytorch.org/whl/cpu"  # torch as Linux gets it elsewhere is ten times as large, for graphics cards


@dataclass(frozen=True)
class Outcome:
    """How one system with one Python went: how many packages it has and their bytes, or why it cannot be had."""

    system: str
    python: str
    packages: int = 0
    size: int = 0
    trouble: str = ""

    def __str__(self) -> str:
        had = f"{self.packages} packages, {self.size / 1e6:.0f} MB"
        return f"{_title(self.system, self.python)}: {self.trouble or had}"


def _title(system: str, python: str) -> str:
    return f"{TITLES[system]}, Python {python}"


def fill(
    folder: Path,
    systems: Iterable[str],
    pythons: Iterable[str],
    begin: Callable[[str], None] = lambda stage: None,
    tell: Callable[[str], None] = lambda name: None,
) -> Iterator[Outcome]:
    """Fetch everything for each of the systems ("linux", "macos", "windows") with each of the Pythons ("3.12").

    One that cannot be had does not stop the others. What the folder holds already stays, but for a torch made for graphics
    cards. ``begin`` is called with what is fetched next, a line for some minutes; ``tell`` with each package's name. Raises
    WheelhouseError, OSError.
    """
    targets = list(product(systems, pythons))
    for system, python in targets:
        _check(system, python)
    held = {path.name for path in folder.iterdir() if path.name[0] != "."} if folder.exists() else set()
    if other := sorted(held - OWN if "wheels" in held else held):  # it would be handed out with the rest
        raise WheelhouseError(f"{folder} holds something else ({other[0]}); name a folder for this alone, such as room.")
    wheels = folder / "wheels"
    wheels.mkdir(parents=True, exist_ok=True)
    for path in wheels.glob("torch-*linux*.whl"):
        if "+cpu" not in path.name:
            path.unlink()
    constraints = (paths.ROOT / "constraints.txt").read_text(encoding="utf-8")
    reached = []
    for system, python in targets:  # before all else, since it is what may be out of reach
        need = f"torch=={needs.pins()['torch']}"
        begin(f"{_title(system, python)}: fetching torch, the largest package…")
        tell(need)
        try:
            reached.append((system, python, _fetch(need, wheels, system, python)))
        except WheelhouseError as error:
            yield Outcome(system, python, trouble=str(error))
    own = _own(wheels)
    for system, python, _ in reached:
        begin(f"{_title(system, python)}: fetching the other packages…")
        try:
            got = needed_by(own, system, python, lambda need, s=system, p=python: tell(need) or _fetch(need, wheels, s, p))
        except WheelhouseError as error:
            yield Outcome(system, python, trouble=str(error))
        else:
            files = {own, *got.values()}
            yield Outcome(system, python, len(files), sum(path.stat().st_size for path in files))
    write_whole(folder / "constraints.txt", constraints.encode())
    write_scripts(folder, complete(own))


def complete(own: Path) -> dict[str, list[str]]:
    """The systems for which all that the course's own wheel needs lies beside it, with their Pythons."""
    have: dict[str, list[str]] = {}
    minors = {tag.interpreter for path in own.parent.glob("torch-*.whl") for tag in parse_wheel_filename(path.name)[3]}
    for system, minor in product(SYSTEMS, sorted(int(interpreter[3:]) for interpreter in minors)):
        try:
            needed_by(own, system, f"3.{minor}", lambda need, s=system, m=minor: _held(need, own.parent, s, f"3.{m}"))
        except WheelhouseError:
            continue
        have.setdefault(system, []).append(f"3.{minor}")
    return have


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
    if python not in PYTHONS:
        made = f"it is made for {PYTHONS[0]} to {PYTHONS[-1]}"
        raise WheelhouseError(f"There is no Python {python!r} for the course: {made}. Name one as --python 3.12.")


def _small(need: str, system: str) -> bool:
    """Whether this is the torch of which there are two, and the small one has another version, as 2.13.0+cpu."""
    return system == "linux" and need.startswith("torch==")


def _held(need: str, wheels: Path, system: str, python: str) -> Path:
    """The wheel that fits, where the folder has it. Raises WheelhouseError."""
    wanted = Requirement(f"{need}+cpu" if _small(need, system) else need)
    minor, platforms = (3, int(python[2:])), SYSTEMS[system][0]
    tags = {*cpython_tags(minor, [f"cp3{minor[1]}"], platforms), *compatible_tags(minor, f"cp3{minor[1]}", platforms)}
    for path in wheels.glob("*.whl"):
        name, version, _, fitting = parse_wheel_filename(path.name)
        if name == wanted.name and version in wanted.specifier and fitting & tags:
            return path
    raise WheelhouseError(f"{wanted} is missing.")


def _fetch(need: str, wheels: Path, system: str, python: str) -> Path:
    """One wheel that fits; where a package has none for any system, one is made of its source."""
    with suppress(WheelhouseError):
        return _held(need, wheels, system, python)
    small = _small(need, system)
    wanted = [f"{need}+cpu", "--extra-index-url", CPU] if small else [need]
    fits = [word for tag in SYSTEMS[system][0] for word in ("--platform", tag)]
    there = ["--only-binary=:all:", *fits, "--python-version", python, "--implementation", "cp"]
    try:
        return _pip(wheels, "download", *wanted, *there, "--dest")
    except WheelhouseError as error:
        if "No matching distribution" not in str(error):
            raise
        if small:
            raise WheelhouseError(f"torch's small build could not be fetched; can this computer reach {CPU} ?") from None
    source = f"--no-binary={need.partition('==')[0]}"  # a wheel for this computer would be of no use there
    made = _pip(wheels, "wheel", need, source, "--wheel-dir")
    if not made.name.endswith("-none-any.whl"):
        made.unlink()
        raise WheelhouseError(f"{need} has no wheel; choose another Python.")
    return made


def _own(wheels: Path) -> Path:
    """The course's own wheel: built in a clone; elsewhere made again of the files that were installed."""
    if paths.ROOT != paths.PACKED:
        return _pip(wheels, "wheel", str(paths.ROOT), "--wheel-dir")
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
