"""A model of the Build as one HTML file, which runs it in any browser: without a network, a server or an installation."""

from transformer_course.experiments.talking import Chat

from .opening import open_model
from .page import export

__all__ = ["Chat", "export", "open_model"]
