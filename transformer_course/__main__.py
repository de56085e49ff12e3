"""Run the command ``transformer-course`` with ``python -m transformer_course``."""

from .app.cli import app

app()
