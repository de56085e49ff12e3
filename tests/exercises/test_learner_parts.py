"""What passes in the Build is added to my_transformer.py in the learner's folder, as it was written."""

import errno
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

import transformer_course
from transformer_course._util import paths
from transformer_course._util.paths import RECORD
from transformer_course.exercises import learner_parts

PARTS = {"Head": "build.head", "Heads": "build.heads", "Model": "build.model"}
COURSE = '''"""The course's own."""

from torch import nn


def scale(d):
    return d**-0.5


class Head(nn.Module):
    factor = scale(4)


class Heads(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = Head()
'''
IMPORTS = "import math\nfrom torch import nn, Tensor\nimport numpy as np"
HEAD = "class Head(nn.Module):\n    def forward(self, x: Tensor):\n        return half(x)  # of it"
HALF = "def half(x):\n    return x / 2"
TEXT = f"{learner_parts.HEADER}\nfrom torch import Tensor, nn\n\n\n{HALF}\n\n\n{HEAD}\n"


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """A learner's folder, with the kernel in its exercises, and three parts in the Build."""
    mine = tmp_path / "my course 学习"
    for name in paths.FOLDERS:
        (mine / name).mkdir(parents=True)
    (mine / RECORD).write_text('{"notebooks/02.ipynb": "a hash"}')
    monkeypatch.chdir(mine / "exercises")
    monkeypatch.setattr(learner_parts, "parts", lambda: PARTS)
    package = tmp_path / "package"
    package.mkdir()
    (package / "build_parts.py").write_text(COURSE)
    monkeypatch.setattr(paths, "PACKAGE", package)
    course = ModuleType("transformer_course.build_parts")
    exec(COURSE, vars(course))
    monkeypatch.setattr(transformer_course, "build_parts", course, raising=False)
    return mine


def add(kernel, name="Head", *cells) -> str:
    """Run cells and tell what the learner reads after this part has passed."""
    kernel.run(*cells)
    return learner_parts.add(SimpleNamespace(id=PARTS[name], answer_name=name, is_function=True), kernel.names[name])


def file(folder) -> str:
    return (folder / "my_transformer.py").read_text(encoding="utf-8")


def test_a_part_is_added_as_it_was_written(folder, kernel):
    assert add(kernel, "Head", IMPORTS, HALF, HEAD) == "`Head` is now in my_transformer.py."
    assert file(folder) == TEXT
    assert '"notebooks/02.ipynb": "a hash"' in (folder / RECORD).read_text()
    assert add(kernel) == ""  # the check again
    assert file(folder) == TEXT
    assert add(kernel, "Head", HEAD.replace("  # of it", "")) == "`Head` is now in my_transformer.py."
    assert file(folder) == TEXT.replace("  # of it", "")


def test_the_file_stands_by_itself_and_passes_ruff(folder, kernel):
    add(kernel, "Head", IMPORTS, "from functools import partial", HALF, HEAD)
    from_parts = "from transformer_course.my_transformer import Head"
    add(kernel, "Heads", "del Head, half", f"{from_parts}\nclass Heads(nn.Module):\n    make = partial(Head)")
    only = [sys.executable, "-c", "import sys, my_transformer; assert 'transformer_course' not in sys.modules"]
    for command in (only, [sys.executable, "-m", "ruff", "check", "--isolated", "my_transformer.py"]):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": ""})
        assert done.returncode == 0, done.stdout + done.stderr


def test_what_was_changed_in_the_file_by_hand_stays(folder, kernel):
    add(kernel, "Head", IMPORTS, HALF, HEAD)
    by_hand = TEXT.replace("half(x)  #", "half(x) * 1.0  #")
    (folder / "my_transformer.py").write_text(by_hand)
    newer = HEAD.replace("half(x)", "half(x) + 0")
    assert add(kernel, "Head", newer) == (
        "You have changed `Head` in my_transformer.py by hand, so your changes stay. To use this notebook's version instead, "
        "delete yours from the file and run this check again."
    )
    assert file(folder) == by_hand
    (folder / "my_transformer.py").write_text(TEXT.partition("class")[0])
    assert add(kernel) == "`Head` is now in my_transformer.py."
    assert file(folder) == TEXT.replace(HEAD, newer)


