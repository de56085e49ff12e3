"""Printing never ends a command, whatever the terminal can show, and whoever stops reading."""

import json
import os
import subprocess
import sys

import pytest

COMMANDS = ("lab", "progress", "doctor", "workshop", "wheelhouse", "release", "autograder", "grade", "totals", "site")
CALLS = [
    ["--help"],
    *([command, "--help"] for command in COMMANDS),
    ["progress"],
    ["progress", "02"],
    ["progress", "…"],
    ["release", "李 小龙", "--sheet", "02"],
    ["release", "李 小龙", "--sheet", "→"],
    ["totals", "李 小龙", "--out", "—.csv"],
    ["doctor"],
    ["nonsense — “"],
    ["progress", "--nonsense"],
]
# One process for all calls, and for all of them again when nobody reads any more: it writes their exit statuses into a file.
# Doctor's report is replaced, because it takes long.
ENDED = """
import json, os, sys
from transformer_course.app import doctor, main
from transformer_course.app.doctor_checks import Finding

doctor.examine = lambda folder: [Finding("name", "李 小龙 \\udcff")]
calls, ended = json.loads(sys.argv[1]), []


def run_all():
    for call in calls:
        sys.argv[1:] = call
        try:
            main.main()
        except SystemExit as ending:
            ended.append(ending.code)


run_all()
sys.stdout.flush()
reader, writer = os.pipe()
os.close(reader)
os.dup2(writer, 1)
run_all()
with open("ended.json", "w") as file:
    json.dump(ended, file)
"""
AS_IN_UTF_8 = [0] * 11 + [0, 0, 1, 0, 1, 1, 0, 2, 2]


@pytest.mark.parametrize(
    "encoding", ["cp932", *(pytest.param(each, marks=pytest.mark.slow) for each in ("utf-8", "cp437", "cp1252", "ascii"))]
)
def test_every_command_ends_as_it_should_where_the_console_is_not_utf_8_and_when_its_reader_has_left(tmp_path, encoding):
    env = {**os.environ, "PYTHONIOENCODING": encoding, "COLUMNS": "80"}
    command = [sys.executable, "-c", ENDED, json.dumps(CALLS)]
    ran = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, timeout=600, check=True)
    printed, errors = ran.stdout.decode(encoding), ran.stderr.decode(encoding)
    assert json.loads((tmp_path / "ended.json").read_text()) == 2 * AS_IN_UTF_8, errors
    assert "Traceback" not in errors
    assert "BrokenPipe" not in errors
    learner = "李 小龙".encode(encoding, "backslashreplace").decode(encoding)
    assert f"7 files added to {learner}" in printed
    assert f"{learner} \\udcff" in printed
    assert "02 · Self-attention by hand" in printed.replace(" - ", " · ")
