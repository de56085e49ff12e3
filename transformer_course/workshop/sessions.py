"""What a plan is made of: lessons that are led, exercises, breaks, and the rest of a day."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Lead:
    """A lesson, or a part of one, led in the room: from the heading ``start`` on (else from its beginning) up to ``stop``."""

    lesson: str
    minutes: int
    stop: str  # the heading before which the plan ends
    cut: tuple[str, ...] = ()  # headings on the way that are passed over
    start: str = ""
    not_asked: tuple[str, ...] = ()  # beginnings of the lesson's last questions that speak of what the room has not seen
    unsaid: tuple[str, ...] = ()  # headings whose cells are run with no word said: later cells need them
    late: str = ""  # one more of these, when the session is late
    closes: bool = True  # its last sentence can be read out: it speaks of nothing that the room has not seen
    closing: str = ""  # else the part of it that can be
    note: str = ""
    aside: int = 0  # minutes of the session that the note's own business takes


@dataclass(frozen=True, kw_only=True)
class Practise:
    """Exercises that the learners do, alone or in pairs."""

    lesson: str
    minutes: int
    exercises: tuple[str, ...]
    if_time: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Talk:
    """Something else that takes time."""

    title: str
    minutes: int
    note: str


@dataclass(frozen=True, kw_only=True)
class Pause:
    """A few minutes to stand up, at which nobody rejoins."""

    title: str
    minutes: int


@dataclass(frozen=True, kw_only=True)
class Break:
    """A break, at which who is late or lost can rejoin. Without minutes: the end of a day."""

    title: str
    minutes: int = 0


Item = Lead | Practise | Talk | Pause | Break


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A workshop from its first minute to its last."""

    name: str
    title: str
    whom: str
    items: tuple[Item, ...]
    paper: tuple[str, ...]  # the pages of docs/paper that are printed for it
    starts: int = 9 * 60  # minutes after midnight, each day

    def lessons(self) -> list[str]:
        """The numbers of its lessons, in their order."""
        return list(dict.fromkeys(item.lesson for item in self.items if isinstance(item, Lead | Practise)))

    def breaks(self) -> Iterator[tuple[int, Break]]:
        """Each break with its place among the items."""
        return ((place, item) for place, item in enumerate(self.items) if isinstance(item, Break))
