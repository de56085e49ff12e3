"""Write what Gradescope and GitHub Classroom need to grade a sheet whenever somebody hands it in.

Sources: https://gradescope-autograders.readthedocs.io/en/latest/specs/ and https://docs.github.com/en/actions
"""

import io
import tempfile
import zipfile
from pathlib import Path

from transformer_course._util import paths
from transformer_course._util.files import write_whole
from transformer_course.app.wheelhouse.fill import own_wheel
from transformer_course.exercises.catalogue import by_lesson

HERE = Path(__file__).parent
EXECUTABLE = 0o755


class AutograderError(Exception):
    """The files cannot be made; the message says why and what to try."""


def make(folder: Path, sheet: str) -> list[Path]:
    """Write ``gradescope-SHEET.zip``, and ``github-SHEET`` with a hidden folder ``.github``; return both.

    Each contains the course's own wheel, so that every platform grades with this version. Raises AutograderError for an
    unknown sheet or if something is in the way, WheelhouseError if the wheel cannot be built, and OSError.
    """
    if sheet not in by_lesson():
        raise AutograderError(f"There is no sheet {sheet!r:.80}; the course has {', '.join(by_lesson())}.")
    archive, github = folder / f"gradescope-{sheet}.zip", folder / f"github-{sheet}"
    for path in (archive, github):
        if path.exists():
            raise AutograderError(f"{path} already exists, and was left unchanged; delete it, or choose another folder.")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        wheel = own_wheel(Path(temporary))
        common = {wheel.name: wheel.read_bytes(), "constraints.txt": (paths.ROOT / "constraints.txt").read_bytes()}
    write_whole(archive, _zip({"setup.sh": _read("setup.sh"), "run_autograder": _read("run_autograder", sheet), **common}))
    workflow, course = github / ".github" / "workflows", github / ".github" / "course"
    workflow.mkdir(parents=True)
    course.mkdir()
    write_whole(workflow / "grade.yml", _read("grade.yml", sheet))
    for name, content in {**common, "summary.py": _read("summary.py")}.items():
        write_whole(course / name, content)
    return [archive, github]


def _read(name: str, sheet: str = "") -> bytes:
    text = (HERE / name).read_text(encoding="utf-8")
    return text.replace("--sheet SHEET", f"--sheet {sheet}").replace("[SHEET]", sheet).encode()


def _zip(files: dict[str, bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = EXECUTABLE << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return data.getvalue()
