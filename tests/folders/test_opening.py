"""Where a learner's folder opens."""

import json
import re
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from transformer_course import course
from transformer_course.exercises import choose_path, next_lesson, passes
from transformer_course.exercises.catalogue import by_lesson
from transformer_course.folders.learner_folder import deliver, update_record
from transformer_course.folders.opening import opening

LESSON, SHEET = "notebooks/02_self_attention_by_hand.ipynb", "exercises/02_sheet_self_attention_by_hand.ipynb"


@pytest.fixture
def folder(home, tmp_path):
    deliver(tmp_path / "mine", ["02", "03"])
    return tmp_path / "mine"


def run(folder, name: str, place: int, day: int) -> str:
    """Run a notebook's code cell as JupyterLab does; return the cell's id."""
    notebook = json.loads((folder / name).read_text())
    cell = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"][place]
    cell["metadata"]["execution"] = {"iopub.execute_input": f"2026-01-{day:02d}T10:00:00.000000Z"}
    (folder / name).write_text(json.dumps(notebook))
    return cell["id"]


def test_it_opens_at_the_cell_that_was_run_last(folder):
    run(folder, LESSON, 7, day=2)
    cell = run(folder, LESSON, 5, day=3)  # gone back
    opens = opening(folder)
    assert (opens.notebook, opens.cell) == (LESSON, cell)
    assert opens.message.endswith(f"exercises passed.\nOpening {LESSON} where you stopped.")
    cell = run(folder, SHEET, 0, day=4)
    assert (opening(folder).notebook, opening(folder).cell) == (SHEET, cell)


def test_after_a_lesson_its_sheet_opens_and_after_the_sheet_what_comes_next(folder):
    run(folder, LESSON, -1, day=2)
    assert (opening(folder).notebook, opening(folder).cell) == (SHEET, "")
    assert opening(folder).message.endswith(f"You have run all of {LESSON}. Opening its sheet: {SHEET}")
    for exercise in by_lesson()["02"]:
        passes.remember(exercise.id)
    assert opening(folder).notebook == "notebooks/03_queries_keys_values_and_the_scale.ipynb"
    run(folder, SHEET, -1, day=3)
    assert opening(folder).notebook == "notebooks/03_queries_keys_values_and_the_scale.ipynb"
    assert opening(folder).message.endswith(repr(next_lesson(folder)))


def test_on_a_path_that_leaves_out_the_sheets_the_next_lesson_follows(folder):
    choose_path("ideas")
    run(folder, LESSON, -1, day=2)
    third = "notebooks/03_queries_keys_values_and_the_scale.ipynb"
    assert opening(folder).notebook == third
    assert opening(folder).message.endswith(f"You have run all of {LESSON}. Opening what follows on your path: {third}")
    cell = run(folder, SHEET, 0, day=3)
    assert (opening(folder).notebook, opening(folder).cell) == (SHEET, cell)  # where one stopped, on the path or not


def test_the_recorded_notebook_opens_until_something_is_run(folder):
    update_record(folder, "first", SHEET)
    assert (opening(folder).notebook, opening(folder).message) == (SHEET, f"Opening {SHEET}")
    cell = run(folder, LESSON, 0, day=2)
    assert (opening(folder).notebook, opening(folder).cell) == (LESSON, cell)


def code(cell_id: object, time: object = None, **more) -> dict:
    return {"cell_type": "code", "id": cell_id, "metadata": {"execution": {"iopub.execute_input": time}}, "source": ""} | more


def passed_over(folder, content: str | bytes, *opens: str) -> str:
    """With this lesson in it, the folder opens there. Return the one sentence about the lesson."""
    (folder / LESSON).write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
    opened = opening(folder)
    assert (opened.notebook, opened.cell) == opens, content
    (sentence,) = opened.passed_over
    return sentence


