"""Sheet 19: what it says of its exercises is so, and other answers are told why."""

import numpy as np
import pytest
import torch
from examining import cells_of, verdict

from transformer_course import models
from transformer_course.exercises import catalogue
from transformer_course.exercises.lesson_19_residual_view.two_edits import STREAM
from transformer_course.exercises.lesson_19_residual_view.two_edits import read as read_edits
from transformer_course.experiments import stream


def rows_of_sheet_19() -> tuple[list[str], list[list[str]]]:
    cells = cells_of("19")
    lines = "\n".join(cells).splitlines()
    return cells, [[part.strip() for part in line.split("|")[1:-1]] for line in lines if line[:1] == "|"]


def test_what_sheet_19_says_of_its_exercises_is_so():
    cells, rows = rows_of_sheet_19()
    angles = catalogue()["residual.right_angles"]
    e, *others = 3 * np.eye(3)[0], 4 * np.eye(3)[1], 12 * np.eye(3)[2]
    top = e + others[0] + others[1]
    pre = [np.linalg.norm(top), 4 / np.linalg.norm(e), 12 / np.linalg.norm(e + others[0]), top @ e / (e @ e)]
    post = e
    for axis in (1, 2):
        post = post + 4 * np.eye(3)[axis]
        post = post * 3 / np.linalg.norm(post)
    np.testing.assert_allclose(angles.value, [*pre, post @ e / (e @ e)])

    names = {"np": np}
    exec(next(cell for cell in cells if cell.startswith("stream = np.array(")), names)
    np.testing.assert_array_equal(names["stream"], STREAM)
    for other in (STREAM, *np.random.default_rng(0).standard_normal((20, 4))):  # what is shown is what is judged
        np.testing.assert_allclose(names["read"](other), read_edits(other))

    table = {row[0]: [float(entry) for entry in row[1:]] for row in rows if row[0] in "123456" and len(row) == 5}
    longest = max((size, lost) for row in table.values() for size, lost in (row[:2], row[2:]))
    assert longest == (1.06, catalogue()["residual.which_edit"].right["value"])
    assert min(min(row[0], row[2]) for row in table.values()) > 1 / 3  # "no edit is shorter than a third"

    plan = catalogue()["residual.plan"]
    example = next(cell for cell in cells if cell.startswith('{"blocks"'))
    assert verdict(plan, [eval(example)]).reason == "mistake"  # its form is right
    assert f"at most {plan.max_runs} runs" in "\n".join(cells)


def test_other_short_and_long_edits_pass():
    for short, long in (
        ([0, 0.2, 0, 0], [-9, -9, -9, -9]),
        ([-0.25, 0, 0, 0], [4, 2, -2, -4]),  # twice the stream
        ([-0.1, 0.1, 0, 0], [14, 13, 11, 10]),  # both at once: its pattern, and the same number everywhere
    ):
        assert verdict(catalogue()["residual.two_edits"], (short, long)).passed, (short, long)


@pytest.mark.slow
@torch.no_grad()
def test_the_tables_of_sheet_19_are_measured():
    _, rows = rows_of_sheet_19()
    printed = np.array([[float(entry) for entry in row[1:]] for row in rows if row[0] in "123456" and len(row) == 5])
    model, vocabularies = models.load("gpt-pre")
    measured = []
    for seed in range(3):
        inputs, labels, real = stream.draw_names(vocabularies["text"], 40, seed)
        parts = stream.sublayers(model)
        below, *edits = stream.capture_outputs(model, [model.input, *parts], inputs)
        right, found = stream.accuracy(model(inputs), labels, real), []
        for part, edit in zip(parts, edits, strict=True):
            with stream.replaced(part, lambda _, made: 0 * made):
                lost = right - stream.accuracy(model(inputs), labels, real)
            found.append(((edit[real].norm(dim=-1) / below[real].norm(dim=-1)).mean().item(), lost))
            below = below + edit
        measured.append(found)
    np.testing.assert_allclose(printed, np.median(measured, axis=0).reshape(6, 4), atol=0.008)
    reported = [row for row in rows if row[0] in ("trained", "untrained") and len(row) == 7]
    for blocks, lens, names, after, seed, _, share in reported:
        assert stream.reading(blocks, lens, names, int(after), int(seed)) == pytest.approx(float(share), abs=0.008)
    assert len(reported) == 2
