"""Finding the package's files that some code imports: a lesson is run again if one of them has changed."""

import tempfile
from modulefinder import ModuleFinder
from pathlib import Path

from transformer_course._util import paths

NAME = __package__.partition(".")[0]
DATA = ("SHA256SUMS", "*.css", "*.js", "*.toml")


def reached(code: str, modules: tuple[str, ...] = ()) -> set[Path]:
    """Return the files that ``code`` and these ``modules`` import, the files that those import, and so on.

    Imports inside functions are included. So is what lies next to a file and shows in outputs: styles, scripts, and lists of
    hashes, which stand for weights.
    """
    finder = ModuleFinder([str(paths.PACKAGE.parent)])
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "lesson.py")
        script.write_text(code, encoding="utf-8")
        finder.run_script(str(script))
    for module in modules:
        finder.import_hook(module)
    found = {Path(module.__file__) for name, module in finder.modules.items() if name.partition(".")[0] == NAME}
    folders = {file.parent for file in found}
    return found | {file for folder in folders for pattern in DATA for file in folder.glob(pattern)}
