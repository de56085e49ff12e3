"""The part of a lesson that a session covers: its sections, its questions and its last sentence."""

from . import lesson
from .lesson import Asked, Section
from .sessions import FINAL_QUESTIONS, Lead


def covered(lead: Lead) -> list[Section]:
    """Return the sections whose cells are run, in order."""
    parts = lesson.sections(lead.lesson)
    headings = [part.heading for part in parts]
    first, last = headings.index(lead.start) if lead.start else 0, headings.index(lead.stop)
    return [part for part in parts[first:last] if part.heading not in lead.cut]


def discussed(lead: Lead) -> list[Section]:
    """Return the covered sections that are also discussed."""
    return [part for part in covered(lead) if part.heading not in lead.run_silently]


def setup_cells(lead: Lead) -> list[int]:
    """Return the indexes of the code cells to run first in a fresh kernel: in a second sitting, the lesson's first one."""
    code = [index for index, cell in enumerate(lesson.read(lead.lesson).cells) if cell.cell_type == "code"]
    return code[:1] if lead.start else []


# -- questions --------------------------------------------------------------------------------------------------------


def recall_questions(lead: Lead) -> list[Asked]:
    """Return the questions that the lesson begins with; a second sitting has none."""
    return [] if lead.start else _answered_at_once(lead, lesson.title(lead.lesson))


def recall_questions_to_ask(lead: Lead, known: set[str]) -> list[Asked]:
    """Return the recall questions about lessons that the room has had."""
    return [asked for asked in recall_questions(lead) if set(asked.question.origin) <= known]


def predictions_in(lead: Lead) -> list[Asked]:
    """Return the predictions in the sections that are discussed."""
    return [asked for part in discussed(lead) for asked in part.asked if asked.is_prediction]


def questions_in(lead: Lead) -> list[Asked]:
    """Return the predictions in the sections that are discussed, and the questions there that are answered at once."""
    title = lesson.title(lead.lesson)
    return [asked for part in discussed(lead) for asked in part.asked if asked.is_prediction or part.heading != title]


def final_questions(lead: Lead) -> list[Asked]:
    """Return the lesson's last questions, except those about what was left out."""
    return [asked for asked in _answered_at_once(lead, FINAL_QUESTIONS) if asked.question.id not in lead.skip_questions]


def _answered_at_once(lead: Lead, heading: str) -> list[Asked]:
    return [asked for asked in lesson.asked(lead.lesson) if asked.heading == heading and not asked.is_prediction]


def summary(lead: Lead) -> str:
    """Return what to read aloud at the end; empty if the lesson's summary is about things the room has not seen."""
    return lead.summary or (lesson.summary(lead.lesson) if lead.ends_with_summary else "")
