"""The command ``transformer-course``."""

import typer

from .commands import learners, teachers
from .commands.grade import grade
from .commands.totals import totals

app = typer.Typer(
    help="Learn how Transformers work, in JupyterLab. Start with: transformer-course lab",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
)
for command in (learners.lab, learners.progress, learners.path, learners.export, learners.doctor):
    app.command()(command)
for command in (teachers.workshop, teachers.wheelhouse, teachers.release, teachers.autograder, grade, totals, teachers.site):
    app.command(rich_help_panel="For teachers")(command)
