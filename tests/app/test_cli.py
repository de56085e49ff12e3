"""The command `transformer-course`: its help, and running it as a module."""

import subprocess
import sys

from command_line import said


def test_help_names_the_first_step_and_every_command():
    for arguments in ((), ("--help",)):
        output = said(*arguments, status=0 if arguments else 2)
        assert "Start with: transformer-course lab" in output
        assert "Open the course in JupyterLab" in output
        assert "Show how far you have got" in output
        assert "Create a folder to hand out" in output
    assert "Your changes there are never overwritten" in said("lab", "--help")


def test_the_command_runs_as_a_module():
    command = [sys.executable, "-m", "transformer_course", "--help"]
    assert "lab" in subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_the_package_runs_as_a_module():
    command = [sys.executable, "-m", "transformer_course", "--help"]
    assert "Open the course in JupyterLab" in subprocess.run(command, capture_output=True, text=True, check=True).stdout
