"""What to say under each heading of the lessons that the plans lead, by lesson."""

from collections.abc import Mapping

from . import lesson_00, lesson_02, lesson_03, lesson_04, lesson_05, lesson_13, lesson_14, lesson_15, lesson_20
from .note import Note, Notes

NOTES: Mapping[str, Notes] = {
    module.__name__[-2:]: module.NOTES
    for module in (lesson_00, lesson_02, lesson_03, lesson_04, lesson_05, lesson_13, lesson_14, lesson_15, lesson_20)
}
__all__ = ["NOTES", "Note", "Notes"]
