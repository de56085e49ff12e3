"""What a kernel of the course's JupyterLab says about a name that it does not know."""

import ast
import builtins
import json

import pytest
from jupyter_client.manager import run_kernel

from transformer_course import course
from transformer_course.app.jupyter.kernel import UNWRITTEN, what_to_run
from transformer_course.app.jupyter.server import CourseKernels
from transformer_course.authoring.build import TODO


def code(name: str, source: str, *tags: str) -> dict:
    return {"id": name, "cell_type": "code", "source": source, "metadata": {"tags": [*tags]}}


def text(name: str, source: str) -> dict:
    return {"id": name, "cell_type": "markdown", "source": source, "metadata": {}}


CELLS = [
    text("title", "# A lesson"),
    code("imports", "import numpy as np\nfrom math import exp as e"),
    code("magic", "%timeit 1"),
    code("function", "def f():\n    inner = 1\n    return outer"),
    code("training", "model = train()"),
    text("break", "# Second sitting\n\n## Reading it"),
    code("resume", "if 'model' not in globals():\n    model = load()", "resume"),
    text("further on", "### Reading more of it"),
    code("last", "model, np, later"),
    code("below", "later = 1"),
]
ABOVE = "Click this cell, press “Run all above” in the bar above the notebook, then run this cell again."
UNDEFINED = "`{}` is not defined: the cell above that defines it has not been run since this kernel started."


@pytest.mark.parametrize(("name", "ran"), [("np", ["function"]), ("e", ["magic", "function"]), ("f", ["training"])])
def test_a_cell_above_that_has_not_run_is_the_reason(name, ran):
    assert what_to_run(name, CELLS, ran) == f"{UNDEFINED.format(name)} {ABOVE}"


@pytest.mark.parametrize(("minutes", "took"), [(0, None), (1, "a minute"), (4, "4 minutes")])
def test_cells_that_took_long_last_time_are_announced(minutes, took):
    begun, ended = "2026-01-01T10:00:00.123456Z", f"2026-01-01T10:{minutes:02d}:08.5Z"
    times = {"iopub.execute_input": begun, "shell.execute_reply": ended}
    broken_off = {"iopub.execute_input": begun}
    cells = [cell | {"metadata": {"execution": times if cell["id"] == "imports" else broken_off}} for cell in CELLS[:5]]
    trains = f" This repeats any training in the cells above. Last time, those cells took about {took}."
    assert what_to_run("np", cells, ["training"]) == f"{UNDEFINED.format('np')} {ABOVE}{trains if took else ''}"


@pytest.mark.parametrize(
    ("name", "ran"),
    [
        ("pn", ["function"]),  # a misspelt name
        ("np", ["imports", "function"]),  # deleted again, or the cell failed
        ("inner", ["last"]),  # known only inside a function
        ("later", ["last"]),
    ],
)
def test_any_other_unknown_name_is_left_to_python(name, ran):
    assert what_to_run(name, CELLS, ran) is None


@pytest.mark.parametrize("ran", [["last"], ["imports", "resume"], ["resume"]])
def test_after_a_break_nothing_is_trained_again(ran):
    name = "model" if ran == ["last"] else "f" if "imports" in ran else "np"
    assert what_to_run(name, CELLS, ran) == (
        f"{UNDEFINED.format(name)} To go on without training again, run the lesson's first code cell, then the cells from the "
        "heading “Reading it” down to this one. They load the trained model that comes with the course."
    )


def resumes(cell) -> bool:
    return "resume" in cell.says.get("tags", ())


@pytest.mark.parametrize("lesson", [each for each in course.lessons() if any(map(resumes, each.cells))], ids=lambda s: s.name)
def test_a_lesson_can_be_resumed_with_its_imports_alone(lesson):
    imports, *cells = [cell for cell in lesson.cells if cell.kind == "code"]
    (start,) = [place for place, cell in enumerate(cells) if resumes(cell)]
    known = {*dir(builtins)}
    for cell in (imports, *cells[start:]):
        nodes = [*ast.walk(ast.parse(cell.text))]
        known |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        known |= {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
        known |= {
            (alias.asname or alias.name)
            for node in nodes
            if isinstance(node, ast.Import | ast.ImportFrom)
            for alias in node.names
        }
        known |= {node.arg for node in nodes if isinstance(node, ast.arg)}
        assert {node.id for node in nodes if isinstance(node, ast.Name)} <= known


def test_a_kernel_of_the_course_says_it_instead_of_a_traceback(tmp_path, monkeypatch):
    notebook = tmp_path / "notebook.ipynb"
    notebook.write_text(json.dumps({"cells": CELLS}), encoding="utf-8")
    monkeypatch.setenv("JPY_SESSION_NAME", str(notebook))
    spec = CourseKernels().get_kernel_spec("python3")
    errors: list[dict] = []
    with run_kernel(kernel_name="python3", extra_arguments=spec.argv[-1:]) as client:

        def execute(cell: str, source: str) -> None:
            message = client.session.msg("execute_request", {"code": source}, metadata={"cellId": cell})
            client.shell_channel.send(message)
            while (reply := client.get_iopub_msg(timeout=60))["content"].get("execution_state") != "idle" or (
                reply["parent_header"]["msg_id"] != message["header"]["msg_id"]
            ):
                if reply["msg_type"] == "error":
                    errors.append(reply["content"])

        execute("function", "np")
        execute("imports", "np = 3")
        execute("function", "np")
        execute("magic", "pn")
        execute("magic", f"raise NotImplementedError({TODO!r})")
        execute("magic", "raise NotImplementedError('of something else')")
    explained, ordinary, unwritten, unknown = errors
    assert unwritten["traceback"] == [UNWRITTEN]
    assert "Traceback" in "".join(unknown["traceback"])
    assert explained["traceback"] == [f"{UNDEFINED.format('np')} {ABOVE}\n\n(NameError: name 'np' is not defined)"]
    assert (explained["ename"], explained["evalue"]) == ("NameError", "name 'np' is not defined")
    assert "Traceback" in "".join(ordinary["traceback"])
