"""Whether the course will run on this computer: a report to read, or to send to an instructor before the day.

What the course does is really done here, each thing in small. Nothing private is told: no names of users or computers.
"""

import hashlib
import os
import platform
import re
import shutil
import socket
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import distributions, metadata, version
from pathlib import Path

from transformer_course._util import paths
from transformer_course.folders import learner_folder as learner_folder

from .self_tests import PATIENCE, failure, in_fresh_python, last_line

NAME = "transformer-course"
GB = 1e9
DISK, MEMORY = 0.2 * GB, 1.5 * GB  # free, for the folder's notebooks with their outputs; for JupyterLab and lesson 15
PORTS = range(8888, 8888 + 51)  # those that JupyterLab tries
SLOW = 180  # seconds of lesson 15's first training, which a room waits for
TOLD = {"jupyterlab", "matplotlib", "numpy", "torch"}  # packages that are told even when they are as they should be
AGAIN = "install the course again, as its README says"
SILENT = (
    "A firewall, VPN or virus scanner may block 127.0.0.1: allow Python there, or try without the VPN, and run this again."
)
CELL = "import sys\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])\nprint(sys.prefix)"


@dataclass(frozen=True)
class Finding:
    """What was looked at, what was seen, one sentence with what to do where something is wrong, and whether that ``stops``."""

    what: str
    seen: str
    trouble: str = ""
    stops: bool = True


def examine(folder: Path) -> list[Finding]:
    """Try everything that the course needs, with ``folder`` as the learner's. Some twenty seconds; never raises."""
    findings = []
    for look in LOOKS:
        try:
            findings += look(folder)
        except Exception as error:  # a computer in any state: what cannot be tried is told like the rest
            why = f"could not be tried ({type(error).__name__}: {last_line(str(error))})"
            mend = f"Mend first what else is marked; if nothing is, {AGAIN}."
            findings.append(Finding(look.__name__.strip("_"), why, mend, stops=look is not _training))
    return findings


def report(findings: list[Finding]) -> str:
    """The findings as lines of text, the first of which says whether the course will run."""
    marks = [("!!" if finding.stops else "!") if finding.trouble else "" for finding in findings]
    lines = ["The course will not run here yet: see what is marked !!" if "!!" in marks else "The course will run here."]
    for mark, finding in zip(marks, findings, strict=True):
        lines.append(f"{mark:2} {finding.what:11} {finding.seen}")
        lines += [f"{'':14} {finding.trouble}"] if finding.trouble else []
    return _private("\n".join(lines))


def taken(port: int) -> bool:
    """Whether a port of this computer cannot be had."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except (OSError, OverflowError):
            return True
    return False


def _private(text: str) -> str:
    """The text with ~ for the home folder, and without the user's name in other paths."""
    end = r"(?![\w.-])"
    if not (name := Path.home().name):
        return text
    for home in (Path.home(), Path.home().resolve()):
        text = re.sub(re.escape(str(home)) + end, "~", text, flags=re.I)
    return re.sub(rf"(?<=[/\\]){re.escape(name)}{end}", "USER", text, flags=re.I)


def _above(place: Path) -> Path:
    """The place itself, or the nearest folder above it that exists."""
    return next(path for path in (place.resolve(), *place.resolve().parents) if path.exists())


def _edition(folder: Path) -> Iterator[Finding]:
    files = {part: paths.notebooks(part) for part in paths.FOLDERS}
    cells = "".join(learner_folder.fingerprint(path.read_bytes()) for part in files.values() for path in part)
    counts = ", ".join(f"{len(paths)} {part}" for part, paths in files.items())
    seen = f"{version(NAME)}-{hashlib.sha256(cells.encode()).hexdigest()[:8]}: {counts}"
    yield Finding("edition", seen, "" if all(files.values()) else f"Its notebooks are missing: {AGAIN}.")


def _computer(folder: Path) -> Iterator[Finding]:
    import psutil
    from packaging.specifiers import SpecifierSet

    found, needed = platform.python_version(), metadata(NAME)["Requires-Python"]
    fits = SpecifierSet(needed).contains(found, prereleases=True)
    yield Finding("Python", f"{found}, needed: {needed}", "" if fits else "Install a newer Python, and the course with it.")
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    yield Finding("system", f"{platform.system()} {platform.release()}, {platform.machine()}, {processors} processors")
    memory, free = psutil.virtual_memory(), shutil.disk_usage(_above(folder)).free
    seen = f"{memory.total / GB:.1f} GB, of which {memory.available / GB:.1f} GB are available"
    close = f"Close other programs: lessons that train may need {MEMORY / GB:g} GB, and are slow or end with less."
    yield Finding("memory", seen, close if memory.available < MEMORY else "", stops=False)
    full = f"Free {DISK / GB:g} GB on this disk, or name a folder on another: {NAME} lab FOLDER"
    yield Finding("disk", f"{free / GB:.1f} GB free where {folder.resolve()} is", full if free < DISK else "")
    ports = [port for port in PORTS if not taken(port)]
    seen = f"{ports[0]} is free" if ports else f"none is free from {PORTS[0]} to {PORTS[-1]}"
    yield Finding("port", seen, "" if ports else "End other JupyterLabs, or restart the computer.")


