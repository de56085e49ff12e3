"""Whatever a file holds, reading it gives its code cells, or a sentence for its learner."""

import json
import os
import socket
from pathlib import Path

import pytest
from collecting import SHEETS, UNIX, found, hand_in, notebook, problem

from transformer_course.grading.submissions.notebook_file import Cell, NotANotebook, cells, read
from transformer_course.runner.wire import encode

CONTENTS = {
    "empty": b"",
    "cut": SHEETS["02"].read_bytes()[:5000],
    "5000 digits": b'{"cells": ' + b"9" * 5000 + b"}",
    "nested": b"[" * 100_000 + b"]" * 100_000,
    "in Chinese": "注意力".encode("gb18030"),
    "UTF-16": notebook("x").encode("utf-16"),
    "a list": b"[1, 2]",
    "a number": b'{"cells": 3}',
    "from 2014": b'{"worksheets": [], "nbformat": 3}',
    "no cell": b'{"cells": [3]}',
    "a source of numbers": b'{"cells": [{"cell_type": "code", "source": [3]}]}',
    "no source": b'{"cells": [{"cell_type": "code"}]}',
}


def test_what_is_no_notebook_is_told_to_its_learner_alone(folder, snapshot):
    told = {}
    for case, content in CONTENTS.items():
        (folder / "bea.ipynb").write_bytes(content)
        told[case] = problem(folder / "bea.ipynb")
    with open(folder / "bea.ipynb", "wb") as file:
        file.truncate(2**43)  # more than any memory holds
    assert told | {"large": problem(folder / "bea.ipynb")} == snapshot


@UNIX
def test_pipes_and_sockets_are_never_opened(folder, monkeypatch):
    os.mkfifo(folder / "pipe.ipynb")
    listener = socket.socket(socket.AF_UNIX)
    monkeypatch.chdir(folder)  # the address of a socket must be short
    listener.bind("socket.ipynb")
    opened = []
    real = os.open
    monkeypatch.setattr(os, "open", lambda path, *rest, **more: opened.append(str(path)) or real(path, *rest, **more))
    assert "is not a file but a folder, pipe or device" in problem(folder / "pipe.ipynb")
    assert "is not a file" in problem(folder / "socket.ipynb")
    listener.close()
    assert {Path(path).stem for path in opened} == {"another"}


@UNIX
def test_a_pipe_that_takes_a_files_place_is_not_waited_for(folder, monkeypatch):
    os.mkfifo(folder / "bea.ipynb")
    plain_file = hand_in(folder / "another.ipynb").lstat()
    monkeypatch.setattr("transformer_course.grading.submissions.notebook_file.os.lstat", lambda path: plain_file)
    with pytest.raises(NotANotebook, match="is not a file"):
        read(folder / "bea.ipynb", folder)


def test_what_may_not_be_read_is_told(folder, monkeypatch):
    def refuse(path, *rest, **more):
        if Path(path).stem == "bea":
            raise PermissionError(13, "Permission denied")
        return real(path, *rest, **more)

    real = os.open
    monkeypatch.setattr(os, "open", refuse)
    hand_in(folder / "bea.ipynb")
    assert "cannot be opened (Permission denied); ask your teacher" in problem(folder / "bea.ipynb")
    scan = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: refuse(path) if Path(path).stem == "bea" else scan(path))
    (folder / "bea.ipynb").unlink()
    (folder / "bea").mkdir()
    assert found(folder)["bea"].log == ("bea cannot be opened (Permission denied).",)


def test_a_number_of_a_million_digits_in_an_output_is_no_damage():
    output = b'{"cell_type": "code", "source": "1", "outputs": [' + b"9" * 10**6 + b"]}"
    assert cells(b'{"cells": [' + output + b"]}") == [Cell("1", None, ())]


def test_cells_are_read_as_they_are_written():
    data = {
        "cells": [
            {"cell_type": "markdown", "source": "no code"},
            {
                "cell_type": "code",
                "source": ["a = 1\r\n", "b = 2"],
                "metadata": {"exercise": "x.y", "tags": ["one", 2, "two"]},
            },
            {"cell_type": "code", "source": "s = '\ud800'", "metadata": {"exercise": 3, "tags": "one"}},
            {"cell_type": "code", "source": "", "metadata": None},
        ]
    }
    text = "\ufeff" + json.dumps(data, indent=1).replace("\n", "\r\n")
    expected = [Cell("a = 1\nb = 2", "x.y", ("one", "two")), Cell("s = '?'", None, ()), Cell("", None, ())]
    assert cells(text.encode()) == expected


@pytest.mark.parametrize(("count", "source"), [(1001, ""), (2, "x" * 150_001)])
def test_more_code_than_can_be_sent_is_told(count, source):
    def handed_in(count, source):
        return cells(json.dumps({"cells": [{"cell_type": "code", "source": source}] * count}).encode())

    with pytest.raises(NotANotebook, match="more than 1,000 code cells or 300,000 characters of code"):
        handed_in(count, source)
    most = handed_in(1000, "\U0001f600" * 300)  # these characters take the most room
    encode({"cells": [[number, cell.source] for number, cell in enumerate(most, 1)]})
