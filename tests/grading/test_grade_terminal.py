"""``transformer-course grade`` where the terminal cannot show a learner's name, and where nobody reads what it prints."""

import os
import subprocess
import sys

import pytest
from submissions import hand_in, notebook


@pytest.mark.usefixtures("needs_sandbox")
@pytest.mark.parametrize("read", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_grading_ends_as_in_any_other_terminal(tmp_path, read):
    hand_in(tmp_path / "submissions" / "李 小龙_7_assignsubmission_file" / "01.ipynb", notebook("01", first=["1 / 0"]))
    worksheet = "Identifier,Full name,Grade,Maximum Grade\nParticipant 7,李 小龙,,100\n"
    (tmp_path / "worksheet.csv").write_text(worksheet, encoding="utf-8")
    reader, writer = os.pipe()
    if not read:
        os.close(reader)
    command = [sys.executable, "-m", "transformer_course", "grade", "submissions", "--out", "out", "--moodle", "worksheet.csv"]
    ran = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, "PYTHONIOENCODING": "cp1252"}, stdout=writer, stderr=subprocess.PIPE
    )
    os.close(writer)
    assert (ran.returncode, ran.stderr.strip()) == (0, b"")
    assert {"grades.csv", "moodle-worksheet.csv"} <= {path.name for path in (tmp_path / "out").iterdir()}
    if read:
        with open(reader, encoding="cp1252") as printed:
            assert r"see grading.log about: \u674e \u5c0f\u9f99" in printed.read()
