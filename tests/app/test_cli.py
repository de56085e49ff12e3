"""The command `transformer-course`: its help."""

from command_line import said
from typer.main import get_command

from transformer_course.app import cli


def test_the_help_of_every_command(snapshot):
    """The sentences alone: how typer and rich lay them out differs between their versions."""
    app = get_command(cli.app)
    helps = {"transformer-course": app.help}
    for name, command in app.commands.items():
        parts = [f"{' '.join(each.opts)}: {each.help}" for each in command.params if getattr(each, "help", None)]
        helps[name] = "\n".join([command.help, "", *parts])
    assert helps == snapshot


def test_without_a_command_help_is_shown():
    shown = said("--help")
    assert "Start with: transformer-course lab" in shown
    assert said(status=2).strip() == shown.strip()
