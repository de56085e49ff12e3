"""Questions and exercises: ``predict`` a result and ``reveal`` the reply, or let a lesson ``ask``; ``check`` an answer to an
exercise, with a ``hint`` or a ``solution``. ``my_progress`` shows what you have passed, ``next_lesson`` where to continue, and
``my_path`` the path through the course, which ``choose_path`` changes."""

from .api import ask, check, choose_path, hint, my_path, predict, reply, reveal, solution
from .catalogue import catalogue
from .progress import next_lesson
from .progress_map import my_progress

__all__ = [
    "ask",
    "catalogue",
    "check",
    "choose_path",
    "hint",
    "my_path",
    "my_progress",
    "next_lesson",
    "predict",
    "reply",
    "reveal",
    "solution",
]
