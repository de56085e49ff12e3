"""The exercises: ``check`` an answer, ask for a ``hint`` or a ``solution``, and ``reply`` to a prediction;
``my_progress`` tells what is passed."""

from .catalogue import catalogue
from .notebook import check, hint, reply, solution
from .progress import my_progress

__all__ = ["catalogue", "check", "hint", "my_progress", "reply", "solution"]
