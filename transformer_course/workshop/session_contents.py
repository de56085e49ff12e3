"""The parts of a lesson that a session covers, their questions, and its last sentence."""

from transformer_course import course
from transformer_course.course.part import EXIT, TITLE, Part
from transformer_course.course.question import Question

from .lesson import asked
from .sessions import Lead, Plan


class PlanError(ValueError):
    """A plan does not fit the lessons; the message says what it names, and what there is."""


def check(plan: Plan) -> None:
    """Raise PlanError if a plan names a part that its lesson does not have, or leads one without a note.

    Raises SourceError if a lesson or its notes cannot be read.
    """
    for lead in plan.items:
        if not isinstance(lead, Lead):
            continue
        source = course.lesson(lead.lesson)
        known, notes = [part.id for part in source.parts if part.id], source.notes.parts
        for name in (lead.start, lead.stop, *lead.cut, *lead.run_silently, lead.skip_if_late, lead.paper_before):
            if name and name not in known:
                raise PlanError(f"The plan {plan.name}: {source.file} has no part {name!r}; it has {', '.join(known)}.")
        for part in discussed(lead):
            if part.id not in notes:
                needs = f"a note ## {part.id}" if part.id else "an id, and a note with that id"
                where = f"{source.notes_file.parent.name}/{source.notes_file.name}"
                raise PlanError(
                    f"The plan {plan.name} leads “{part.heading}” of lesson {lead.lesson}: give it {needs} in {where}."
                )


def covered(lead: Lead) -> list[Part]:
    """Return the parts whose cells are run, in order."""
    parts = course.lesson(lead.lesson).parts
    ids = [part.id for part in parts]
    return [part for part in parts[ids.index(lead.start or TITLE) : ids.index(lead.stop)] if part.id not in lead.cut]


def discussed(lead: Lead) -> list[Part]:
    """Return the covered parts that are also discussed."""
    return [part for part in covered(lead) if part.id not in lead.run_silently]


def setup_cells(lead: Lead) -> list[int]:
    """Return the indexes of the code cells to run first in a fresh kernel: in a second sitting, the lesson's first one."""
    code = [index for index, cell in enumerate(course.lesson(lead.lesson).cells, 1) if cell.kind == "code"]
    return code[:1] if lead.start else []


# -- questions --------------------------------------------------------------------------------------------------------


def recall_questions(lead: Lead) -> list[Question]:
    """Return the questions that the lesson begins with; a second sitting has none."""
    return [] if lead.start else _answered_at_once(lead, TITLE)


def recall_questions_to_ask(lead: Lead, known: set[str]) -> list[Question]:
    """Return the recall questions about lessons that the room has had."""
    return [question for question in recall_questions(lead) if set(question.origin) <= known]


def questions_of(part: Part) -> list[Question]:
    """Return the questions to ask in a part: its predictions, and those answered at once, unless they precede the lesson."""
    return [question for question in asked(part) if question.is_prediction or part.id != TITLE]


def questions_in(lead: Lead) -> list[Question]:
    """Return the questions to ask in the parts that are discussed."""
    return [question for part in discussed(lead) for question in questions_of(part)]


def final_questions(lead: Lead) -> list[Question]:
    """Return the lesson's last questions, except those about what was left out."""
    return [question for question in _answered_at_once(lead, EXIT) if question.id not in lead.skip_questions]


def _answered_at_once(lead: Lead, name: str) -> list[Question]:
    parts = [part for part in course.lesson(lead.lesson).parts if part.id == name]  # lesson 00 has no last questions
    return [question for part in parts for question in asked(part) if not question.is_prediction]


def summary(lead: Lead) -> str:
    """Return what to read aloud at the end; empty if the lesson's summary is about things the room has not seen."""
    return lead.summary or (course.lesson(lead.lesson).block("answer") if lead.ends_with_summary else "")
