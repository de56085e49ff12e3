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
# One process for all calls: it writes their exit statuses into a file. Doctor's report is replaced, because it takes long.
ENDED = """
import json, sys
from transformer_course.app import doctor, main
from transformer_course.app.doctor_checks import Finding

doctor.examine = lambda folder: [Finding("name", "李 小龙 \\udcff")]
ended = []
for call in json.loads(sys.argv[2]):
    sys.argv[1:] = call
    try:
        main.main()
    except SystemExit as ending:
        ended.append(ending.code)
with open({file!r}, "w") as file:
    json.dump(ended, file)
"""


@pytest.fixture
def ended(tmp_path):
    """Run all calls; return their exit statuses, and what was printed."""
    file = tmp_path / "ended.json"
    program = ENDED.format(file=str(file)).replace("sys.argv[2]", "sys.argv.pop()")

    def run(encoding: str, **options) -> tuple[list, subprocess.CompletedProcess]:
        env = {**os.environ, "PYTHONIOENCODING": encoding, "COLUMNS": "80"}
        command = [sys.executable, "-c", program, json.dumps(CALLS)]
        ran = subprocess.run(command, cwd=tmp_path, env=env, stderr=subprocess.PIPE, timeout=600, check=True, **options)
        return json.loads(file.read_text()), ran

    return run


AS_IN_UTF_8 = [0] * 11 + [0, 0, 1, 0, 1, 1, 0, 2, 2]


@pytest.mark.parametrize(
    "encoding", ["cp932", *(pytest.param(each, marks=pytest.mark.slow) for each in ("utf-8", "cp437", "cp1252", "ascii"))]
)
def test_every_command_ends_as_it_should_where_the_console_is_not_utf_8(ended, encoding):
    statuses, ran = ended(encoding, stdout=subprocess.PIPE)
    printed = ran.stdout.decode(encoding)
    assert statuses == AS_IN_UTF_8, ran.stderr.decode(encoding)
    learner = "李 小龙".encode(encoding, "backslashreplace").decode(encoding)
    assert f"7 files added to {learner}" in printed
    assert f"{learner} \\udcff" in printed
    assert "02 · Self-attention by hand" in printed.replace(" - ", " · ")


def test_a_reader_that_has_left_ends_no_command(ended):
    reader, writer = os.pipe()
    os.close(reader)
    statuses, ran = ended("utf-8", stdout=writer)
    os.close(writer)
    assert statuses == AS_IN_UTF_8
    assert b"Traceback" not in ran.stderr
    assert b"BrokenPipe" not in ran.stderr
