"""The checks of ``transformer-course doctor``. Each one really does, on a small scale, what the course will do."""

import hashlib
import os
import platform
import shutil
import socket
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import distributions, metadata, version
from pathlib import Path

from transformer_course import course
from transformer_course._util import paths
from transformer_course.folders import learner_folder

from .self_tests import TIMEOUT, describe_failure, in_fresh_python, last_line

NAME = "transformer-course"
GB = 1e9
DISK, MEMORY = 0.2 * GB, 1.5 * GB  # free space for the notebooks with their outputs; memory for JupyterLab and lesson 15
PORTS = range(8888, 8888 + 51)  # the ports that JupyterLab tries
SLOW = 180  # seconds; a class can wait this long for the first training of lesson 15
ALWAYS_LISTED = {"jupyterlab", "matplotlib", "numpy", "torch"}  # other packages are listed only if something is wrong
REINSTALL = "install the course again, as you did the first time (docs/install.md)"
BLOCKED = (
    "A firewall, VPN or virus scanner may be blocking 127.0.0.1. Allow Python to use it, or turn the VPN off, then run this "
    "again."
)
CELL = "import sys\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])\nprint(sys.prefix)"


@dataclass(frozen=True)
class Finding:
    """The result of one check; ``advice`` says what to do about a problem, and is empty if there is none."""

    name: str
    result: str
    advice: str = ""
    blocking: bool = True  # whether the course cannot run until the problem is fixed


