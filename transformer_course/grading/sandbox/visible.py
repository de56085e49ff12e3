"""What of this computer the sandbox shows: the interpreter, the system's libraries, and the packages that lessons use."""

import functools
import site
import sys
import sysconfig
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from transformer_course._util import paths

# Each with what it needs itself. Whatever else is installed stays outside, this course's own distribution among it.
ROOTS = ("numpy", "torch", "matplotlib", "matplotlib-inline", "ipython", "scikit-learn", "safetensors", "jaxtyping", "rich",
         "cn2an", "num2words", "platformdirs")  # fmt: skip
SYSTEM = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache", "/sys/devices/system/cpu",
          "/sys/kernel/mm/transparent_hugepage")  # fmt: skip
# What of this package is there, and nothing else of it: the library behind the lessons, and the code that runs an answer.
# Where the exercises are, a stub is; no answer, no check and no command comes in. A new module stays out until it is named.
ENTERS = (
    "__init__.py", "_util/__init__.py", "_util/files.py", "_util/progress_bar.py", "runner",
    "positions.py", "masks.py", "cache.py", "attention.py", "embedding.py", "layers.py", "config.py", "transformer.py",
    "family.py", "generation_state.py", "beam.py", "decoding.py", "weights.py", "training.py", "inspection.py",
    "data", "models", "figures", "experiments",
)  # fmt: skip
OURS, THEIRS = Path("/course"), Path("/packages")


def binds() -> dict[Path, Path]:
    """Places inside, each with the file or folder that is shown there, read-only."""
    shown = {Path(place): Path(place) for place in SYSTEM if Path(place).exists()}
    shown |= {place: place for place in _interpreter()}
    shown |= {THEIRS / entry.name: entry for entry in _entries()}
    shown |= {OURS / "transformer_course" / name: paths.PACKAGE / name for name in ENTERS}
    here = Path(__file__).parent / "inside"
    shown[OURS / "transformer_course/exercises/__init__.py"] = here / "stub.py"
    shown[OURS / "inside"] = here
    return shown


def masked() -> list[Path]:
    """Folders within those, in which this course or others' work may be installed: inside they are empty."""
    folders = {Path(folder) for folder in (*site.getsitepackages(), sysconfig.get_paths()["purelib"])}
    folders |= {Path(sys.base_prefix) / part for part in _site_parts()}
    folders |= set(Path("/usr/lib").glob("python3*/*-packages"))
    return sorted(folder for folder in folders if folder.is_dir() and any(folder.is_relative_to(place) for place in _plain()))


def _site_parts() -> list[str]:
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return [f"{library}/{version}/{kind}-packages" for library in ("lib", "lib64") for kind in ("site", "dist")]


def _plain() -> list[Path]:
    return [Path(place) for place in SYSTEM] + _interpreter()


@functools.cache
def _interpreter() -> list[Path]:
    """The program itself, not a virtual environment's link to it; its standard library; its shared library."""
    paths, settings = sysconfig.get_paths(), sysconfig.get_config_vars()
    places = {executable(), Path(paths["stdlib"]), Path(paths["platstdlib"].replace(sys.prefix, sys.base_prefix, 1))}
    places.add(Path(settings.get("LIBDIR") or "/") / (settings.get("INSTSONAME") or ""))
    places.add(Path(settings.get("DESTSHARED") or paths["stdlib"]))
    return sorted(place for place in places if place.exists() and place != Path("/"))


def executable() -> Path:
    return Path(sys._base_executable).resolve()


def _entries() -> set[Path]:
    """The files and folders at the top of each package's place, of every distribution that the roots need."""
    found: dict[str, Distribution] = {}
    wanted = list(ROOTS)
    while wanted:
        name = canonicalize_name(wanted.pop())
        if name in found:
            continue
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:
            continue  # what no notebook can have used
        needs = map(Requirement, found[name].requires or ())
        wanted += [need.name for need in needs if need.marker is None or need.marker.evaluate({"extra": ""})]
    entries = set()
    for each in found.values():
        record = each.read_text("RECORD") or ""
        tops = {line.lstrip('"').split("/")[0] for line in record.splitlines() if "/" in line}
        tops |= {line.split(",")[0].strip('"') for line in record.splitlines() if "/" not in line}
        entries |= {Path(str(each.locate_file(top))) for top in tops - {"", "..", "__pycache__"}}
    return {entry for entry in entries if entry.exists()}
