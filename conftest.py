"""Kernels that pytest starts get the surroundings in which lessons are built, and each model is trained once in a run."""

import os
import tempfile
from collections import Counter
from pathlib import Path

import pytest
import train_once
from xdist.scheduler import LoadFileScheduling

from transformer_course.authoring.execute import kernel_environment

# nbval ignores what differs slightly between machines in an explorable's HTML: its picture, and numbers from a model.
NBVAL_SANITIZE = """
[pictures]
regex: data:image/webp;base64,[^"]+
replace: a picture
[numbers]
regex: data-content="[^"]+"
replace: numbers
"""
pytest_plugins = ["one_lesson"]
LEFT = pytest.StashKey[Counter]()  # how many tests of each folder this run leaves out
SECONDS = 600  # that a kernel may take to start or to send an output, however busy the computer is


def pytest_report_header() -> str:
    """How to draw the same samples again: only `make test-all` draws some, by a seed that differs from run to run."""
    seed = os.environ.get("TRANSFORMER_COURSE_SEED")
    return f"samples: drawn by seed {seed}. To repeat them: make test-all SEED={seed}" if seed else ""


def pytest_configure(config: pytest.Config) -> None:
    folder = tempfile.TemporaryDirectory(prefix="transformer-course-")
    config.add_cleanup(folder.cleanup)
    os.environ.update(kernel_environment(Path(folder.name)))
    os.environ["TRANSFORMER_COURSE_TRAINING"] = "short"  # the Build's stages train for a few steps only
    startup = Path(folder.name) / "ipython" / "profile_default" / "startup"
    (startup / "10-train-once.py").write_text(train_once.STARTUP, encoding="utf-8")
    if hasattr(config.option, "nbval_kernel_startup_timeout"):
        config.option.nbval_kernel_startup_timeout = SECONDS
        sanitize = Path(folder.name) / "nbval.cfg"
        sanitize.write_text(NBVAL_SANITIZE, encoding="utf-8")
        config.option.nbval_sanitize_with = str(sanitize)
    os.environ.setdefault(train_once.FOLDER, str(Path(folder.name) / "trainings"))  # processes of one run share one


def pytest_xdist_auto_num_workers() -> int:
    """One process for each CPU: more slow each other down. Each needs about 1 GB with its kernel."""
    return min(8, os.cpu_count() or 1)


class ByFile(LoadFileScheduling):
    """A process takes a file at a time, but of the two that take longest one test: an exercise's samples, or a led part."""

    def _split_scope(self, nodeid: str) -> str:
        alone = any(name in nodeid for name in ("on_drawn_seeds", "from_the_state_of_the_break"))
        return nodeid if alone else super()._split_scope(nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log) -> LoadFileScheduling | None:
    return ByFile(config, log) if config.getoption("dist") == "loadfile" else None


@pytest.hookimpl(tryfirst=True)  # before marks select tests
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave the solved sheets to `make test-all`, and begin with what takes long, so that no process ends with it alone."""
    for item in items:
        if item.path.suffix == ".ipynb" and item.path.parent.name != "notebooks":
            item.add_marker("slow")
        if item.get_closest_marker("alone") and "grading" not in item.path.parts:
            raise pytest.UsageError(
                f"`make test-all` looks for tests that run alone in tests/grading: move {item.nodeid} there"
            )
        if hasattr(item, "output_timeout"):  # nbval's seconds from the end of a cell to its last output
            item.output_timeout = SECONDS
    long = {item.path for item in items if item.path.suffix == ".ipynb" or item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in long)


def pytest_deselected(items: list[pytest.Item]) -> None:
    """Count what this run leaves out, so that it can say so at its end."""
    if items:
        left = Counter(item.path.relative_to(item.config.rootpath).parts[1] for item in items)
        items[0].config.stash.setdefault(LEFT, Counter()).update(left)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):  # all processes of pytest-xdist collect the same tests
        session.config.workeroutput["left"] = dict(session.config.stash.get(LEFT, {}))


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node) -> None:
    node.config.stash[LEFT] = Counter(getattr(node, "workeroutput", {}).get("left", {}))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say once what was left out: what this computer cannot run, and what `make test-all` runs."""
    reasons: Counter[tuple[str, str]] = Counter()
    for report in terminalreporter.getreports("skipped"):
        folder = report.nodeid.split("::")[0].split("/")[1]
        reasons[folder, report.longrepr[2]] += 1
    for reason in sorted({reason for _, reason in reasons}):
        parts = ", ".join(f"{folder} {count}" for (folder, why), count in reasons.most_common() if why == reason)
        terminalreporter.write_line(f"Not run here ({parts}): {reason.removeprefix('Skipped: ')}")
    if (left := config.stash.get(LEFT, None)) and config.option.markexpr == "not slow":
        parts = ", ".join(f"{folder} {count}" for folder, count in left.most_common())
        rest = f"{left.total()} tests ({parts}), and every solved sheet and stage"
        terminalreporter.write_line(f"Left to `make test-all`: {rest}.")
