"""Running the command ``transformer-course`` in this process."""

from typer.testing import CliRunner

from transformer_course.app import cli


def said(*arguments: str, status: int = 0) -> str:
    result = CliRunner().invoke(cli.app, arguments, env={"COLUMNS": "120", "NO_COLOR": "1", "TERM": "dumb"})
    assert result.exit_code == status, result.output
    return result.output