def test_a_damaged_notebook_is_passed_over_with_a_sentence(folder, snapshot):
    cell = run(folder, SHEET, 1, day=2)
    contents = [
        "",
        "[]",
        "{}",
        "null",
        '{"cells": 1}',
        '{"cells": {}}',
        '{"cells": [1]}',
        '{"cells": [{"cell_type": "code"}]}',
        '{"cells": [{"cell_type": "code", "metadata": []}]}',
        '{"cells":' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"cells":' + "[" * 500 + "]" * 500 + "}",
        '{"cells": [' + "9" * 5000 + "]}",
        b"\xff\xfe",
    ]
    (sentence,) = {passed_over(folder, content, SHEET, cell) for content in contents}
    assert sentence == snapshot


def test_a_run_at_no_time_or_in_the_future_does_not_count(folder, snapshot):
    cell = run(folder, SHEET, 1, day=2)
    times = "9999", "yesterday", "2026-01-32T10:00:00Z", "99999999", 2026, ["2026-01-03"], True, "2999-01-01T00:00:00Z"
    notebooks = [{"cells": [code("a", time), code("b", "2026-01-01T10:00:00Z")]} for time in (*times, {})]
    (sentence,) = {passed_over(folder, json.dumps(notebook), SHEET, cell) for notebook in notebooks[:-1]}
    assert sentence == snapshot
    (folder / LESSON).write_text(json.dumps(notebooks[-1]))
    assert (opening(folder).notebook, opening(folder).passed_over) == (SHEET, ())


def test_a_cell_without_a_proper_id_opens_its_notebook_at_the_top(folder, snapshot):
    run(folder, SHEET, 1, day=2)
    ids = "x\r\nSet-Cookie: a=b", "a b", "#", "é", "\ud800", "", 5, None, ["a"], "x" * 65, "twice"
    cells = [[code(each, "2026-01-03T10:00:00+01:00"), code("twice"), code("last")] for each in ids]
    (sentence,) = {passed_over(folder, json.dumps({"cells": each}), LESSON, "") for each in cells}
    assert sentence == snapshot


def test_only_the_last_code_cell_ends_a_notebook_whatever_the_ids_are(folder):
    (folder / LESSON).write_text(json.dumps({"cells": [code("a", "2026-01-03T10:00:00Z"), code("a")]}))
    assert opening(folder).notebook == LESSON


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
times = json_values | st.sampled_from(["9999", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59"]) | st.dates().map(str)
metadata = json_values | st.fixed_dictionaries(
    {"execution": json_values | st.fixed_dictionaries({"iopub.execute_input": times})}
)
cells = json_values | st.fixed_dictionaries(
    {"cell_type": json_values | st.just("code"), "metadata": metadata}, optional={"id": json_values}
)
notebooks = (json_values | st.fixed_dictionaries({"cells": json_values | st.lists(cells, max_size=4)})).map(json.dumps)


@pytest.mark.slow
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    notebooks.map(str.encode) | st.binary(max_size=50),
    st.text(st.characters(blacklist_categories=[], blacklist_characters="/\0"), max_size=20),
)
def test_whatever_is_in_a_notebook_something_opens(tmp_path, content, name):
    mine = tmp_path / "notebooks"
    mine.mkdir(exist_ok=True)
    for path in mine.iterdir():
        path.unlink()
    try:
        (mine / f"02{name}.ipynb").write_bytes(content)
    except (OSError, UnicodeEncodeError):
        assume(False)  # this system has no such names
    opens = opening(tmp_path)
    address = quote(opens.notebook, errors="replace")
    assert address in (quote(f"notebooks/02{name}.ipynb", errors="replace"), quote(next_lesson(tmp_path).opens))
    assert re.fullmatch(r"[a-zA-Z0-9_-]{0,64}", opens.cell)
    assert len(opens.passed_over) <= 1
    assert all(sentence.isprintable() for sentence in (*opens.message.splitlines(), *opens.passed_over))


def test_outputs_that_the_course_delivers_are_not_runs_of_the_learner(folder):
    built = [cell for each in course.lessons() for cell in json.loads(each.notebook.read_text(encoding="utf-8"))["cells"]]
    assert not [cell for cell in built if "execution" in cell["metadata"]]
    assert opening(folder).cell == ""
