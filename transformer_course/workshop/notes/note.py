"""What an instructor needs under one heading of a lesson."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Note:
    """What the room should take from a section, how to begin it, and what people ask."""

    goal: str  # what everybody should be able to do, or to say, when the section ends
    say: tuple[str, str]  # two sentences to begin with
    point: str  # the one thing to repeat
    asked: Mapping[str, str] = field(default_factory=dict)  # likely questions, with answers
    meanwhile: str = ""  # what to say and ask while a model trains


Notes = Mapping[str, Note]  # by heading