def _packages(folder: Path) -> Iterator[Finding]:
    from packaging.requirements import Requirement

    for need in map(Requirement, metadata(NAME).get_all("Requires-Dist")):
        if need.marker and not need.marker.evaluate({"extra": ""}):
            continue
        found = next((each.version for each in distributions(name=need.name)), "")
        fits = found and need.specifier.contains(found, prereleases=True)
        if need.name in TOLD or not fits:
            mend = "" if fits else f'Run: {sys.executable} -m pip install "{need}"'
            yield Finding(need.name, f"{found or 'missing'}, needed: {need.specifier}", mend)


def _trials(folder: Path) -> Iterator[Finding]:
    torch = f"from {__package__}.trials import torch_computes; torch_computes()"
    models = f"from {__package__} import models; [models.load(name) for name in models.names()]"
    windows = "on Windows, install Microsoft's Visual C++ Redistributable; if that was not it,"
    for what, trial, well, mend in (
        ("arithmetic", torch, "torch multiplies, and trains a step", f"torch is damaged: {windows} {AGAIN}."),
        ("models", models, "load, and are those that were shipped", f"A file is damaged or missing: {AGAIN}."),
    ):
        ran = in_fresh_python(trial)
        yield Finding(what, failure(ran) if ran.returncode else well, mend if ran.returncode else "")


def _training(folder: Path) -> Iterator[Finding]:
    ran = in_fresh_python(f"from {__package__}.trials import training_time; print(training_time())")
    if ran.returncode:
        yield Finding("training", failure(ran), f"Mend first what is marked !!; if nothing is, {AGAIN}.", stops=False)
        return
    seconds = float(ran.stdout.split()[-1])
    about = f"{max(10, round(seconds, -1)):.0f} s" if seconds < 2 * 60 else f"{seconds / 60:.0f} min"
    slow = "That is slow. Busy now? Run this again when nothing else runs. If it stays so, work with a neighbour in lesson 15."
    yield Finding("training", f"lesson 15 will train for about {about} here", slow if seconds > SLOW else "", stops=False)


def _kernel(folder: Path) -> Iterator[Finding]:
    from jupyter_client.manager import run_kernel

    shown: list[dict] = []
    place = str(_above(folder / "notebooks"))
    quiet = ["--Application.log_level=ERROR"]  # on some systems a kernel greets with a warning
    print(f"Starting a kernel, which may take up to {PATIENCE // 60} minutes...", file=sys.stderr, flush=True)
    try:
        with run_kernel(kernel_name="python3", startup_timeout=PATIENCE, cwd=place, extra_arguments=quiet) as client:
            client.execute_interactive(CELL, output_hook=lambda message: shown.append(message["content"]), timeout=PATIENCE)
    except (RuntimeError, TimeoutError) as error:
        if "died" in str(error):
            raise
        yield Finding("kernel", f"does not answer ({last_line(str(error))})", f"{SILENT} If that was not it, {AGAIN}.")
        return
    whose = "".join(content["text"] for content in shown if content.get("name") == "stdout").strip()
    drawn = any("image/png" in content.get("data", {}) for content in shown)
    well = whose == sys.prefix and drawn
    seen = "starts, runs a cell and shows a figure" if well else f"shows no figure, or is another Python's: {whose}"
    yield Finding("kernel", seen, "" if well else f"Run: {sys.executable} -m ipykernel install --sys-prefix")


def _folders(folder: Path) -> Iterator[Finding]:
    from transformer_course.exercises import passes

    try:
        with learner_folder.writable_folder(folder):
            for place in {_above(folder), *(_above(folder / part) for part in paths.FOLDERS)}:
                tempfile.TemporaryFile(dir=place).close()
        yield Finding("folder", f"{folder.resolve()} can be written")
    except learner_folder.FolderError as error:
        yield Finding("folder", "cannot be used", str(error))
    try:
        tempfile.TemporaryFile(dir=_above(passes.file().parent)).close()
        yield Finding("progress", f"{passes.file()} can be written")
    except OSError as error:
        mend = "Set TRANSFORMER_COURSE_HOME to a folder that can be written, or what you pass is not remembered."
        yield Finding("progress", f"{passes.file()} cannot be written ({error.strerror})", mend, stops=False)


def _grading(folder: Path) -> Iterator[Finding]:
    from transformer_course.grading.sandbox.bubblewrap import Bubble
    from transformer_course.grading.sandbox.supervisor import Sandbox

    try:
        with Sandbox(Bubble.start()) as sandbox:
            sandbox.ready()
        yield Finding("grading", "can be done here, in the sandbox")
    except Exception as error:  # whatever it is, learners need not care
        yield Finding(
            "grading", f"of no concern to learners; teachers cannot grade here: {last_line(str(error)).split(' (')[0]}"
        )


LOOKS = (_edition, _computer, _packages, _trials, _training, _kernel, _folders, _grading)