def test_line_ends_and_a_mark_of_windows_are_no_change_by_hand(folder, kernel):
    add(kernel, "Head", IMPORTS, HALF, HEAD)
    (folder / "my_transformer.py").write_bytes(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode())
    newer = HEAD.replace("half(x)", "half(x) + 0")
    assert add(kernel, "Head", newer) == "`Head` is now in my_transformer.py."
    assert file(folder) == TEXT.replace(HEAD, newer)


def test_a_stage_that_was_skipped_is_the_courses_own_until_it_passes(folder, kernel):
    imported = "from transformer_course.my_transformer import Heads"
    model = "class Model(nn.Module):\n    part = Heads"
    assert add(kernel, "Model", IMPORTS, imported, model) == (
        "`Model` is now in my_transformer.py. There, `Heads` is the course's own until you pass build.heads."
    )
    note = "# The course's own, until you pass build.head.\n"
    head, heads = (f"class Head{each}" for each in COURSE.split("class Head")[1:])
    scale = "def scale(d):\n    return d**-0.5\n\n\n"
    lent = f"{scale}{note}{head}{note.replace('head', 'heads')}{heads}"
    assert file(folder) == f"{learner_parts.HEADER}\nfrom torch import nn\n\n\n{lent}\n\n{model}\n"
    assert add(kernel, "Head", "import torch", HALF, HEAD, IMPORTS) == "`Head` is now in my_transformer.py."
    mine = lent.replace(f"{scale}{note}{head}", f"{HALF}\n\n\n{HEAD}\n\n\n")
    assert file(folder) == f"{learner_parts.HEADER}\nfrom torch import Tensor, nn\n\n\n{mine}\n\n{model}\n"


def test_several_stages_that_were_skipped_are_named_in_one_sentence(folder, kernel):
    imported = "from transformer_course.my_transformer import Head, Heads"
    assert add(kernel, "Model", IMPORTS, imported, "class Model(nn.Module):\n    parts = Head, Heads") == (
        "`Model` is now in my_transformer.py. There, `Head` and `Heads` are the course's own until you pass build.head and "
        "build.heads."
    )


def test_a_part_of_an_earlier_stage_that_was_written_is_used(folder, kernel):
    add(kernel, "Head", IMPORTS, HALF, HEAD)
    heads = "class Heads(Head):\n    pass"
    assert add(kernel, "Heads", "from transformer_course.my_transformer import Head", heads) == (
        "`Heads` is now in my_transformer.py."
    )
    assert file(folder) == f"{TEXT}\n\n{heads}\n"


@pytest.mark.parametrize(
    "cells",
    [
        pytest.param((IMPORTS, HALF, "exec('class Head: forward = lambda self: 1')"), id="made by exec"),
        pytest.param((IMPORTS, HALF, HEAD, f"exec({HEAD!r})"), id="made again by exec"),
        pytest.param((IMPORTS, HALF, HEAD, f"%%time\n{HEAD}"), id="made again in a cell of IPython's"),
        pytest.param((IMPORTS, HALF, HEAD, f"stop\n{HEAD} + 1"), id="a later cell that failed"),
        pytest.param((IMPORTS, "exec('def half(x): return x')", HEAD), id="a helper made by exec"),
        pytest.param(("from torch.nn import Linear as Head",), id="imported"),
    ],
)
def test_a_source_that_cannot_be_found_costs_one_sentence(folder, kernel, cells, snapshot):
    assert add(kernel, "Head", *cells) == snapshot
    assert not (folder / "my_transformer.py").exists()


@pytest.mark.parametrize(
    "cells",
    [
        pytest.param((IMPORTS, "half = eval('abs')", HEAD, "half = [half]\ndel half"), id="a helper deleted"),
        pytest.param((IMPORTS, HALF, HEAD.replace("Head", "Other"), "Head = Other"), id="a second name"),
        pytest.param((IMPORTS, HALF, "@property\ndef odd(x): pass", HEAD), id="an odd decorator before it"),
    ],
)
def test_a_source_beside_odd_cells_is_found(folder, kernel, cells):
    assert add(kernel, "Head", *cells) == "`Head` is now in my_transformer.py."


def test_another_object_than_the_present_one_is_refused(folder, kernel):
    kernel.run(IMPORTS, HALF, HEAD, "old = Head", HEAD)
    said = learner_parts.add(SimpleNamespace(id="build.head", answer_name="Head", is_function=True), kernel.names["old"])
    assert "the check got something other than the current `Head`; pass `Head` itself" in said


