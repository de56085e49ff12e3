"""The committed notebooks: up to date, quiet and complete."""

import base64
import io
import re
from pathlib import Path

import matplotlib.image
import numpy as np
import pytest
from built_notebooks import LESSONS, SOURCES, differences, made, read
from source_rows import rows

from transformer_course._util import paths
from transformer_course.course.part import EXIT
from transformer_course.exercises.catalogue import questions

REPOSITORY = Path(__file__).parents[2]
EACH = pytest.mark.parametrize("source", SOURCES, ids=lambda s: s.link)
EACH_LESSON = pytest.mark.parametrize("source", LESSONS, ids=lambda s: s.name)


@EACH
def test_a_notebook_is_what_its_source_gives(source):
    assert differences(source.notebook, source) == [], "run `make notebooks` and commit what it wrote"


def test_every_notebook_has_a_source():
    notebooks = [path for folder in paths.FOLDERS for path in (paths.ROOT / folder).glob("*.ipynb")]
    assert sorted(notebooks) == sorted(source.notebook for source in SOURCES)
    assert len(LESSONS) >= 2


@EACH_LESSON
def test_outputs_are_quiet_and_every_figure_is_drawn_and_has_an_alt_text(source):
    cells, ran = read(source.notebook).cells, 0
    for cell in cells:
        if cell.cell_type != "code":
            continue
        outputs = cell.outputs
        ran += 1
        assert cell.execution_count == ran  # nbval compares no cell without a count
        assert not any(o.output_type == "error" or o.get("name") == "stderr" for o in outputs), cell.source
        text = "".join(o.get("text", "") + str(o.get("data", {}).get("text/plain", "")) for o in outputs)
        assert " at 0x" not in text, cell.source
        assert not any("image/svg+xml" in o.get("data", {}) for o in outputs), cell.source
        drawn = any("image/png" in o.get("data", {}) for o in outputs)
        assert drawn == any(call in cell.source for call in ("figures.", "train_first_model(")), cell.source
        if drawn:
            assert not any(o.output_type == "execute_result" and set(o.data) == {"text/plain"} for o in outputs), (
                f"beside the figure, this prints what its last line returns; give that a name, such as ax:\n{cell.source}"
            )
            assert all(o.metadata["image/png"]["alt"] for o in outputs if "image/png" in o.get("data", {})), cell.source


@EACH_LESSON
def test_figures_fit_into_a_laptops_window_and_read_on_a_light_and_on_a_dark_page(source):
    outputs = [output for cell in read(source.notebook).cells for output in cell.get("outputs", [])]
    drawn = [base64.b64decode(o.data["image/png"]) for o in outputs if "image/png" in o.get("data", {})]
    for figure in map(matplotlib.image.imread, map(io.BytesIO, drawn)):
        height, width, _ = figure.shape
        assert height * min(1, 720 / width) <= 420  # in a column of 720 pixels
        assert figure[0, 0, 3] == figure[-1, -1, 3] == 0, "the ground is not transparent"
        edges = figure[(figure[..., 3] > 0) & (figure[..., 3] < 1)]  # of everything on the transparent ground
        grey = edges[np.ptp(edges[:, :3], axis=1) < 0.02, :3]
        assert not (grey.max(axis=1) < 0.3).any(), "black text or a black line on the transparent ground"


@EACH_LESSON
def test_most_cells_that_print_are_compared(source):
    printing = [c for c in read(source.notebook).cells if c.get("outputs") and "image/png" not in str(c.outputs)]
    ignored = [c for c in printing if {"nbval-ignore-output", "nbval-skip"} & set(c.metadata.get("tags", []))]
    assert len(ignored) <= 0.15 * len(printing)


@EACH
def test_what_the_text_says_to_call_is_imported(source):
    cells = made(source).cells
    code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    imported = re.findall(r"\w+", " ".join(re.findall(r"^from transformer_course.exercises import (.+)$", code, re.MULTILINE)))
    ours = r"\b(ask|check|hint|predict|reveal|solution|my_path|my_progress|next_lesson|choose_path)\("
    called = {name for cell in cells for name in re.findall(ours, cell.source)}
    assert called <= set(imported)


CALL = re.compile(r'^(predict|reveal|ask)\("([\w.]+)"\)$', re.MULTILINE)


@EACH_LESSON
def test_a_lesson_uses_each_of_its_questions_once_and_reveals_what_was_predicted(source):
    code = [cell.source for cell in made(source).cells if cell.cell_type == "code"]
    calls = [call for text in code for call in CALL.findall(text)]
    assert len(calls) == sum(len(re.findall(r"\b(?:predict|reveal|ask)\(", text)) for text in code)
    ours = [name for name in questions() if name.startswith(f"{source.number}.")]
    predicted = [name for function, name in calls if function == "predict"]
    groups = [name for function, name in calls if function == "ask"]
    assert sorted(predicted) == sorted(name for name in ours if name.count(".") == 1)
    assert sorted(groups) == sorted({name.rpartition(".")[0] for name in ours if name.count(".") == 2})
    order = [name for function, name in calls if function != "ask"]
    assert order[::2] == order[1::2] == predicted  # predict, reveal, predict, reveal, …
    assert len(predicted) >= 1


@EACH_LESSON
def test_a_source_folds_code_only_between_a_prediction_and_its_reply(source):
    """There it would give the answer away, and the reply says how to unfold it."""
    waiting = False
    for cell in source.cells:
        waiting = waiting or "predict" in cell.says
        if "jupyter" in cell.says:
            assert cell.says["jupyter"] == {"source_hidden": True}
            assert waiting, cell.text
            assert "predict" not in cell.says
        waiting = waiting and not (cell.kind == "code" and "reveal(" in cell.text)


@EACH_LESSON
def test_a_core_ends_with_its_questions_and_the_answer_to_its_title(source):
    final = source.core[-1]
    if source.number != "00":  # it asks its last questions before the course begins
        where = "a core ends with `## Before you go {#exit}`, and what follows is below `## Deeper {#deeper}`"
        assert (final.id, final.heading) == (EXIT, "Before you go"), where
        assert any(function == "ask" for function, _ in final.asks)
        assert final.count("answer")


# -- coverage of the sources ------------------------------------------------------------------------------------------


def test_every_row_of_the_sources_has_its_lesson():
    beyond = [row for row in rows() if row.startswith("M")]
    assert list(rows()) == [f"S{i}" for i in range(1, 31)] + beyond + [f"E{i}" for i in range(1, 30)]
    assert beyond == sorted(beyond)


@EACH_LESSON
def test_a_lesson_runs_a_cell_for_each_of_its_rows(source):
    cells = read(source.notebook).cells
    tagged = {tag for cell in cells if cell.cell_type == "code" for tag in cell.metadata.get("tags", [])}
    due = {row for row, lessons in rows().items() if source.number in lessons}
    assert {tag for tag in tagged if re.fullmatch(r"[SEM]\d+", tag)} == due


def test_every_erratum_of_an_existing_lesson_has_a_test_that_computes_it():
    tests = sorted((REPOSITORY / "tests" / "docs").glob("test_errata_*.py"))
    text = "".join(path.read_text(encoding="utf-8") for path in tests)
    taught = {source.number for source in LESSONS}
    for row, lessons in rows().items():
        if row.startswith("E") and taught & set(lessons):
            assert f"def test_{row.lower()}_" in text, row