def port_in_use(port: int) -> bool:
    """Return whether a port of this computer cannot be used."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except (OSError, OverflowError):
            return True
    return False


def _existing(path: Path) -> Path:
    """Return the path itself, or the nearest folder above it that exists."""
    return next(place for place in (path.resolve(), *path.resolve().parents) if place.exists())


def check_version(folder: Path) -> Iterator[Finding]:
    found = [(source.folder, source.notebook) for source in course.sources() if source.notebook.exists()]
    notebooks = {part: [path for folder, path in found if folder == part] for part in paths.FOLDERS}
    cells = "".join(learner_folder.fingerprint(path.read_bytes()) for part in notebooks.values() for path in part)
    counts = ", ".join(f"{len(files)} {part}" for part, files in notebooks.items())
    result = f"{version(NAME)}-{hashlib.sha256(cells.encode()).hexdigest()[:8]}: {counts}"
    yield Finding("version", result, "" if all(notebooks.values()) else f"Notebooks are missing: {REINSTALL}.")


def check_computer(folder: Path) -> Iterator[Finding]:
    import psutil
    from packaging.specifiers import SpecifierSet

    installed, needed = platform.python_version(), metadata(NAME)["Requires-Python"]
    fits = SpecifierSet(needed).contains(installed, prereleases=True)
    advice = "" if fits else "Install a suitable Python, then install the course with it."
    yield Finding("Python", f"{installed}, needed: {needed}", advice)
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    yield Finding("system", f"{platform.system()} {platform.release()}, {platform.machine()}, {processors} CPUs")
    memory, free = psutil.virtual_memory(), shutil.disk_usage(_existing(folder)).free
    result = f"{memory.total / GB:.1f} GB, of which {memory.available / GB:.1f} GB is available"
    advice = (
        f"Close other programs. Lessons that train a model may need {MEMORY / GB:g} GB; with less, they are slow or crash."
    )
    yield Finding("memory", result, advice if memory.available < MEMORY else "", blocking=False)
    advice = f"Free {DISK / GB:g} GB on this disk, or choose a folder on a different disk: {NAME} lab FOLDER"
    yield Finding(
        "disk", f"{free / GB:.1f} GB free on the disk that contains {folder.resolve()}", advice if free < DISK else ""
    )
    ports = [port for port in PORTS if not port_in_use(port)]
    result = f"{ports[0]} is free" if ports else f"no port from {PORTS[0]} to {PORTS[-1]} is free"
    yield Finding("port", result, "" if ports else "Stop other JupyterLab servers, or restart the computer.")


def check_packages(folder: Path) -> Iterator[Finding]:
    from packaging.requirements import Requirement

    for need in map(Requirement, metadata(NAME).get_all("Requires-Dist")):
        if need.marker and not need.marker.evaluate({"extra": ""}):
            continue
        installed = next((each.version for each in distributions(name=need.name)), "")
        fits = installed and need.specifier.contains(installed, prereleases=True)
        if need.name in ALWAYS_LISTED or not fits:
            advice = "" if fits else f'Run: {sys.executable} -m pip install "{need}"'
            yield Finding(need.name, f"{installed or 'missing'}, needed: {need.specifier}", advice)


def check_torch_and_models(folder: Path) -> Iterator[Finding]:
    torch = "from transformer_course.app.self_tests import torch_computes; torch_computes()"
    models = "from transformer_course import models; [models.load(name) for name in models.names()]"
    windows = "On Windows, install Microsoft's Visual C++ Redistributable. If that does not help,"
    for name, code, success, advice in (
        ("arithmetic", torch, "torch can multiply and take a training step", f"torch is damaged. {windows} {REINSTALL}."),
        ("models", models, "the trained models load and are undamaged", f"A file is damaged or missing: {REINSTALL}."),
    ):
        process = in_fresh_python(code)
        yield Finding(name, describe_failure(process), advice) if process.returncode else Finding(name, success)


def check_training(folder: Path) -> Iterator[Finding]:
    process = in_fresh_python("from transformer_course.app.self_tests import training_time; print(training_time())")
    if process.returncode:
        advice = f"First fix the problems marked !!. If there are none, {REINSTALL}."
        yield Finding("training", describe_failure(process), advice, blocking=False)
        return
    seconds = float(process.stdout.split()[-1])
    about = f"{max(10, round(seconds, -1)):.0f} s" if seconds < 2 * 60 else f"{seconds / 60:.0f} min"
    advice = (
        "This is slow. Close other programs, then run this again. If it is still slow, work with a neighbour in lesson 15."
    )
    result = f"lesson 15 will train for about {about} on this computer"
    yield Finding("training", result, advice if seconds > SLOW else "", blocking=False)


def check_kernel(folder: Path) -> Iterator[Finding]:
    from jupyter_client.manager import run_kernel

    outputs: list[dict] = []
    place = str(_existing(folder / "notebooks"))
    quiet = ["--Application.log_level=ERROR"]  # on some systems, a kernel starts with a warning
    print(f"Starting a kernel, which may take up to {TIMEOUT // 60} minutes...", file=sys.stderr, flush=True)
    try:
        with run_kernel(kernel_name="python3", startup_timeout=TIMEOUT, cwd=place, extra_arguments=quiet) as client:
            client.execute_interactive(CELL, output_hook=lambda message: outputs.append(message["content"]), timeout=TIMEOUT)
    except (RuntimeError, TimeoutError) as error:
        if "died" in str(error):
            raise
        result = f"does not respond ({last_line(str(error))})"
        yield Finding("kernel", result, f"{BLOCKED} If that does not help, {REINSTALL}.")
        return
    prefix = "".join(content["text"] for content in outputs if content.get("name") == "stdout").strip()
    figure = any("image/png" in content.get("data", {}) for content in outputs)
    if prefix == sys.prefix and figure:
        yield Finding("kernel", "starts, runs a cell and shows a figure")
    else:
        result = f"shows no figure, or belongs to a different Python: {prefix}"
        yield Finding("kernel", result, f"Run: {sys.executable} -m ipykernel install --sys-prefix")


def check_folders(folder: Path) -> Iterator[Finding]:
    from transformer_course.exercises import passes

    try:
        with learner_folder.writable_folder(folder):
            for place in {_existing(folder), *(_existing(folder / part) for part in paths.FOLDERS)}:
                tempfile.TemporaryFile(dir=place).close()
        yield Finding("folder", f"{folder.resolve()} is writable")
    except learner_folder.FolderError as error:
        yield Finding("folder", "cannot be used", str(error))
    if damage := passes.damage(folder):
        yield Finding("progress", "damaged", damage, blocking=False)
    if not (home := os.environ.get("TRANSFORMER_COURSE_HOME")):
        return  # passes are stored in the learner's folder
    try:
        tempfile.TemporaryFile(dir=_existing(Path(home))).close()
        yield Finding("progress", f"{passes.file(folder)} is writable")
    except OSError as error:
        advice = "Set TRANSFORMER_COURSE_HOME to a writable folder. Otherwise the exercises that you pass are not recorded."
        yield Finding("progress", f"{passes.file(folder)} is not writable ({error.strerror})", advice, blocking=False)


def check_grading(folder: Path) -> Iterator[Finding]:
    from transformer_course.grading.sandbox.bubblewrap import Bubblewrap
    from transformer_course.grading.sandbox.supervisor import Sandbox

    try:
        with Sandbox(Bubblewrap.start()) as sandbox:
            sandbox.ready()
            groups = str(sandbox.bubblewrap.cgroups)
        yield Finding("grading", f"works on this computer, in the sandbox. {groups}")
    except Exception as error:  # not a problem for learners, whatever the reason
        reason = last_line(str(error)).split(" (")[0]
        yield Finding("grading", f"not available on this computer ({reason}); learners do not need it")


CHECKS = (
    check_version,
    check_computer,
    check_packages,
    check_torch_and_models,
    check_training,
    check_kernel,
    check_folders,
    check_grading,
)
