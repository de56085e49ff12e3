"""Questions and exercises: ``predict`` a result and ``reveal`` the reply, or let a lesson ``ask``; ``check`` an answer to an
exercise, with a ``hint`` or a ``solution``. ``my_progress`` shows what you have passed, ``next_lesson`` where to continue."""

from .api import ask, check, hint, predict, reply, reveal, solution
from .catalogue import catalogue
from .passes import my_progress, next_lesson

__all__ = ["ask", "catalogue", "check", "hint", "my_progress", "next_lesson", "predict", "reply", "reveal", "solution"]