def test_decorated_classes_and_dataclasses_are_found(folder, kernel):
    options = "from dataclasses import dataclass\n\n@dataclass(frozen=True)\nclass Options:\n    d: int = 3"
    deco = (
        "import functools\ndef loud(f):\n    @functools.wraps(f)\n    def inner(*a):\n        return f(*a)\n    return inner"
    )
    head = "class Head(nn.Module):\n    options = Options()\n\n    @loud\n    def forward(self, x):\n        return x"
    assert add(kernel, "Head", IMPORTS, options, deco, head) == "`Head` is now in my_transformer.py."
    assert options.partition("\n\n")[2] in file(folder)
    assert head in file(folder)


def test_a_broken_file_is_left_alone(folder, kernel, snapshot):
    kernel.run(IMPORTS, HALF, HEAD)
    told, damages = {}, {"syntax": b"class Head(:\n", "a zero byte": b"x\0", "no UTF-8": b"\xff\xfe"}
    for name, damage in damages.items():
        (folder / "my_transformer.py").write_bytes(damage)
        told[name] = add(kernel)
        assert (folder / "my_transformer.py").read_bytes() == damage
    assert told == snapshot


def test_a_full_disk_costs_one_sentence_and_nothing_else(folder, kernel, monkeypatch):
    add(kernel, "Head", IMPORTS, HALF, HEAD)

    def full(path, content):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(learner_parts, "write_whole", full)
    said = add(kernel, "Heads", "class Heads: pass")
    assert said == "Your `Heads` was not added to my_transformer.py: it could not be written (No space left on device)."
    assert file(folder) == TEXT
    monkeypatch.undo()


@pytest.mark.skipif(os.name == "nt" or getattr(os, "geteuid", lambda: 1)() == 0, reason="root may write anywhere")
def test_a_read_only_folder_costs_one_sentence(folder, kernel):
    folder.chmod(0o500)
    assert "could not be written" in add(kernel, "Head", IMPORTS, HALF, HEAD)
    folder.chmod(0o700)


def test_a_record_that_cannot_be_written_loses_nothing(folder, kernel, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(learner_parts, "update_record", full)
        assert "could not be written" in add(kernel, "Head", IMPORTS, HALF, HEAD)
    assert file(folder) == TEXT
    assert add(kernel) == ""
    assert add(kernel, "Head", HEAD.replace("of it", "now")) == "`Head` is now in my_transformer.py."


def test_outside_a_learners_folder_nothing_is_written(folder, kernel, monkeypatch):
    kernel.run(IMPORTS, HALF, HEAD)
    (folder / RECORD).unlink()
    assert add(kernel) == ""
    assert not (folder / "my_transformer.py").exists()


def test_other_exercises_and_other_answers_add_nothing(folder, kernel):
    kernel.run(IMPORTS, HALF, HEAD, "number = 3")
    assert (
        learner_parts.add(SimpleNamespace(id="attention.softmax", answer_name="Head", is_function=True), kernel.names["Head"])
        == ""
    )
    assert learner_parts.add(SimpleNamespace(id="build.head", answer_name="number", is_function=True), 3) == ""
    assert not (folder / "my_transformer.py").exists()


@pytest.mark.parametrize(
    "helper",
    [
        "Linear = nn.Linear",
        "Linear: type = nn.Linear",
        "from torch.nn import functional as F\nLinear = F.linear",
        "from collections import namedtuple\nLinear = namedtuple('Linear', 'width')",
        "try:\n    from torch.nn import Linear\nexcept ImportError:\n    Linear = None",
        "if math:\n    from torch.nn import Linear",
        "if math:\n    class Linear(nn.Linear):\n        def forward(self, x):\n            return x",
        "for _ in 'a':\n    def Linear(a, b):\n        return half(a)",
        "from torch.nn import Linear; print(Linear)",
        "Linear = lambda a, b: half(a)",
    ],
)
def test_a_helper_is_added_however_it_was_made(folder, kernel, helper):
    head = "class Head(nn.Module):\n    layer = Linear"
    assert add(kernel, "Head", IMPORTS, HALF, helper, head) == "`Head` is now in my_transformer.py."
    exec(compile(file(folder), "my_transformer.py", "exec"), {})
