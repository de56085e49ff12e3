"""What learners' code and the judges see of this computer: Python, the system's libraries, and the packages that they use."""

import functools
import site
import sys
import sysconfig
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from transformer_course._util import paths

# The packages that notebooks use. Whatever these require is shown too. Everything else that is installed stays outside,
# including this course's own distribution.
ROOTS = ("numpy", "torch", "matplotlib", "matplotlib-inline", "ipython", "scikit-learn", "safetensors", "jaxtyping", "rich",
         "cn2an", "num2words", "platformdirs")  # fmt: skip
JUDGE_ROOTS = ("numpy", "packaging", "platformdirs")
SYSTEM = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache", "/sys/devices/system/cpu",
          "/sys/kernel/mm/transparent_hugepage")  # fmt: skip
# All that is shown of the course: the library behind the lessons, and the code that runs an answer. A stub replaces the
# exercises, so no check, no command and no answer gets in; a later stage of the Build is sent the parts of earlier ones (see
# ``judging/earlier_parts.py``). A new module stays outside until it is added here.
SHOWN = (
    "__init__.py", "_util/__init__.py", "_util/files.py", "_util/folder_record.py", "_util/palette.py", "_util/paths.py",
    "_util/progress_bar.py", "runner", "positions.py", "masks.py", "cache.py", "attention.py", "embedding.py", "layers.py",
    "config.py", "transformer.py", "family.py", "generation_state.py", "beam.py", "decoding.py", "speculative.py",
    "quantization.py", "weights.py", "gpt2.py", "training.py", "chat.py", "lora.py", "rewards.py", "modern.py",
    "experts.py", "inspection.py", "byte_pairs.py", "data", "models", "figures", "experiments", "export",
    "my_transformer.py",
)  # fmt: skip
COURSE, PACKAGES = Path("/course"), Path("/packages")  # the folders inside that are on Python's path


def binds() -> dict[Path, Path]:
    """Map each place inside the sandbox to the file or folder outside that appears there, read-only."""
    shown = _python(ROOTS) | {COURSE / "transformer_course" / name: paths.PACKAGE / name for name in SHOWN}
    inside = Path(__file__).parent / "inside"
    shown[COURSE / "transformer_course/exercises/__init__.py"] = inside / "stub.py"
    shown[COURSE / "inside"] = inside
    return shown


def judge_binds() -> dict[Path, Path]:
    """Map places in the same way for a judge, which sees the whole course, but no submission and no result."""
    shown = _python(JUDGE_ROOTS) | {COURSE / "transformer_course": paths.PACKAGE}
    if paths.ROOT != paths.PACKED:  # in a wheel, the sources of sheets and lessons are inside the package
        shown |= {COURSE / folder / "source": paths.ROOT / folder / "source" for folder in paths.FOLDERS}
    return shown


def _python(roots: tuple[str, ...]) -> dict[Path, Path]:
    """Map the places that Python needs, with these packages and whatever they require."""
    shown = {Path(place): Path(place) for place in SYSTEM if Path(place).exists()}
    shown |= {place: place for place in _interpreter()}
    return shown | {PACKAGES / entry.name: entry for entry in _package_files(roots)}


def masked() -> list[Path]:
    """Return folders that must appear empty inside, because this course or other people's work may be installed there.

    All of them are within the folders of the system and of Python that ``binds`` shows.
    """
    folders = {Path(folder) for folder in (*site.getsitepackages(), sysconfig.get_paths()["purelib"])}
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    folders |= {
        Path(sys.base_prefix) / library / version / f"{kind}-packages"
        for library in ("lib", "lib64")
        for kind in ("site", "dist")
    }
    folders |= set(Path("/usr/lib").glob("python3*/*-packages"))
    shown = [*map(Path, SYSTEM), *_interpreter()]
    return sorted(folder for folder in folders if folder.is_dir() and any(folder.is_relative_to(place) for place in shown))


def executable() -> Path:
    """Return Python's own program, not a virtual environment's link to it."""
    return Path(sys._base_executable).resolve()


@functools.cache
def _interpreter() -> list[Path]:
    """Return Python's program, its standard library (which may be in several folders), and its shared library."""
    folders, settings = sysconfig.get_paths(), sysconfig.get_config_vars()
    places = {executable(), Path(folders["stdlib"]), Path(folders["platstdlib"].replace(sys.prefix, sys.base_prefix, 1))}
    places.add(Path(settings.get("LIBDIR") or "/") / (settings.get("INSTSONAME") or ""))
    places.add(Path(settings.get("DESTSHARED") or folders["stdlib"]))
    return sorted(place for place in places if place.exists() and place != Path("/"))


def _package_files(roots: tuple[str, ...]) -> set[Path]:
    """Return the top-level files and folders of the packages in ``roots`` and of all that they require."""
    files = set()
    for package in _with_requirements(roots):
        record = package.read_text("RECORD") or ""  # a line for each installed file, which starts with its path
        top_level = {line.lstrip('"').split("/")[0] for line in record.splitlines() if "/" in line}
        top_level |= {line.split(",")[0].strip('"') for line in record.splitlines() if "/" not in line}
        files |= {Path(str(package.locate_file(name))) for name in top_level - {"", "..", "__pycache__"}}
    return {file for file in files if file.exists()}


def _with_requirements(names: tuple[str, ...]) -> list[Distribution]:
    """Return the installed distributions of these names, with the ones they require, directly or indirectly."""
    found: dict[str, Distribution] = {}
    wanted = list(names)
    while wanted:
        name = canonicalize_name(wanted.pop())
        if name in found:
            continue
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:
            continue  # then no notebook can have used it
        requirements = map(Requirement, found[name].requires or ())
        wanted += [need.name for need in requirements if need.marker is None or need.marker.evaluate({"extra": ""})]
    return list(found.values())
