"""The pages of the site, as Sphinx reads them: lessons, sheets, the Build, and the course's documents."""

import re
import shutil
from pathlib import Path

from transformer_course import course
from transformer_course._util import paths
from transformer_course._util.mathml import MATH_FONT
from transformer_course.authoring import lesson_table
from transformer_course.folders.learner_folder import without_dead_links

from .notebook_page import write_page

HERE = Path(__file__).parent / "sphinx"

INDEX = """\
# Learn the Transformer

A course in JupyterLab, from three tokens by hand to a model that you train yourself. Here you can read all of it: lessons
with their results, the exercises, and the Build, in which you write your own Transformer. Predictions work here too: choose an
answer, and the result appears.

It is for people who write Python and have used NumPy arrays. You need school mathematics and no machine learning;
[a half-hour test](docs/prerequisites.md) tells you what to read first. **Begin with [lesson
00](notebooks/00_start_here.ipynb)**, which takes about {minutes} minutes, or with [lesson
02](notebooks/02_self_attention_by_hand.ipynb), where attention begins.

Exercises are checked only where the course is installed; the end of each page says how to open it there. There are slides for
each lesson, linked at its end, and for three workshops: <a href="slides/half-day.html">half a day</a>,
<a href="slides/day.html">a day</a> and <a href="slides/two-days.html">two days</a>.

{table}

{contents}
"""

TREE = """\
```{{toctree}}
:caption: {caption}
:titlesonly:
:hidden:

{pages}
```
"""


def write_pages(folder: Path) -> None:
    """Write the pages, and what Sphinx needs to build them, into a new folder. Raises NotebookError."""
    shutil.copytree(HERE, folder)
    shutil.copy(MATH_FONT, folder / "static")
    files = _files()
    keys = [_key(path) for path in files]
    for key, path in zip(keys, files, strict=True):
        (folder / key).parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".ipynb":
            write_page(path, folder, key, keys)
        elif path.suffix == ".md":
            text = without_dead_links(path.read_text(encoding="utf-8"), key, keys)
            named = re.sub(r'^<a id="([\w-]+)"></a>$', r"(\1)=", text, flags=re.MULTILINE)  # as MyST names a place
            (folder / key).write_text(named, encoding="utf-8")
        else:
            shutil.copy(path, folder / key)
    trees = (TREE.format(caption=caption, pages="\n".join(map(_page, keys))) for caption, keys in parts().items())
    minutes = course.lessons()[0].minutes
    index = without_dead_links(INDEX, "index.md", keys)
    text = index.format(minutes=minutes, table=lesson_table.table(), contents="\n".join(trees))
    (folder / "index.md").write_text(text, encoding="utf-8")


def parts() -> dict[str, list[str]]:
    """The site's pages in their order, by part: the paths of their sources in the course."""
    keys = [_key(path) for path in _files()]
    return {
        "Lessons": [key for key in keys if key.startswith("notebooks/")],
        "The Build": [key for key in keys if key.startswith("exercises/") and not _is_sheet(key)],
        "Exercises": [key for key in keys if key.startswith("exercises/") and _is_sheet(key)],
        "Documents": [key for key in keys if key.endswith(".md")],
    }


def _files() -> list[Path]:
    documents = [path for pattern in ("docs/*.md", "docs/paper/*.pdf") for path in sorted(paths.ROOT.glob(pattern))]
    return [*documents, *(source.notebook for source in course.sources())]


def _key(path: Path) -> str:
    return path.relative_to(paths.ROOT).as_posix()


def _is_sheet(key: str) -> bool:
    return Path(key).stem[0].isdigit()


def _page(key: str) -> str:
    return str(Path(key).with_suffix(""))
