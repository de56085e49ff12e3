"""Fill a folder with everything the course needs, so that learners can install it without a network.

pip works out what a package needs for the computer that it runs on, but learners often have different computers. So this
module reads the requirements from each wheel, for the learners' system, and uses pip only to download the wheels.
"""

import os
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import distribution, metadata
from itertools import product
from pathlib import Path

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.tags import compatible_tags, cpython_tags
from packaging.utils import parse_wheel_filename

from transformer_course._util import paths
from transformer_course._util.files import write_whole
from transformer_course._util.isolation import run_python

from . import needs
from .needs import SYSTEMS, WheelhouseError, needed_by
from .scripts import TITLES, write_scripts

NAME = "transformer-course"
# The versions that requires-python in pyproject.toml admits.
PYTHONS = tuple(SpecifierSet(metadata(NAME)["Requires-Python"]).filter(f"3.{minor}" for minor in range(100)))
CONTENTS = {"wheels", "constraints.txt", "README.txt", "install.sh", "install.bat"}  # what the folder contains
CPU = "https://download.pytorch.org/whl/cpu"  # the default build for Linux is ten times as large, for GPUs


@dataclass(frozen=True)
class Outcome:
    """The result for one system and Python version: the number of packages and their size in bytes, or a problem."""

    system: str
    python: str
    packages: int = 0
    size: int = 0
    problem: str = ""

    def __str__(self) -> str:
        contents = f"{self.packages} packages, {self.size / 1e6:.0f} MB"
        return f"{_title(self.system, self.python)}: {self.problem or contents}"


def _title(system: str, python: str) -> str:
    return f"{TITLES[system]}, Python {python}"


def fill(
    folder: Path,
    systems: Iterable[str],
    pythons: Iterable[str],
    on_stage: Callable[[str], None] = lambda stage: None,
    on_package: Callable[[str], None] = lambda package: None,
) -> Iterator[Outcome]:
    """Download everything for each of the systems ("linux", "macos", "windows") with each of the Python versions ("3.12").

    If one of them fails, the others continue. Files that are already in the folder are kept, except torch builds for GPUs.
    ``on_stage`` is called with a line of text when each stage starts, every few minutes; ``on_package`` with the name of each
    package. Raises WheelhouseError or OSError.
    """
    targets = list(product(systems, pythons))
    for system, python in targets:
        _check(system, python)
    found = {path.name for path in folder.iterdir() if path.name[0] != "."} if folder.exists() else set()
    if other := sorted(found - CONTENTS if "wheels" in found else found):  # these would be handed out too
        raise WheelhouseError(f"{folder} contains other files ({other[0]}). Choose a new folder, such as one called room.")
    wheels = folder / "wheels"
    wheels.mkdir(parents=True, exist_ok=True)
    for path in wheels.glob("torch-*linux*.whl"):
        if "+cpu" not in path.name:
            path.unlink()
    constraints = (paths.ROOT / "constraints.txt").read_text(encoding="utf-8")
    have_torch = []
    for system, python in targets:  # torch comes first, because it is the package that a network is most likely to block
        need = f"torch=={needs.pins()['torch']}"
        on_stage(f"{_title(system, python)}: downloading torch, the largest package…")
        on_package(need)
        try:
            _fetch(need, wheels, system, python)
            have_torch.append((system, python))
        except WheelhouseError as error:
            yield Outcome(system, python, problem=str(error))
    own = own_wheel(wheels)
    for system, python in have_torch:
        on_stage(f"{_title(system, python)}: downloading the other packages…")

        def fetch(need: str, system: str = system, python: str = python) -> Path:
            on_package(need)
            return _fetch(need, wheels, system, python)

        try:
            needed = needed_by(own, system, python, fetch)
        except WheelhouseError as error:
            yield Outcome(system, python, problem=str(error))
        else:
            files = {own, *needed.values()}
            yield Outcome(system, python, len(files), sum(path.stat().st_size for path in files))
    write_whole(folder / "constraints.txt", constraints.encode())
    write_scripts(folder, complete(own))


def complete(own: Path) -> dict[str, list[str]]:
    """Return the systems, with their Python versions, for which the folder has everything that the course's wheel needs."""
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
    """Return the name of this computer's system. Raises WheelhouseError if torch has no wheels for it."""
    here = default_environment()
    for name, (_, system) in SYSTEMS.items():
        if all(here[marker] == value for marker, value in system.items()):
            return name
    computer = f"{here['platform_system']} on {here['platform_machine']}"
    raise WheelhouseError(f"{computer} is not supported. Name your learners' system with --system: {', '.join(SYSTEMS)}.")


