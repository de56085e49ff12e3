"""The pages of the site, as Sphinx reads them: lessons, sheets, the Build, and the course's documents."""

import json
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from transformer_course import course
from transformer_course._util import paths
from transformer_course._util.mathml import MATH_FONT
from transformer_course.export import open_model
from transformer_course.export.page import page
from transformer_course.folders.learner_folder import without_dead_links

from .first_page import first_page
from .notebook_page import write_page

HERE = Path(__file__).parent / "sphinx"

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
    write_paths(folder, [{"id": path.id, "title": path.title, "pages": _pages(path)} for path in course.learning_paths()])
    glossary = (paths.ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    _write_into(folder / "scorer.js", "TERMS", [*_terms(glossary)])
    keys = [key for part in parts().values() for key in part]
    keys += [f"docs/paper/{path.name}" for path in sorted(paths.ROOT.glob("docs/paper/*.pdf"))]
    for key in keys:
        path = paths.ROOT / key
        (folder / key).parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".ipynb":
            write_page(path, folder, key, keys)
        elif path.suffix == ".md":
            text = without_dead_links(path.read_text(encoding="utf-8"), key, keys)
            named = re.sub(r'^<a id="([\w-]+)"></a>$', r"(\1)=", text, flags=re.MULTILINE)  # as MyST names a place
            (folder / key).write_text(named, encoding="utf-8")
        else:
            shutil.copy(path, folder / key)
    (folder / "extra").mkdir(exist_ok=True)
    model, tokenizer, about = open_model("prose")
    (folder / "extra" / "model.html").write_text(page(model, tokenizer, **about), encoding="utf-8")  # the first page shows it
    names = {caption: "\n".join(str(Path(key).with_suffix("")) for key in part) for caption, part in parts().items()}
    trees = [TREE.format(caption=caption, pages=pages) for caption, pages in names.items()]
    index = without_dead_links(first_page(), "index.md", keys)
    (folder / "index.md").write_text("\n".join([index, *trees]), encoding="utf-8")


def write_paths(folder: Path, paths: Sequence[Mapping]) -> None:
    """Write paths through the course into the script that lets readers choose one. The first is the default, the last all."""
    _write_into(folder / "static" / "path.js", "PATHS", paths)


def _write_into(script: Path, name: str, values: Sequence) -> None:
    text = script.read_text(encoding="utf-8")
    script.write_text(text.replace(f"{name} = []", f"{name} = {json.dumps(values, ensure_ascii=False)}"), encoding="utf-8")


def _terms(glossary: str) -> Iterator[tuple[str, str]]:
    """Yield each name of each term in the glossary, with the page of its lesson."""
    for terms, number in re.findall(r"^\| (.+?) \|.*\| (\d\d) \|$", glossary, re.MULTILINE):
        for term in re.split(r" ?[(),] ?", terms):
            if term:
                yield term, course.lesson(number).link.removesuffix(".ipynb")


def _pages(path: course.LearningPath) -> list[str]:
    return [step.link.removesuffix(".ipynb") for step in path.steps]


def parts() -> dict[str, list[str]]:
    """The site's pages in their order, by part: the paths of their sources in the course."""
    parts = {
        "Lessons": course.lessons(),
        "The Build": [*course.stages(), *course.after_the_build()],
        "Exercises": course.sheets(),
    }
    documents = [f"docs/{path.name}" for path in sorted(paths.ROOT.glob("docs/*.md"))]
    return {part: [source.link for source in sources] for part, sources in parts.items()} | {"Documents": documents}
