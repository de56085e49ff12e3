"""The exercises: ``check`` an answer, ask for a ``hint`` or a ``solution``, and ``reply`` to a prediction;
``my_progress`` shows what you have passed, and ``next_lesson`` where to continue."""

from .api import check, hint, reply, solution
from .catalogue import catalogue
from .passes import my_progress, next_lesson

__all__ = ["catalogue", "check", "hint", "my_progress", "next_lesson", "reply", "solution"]