def _check(system: str, python: str) -> None:
    if system not in SYSTEMS:
        raise WheelhouseError(f"There is no system {system!r}. Choose from: {', '.join(SYSTEMS)}.")
    if python not in PYTHONS:
        raise WheelhouseError(f"The course does not support Python {python!r}. Choose from: {', '.join(PYTHONS)}.")


def _has_cpu_build(need: str, system: str) -> bool:
    """Return whether this is torch for Linux. Its CPU build has a version such as 2.13.0+cpu."""
    return system == "linux" and need.startswith("torch==")


def _held(need: str, wheels: Path, system: str, python: str) -> Path:
    """Return the wheel in the folder that fits. Raises WheelhouseError if there is none."""
    wanted = Requirement(f"{need}+cpu" if _has_cpu_build(need, system) else need)
    minor, platforms = (3, int(python[2:])), SYSTEMS[system][0]
    tags = {*cpython_tags(minor, [f"cp3{minor[1]}"], platforms), *compatible_tags(minor, f"cp3{minor[1]}", platforms)}
    for path in wheels.glob("*.whl"):
        name, version, _, supported = parse_wheel_filename(path.name)
        if name == wanted.name and version in wanted.specifier and supported & tags:
            return path
    raise WheelhouseError(f"{wanted} is missing.")


def _fetch(need: str, wheels: Path, system: str, python: str) -> Path:
    """Return a wheel that fits, downloaded if necessary. If the package has no such wheel, build one from its source."""
    with suppress(WheelhouseError):
        return _held(need, wheels, system, python)
    cpu = _has_cpu_build(need, system)
    wanted = [f"{need}+cpu", "--extra-index-url", CPU] if cpu else [need]
    platforms = [word for tag in SYSTEMS[system][0] for word in ("--platform", tag)]
    target = ["--only-binary=:all:", *platforms, "--python-version", python, "--implementation", "cp"]
    try:
        return _pip(wheels, "download", *wanted, *target, "--dest")
    except WheelhouseError as error:
        if "No matching distribution" not in str(error):
            raise
        if cpu:
            raise WheelhouseError(f"torch's CPU build could not be downloaded. Can this computer reach {CPU} ?") from None
    source = f"--no-binary={need.partition('==')[0]}"  # a wheel for this computer would not work on the learners'
    built = _pip(wheels, "wheel", need, source, "--wheel-dir")
    if not built.name.endswith("-none-any.whl"):
        built.unlink()
        raise WheelhouseError(f"{need} has no wheel for this system and Python version. Choose a different Python version.")
    return built


def own_wheel(wheels: Path) -> Path:
    """Return the course's own wheel: built from the clone, or else packed again from the installed files."""
    if paths.ROOT != paths.PACKED:
        return _pip(wheels, "wheel", str(paths.ROOT), "--wheel-dir")
    installed = distribution(NAME)
    left_out = "INSTALLER", "REQUESTED", "direct_url.json"  # these describe the installation, not the package
    rows = [row for row in (installed.read_text("RECORD") or "").splitlines() if "__pycache__" not in row and row[:2] != ".."]
    rows = [row for row in rows if row.split(",")[0].rpartition("/")[2] not in left_out]
    target = wheels / f"{NAME.replace('-', '_')}-{installed.version}-py3-none-any.whl"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in (row.rsplit(",", 2)[0].strip('"') for row in rows):
            if not name.endswith("/RECORD"):
                archive.write(installed.locate_file(name), name)
        (record,) = [row.split(",")[0] for row in rows if row.split(",")[0].endswith(".dist-info/RECORD")]
        archive.writestr(record, "\n".join(rows) + "\n")
    return target


def _pip(wheels: Path, *arguments: str) -> Path:
    """Run pip to get one wheel; the last option names the folder for it. Only a complete wheel is moved to the others."""
    with tempfile.TemporaryDirectory(dir=wheels) as temporary:
        options = [Path(temporary).resolve(), "--no-deps", "--disable-pip-version-check", "--quiet"]
        process = run_python(["-m", "pip", *arguments, *options], text=True, encoding="utf-8", errors="replace")
        if process.returncode:
            lines = process.stderr.splitlines()
            errors = [line for line in lines if line.startswith("ERROR: ")] or lines
            raise WheelhouseError(f"pip could not get {arguments[1]} ({' '.join(errors[-1:])}). Is this computer online?")
        (wheel,) = Path(temporary).glob("*.whl")
        os.replace(wheel, wheels / wheel.name)
    return wheels / wheel.name
