"""What a plan consists of: lessons led by an instructor, exercises, breaks and other sessions."""

import datetime
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from transformer_course import course

from .activity import Activity


@dataclass(frozen=True, kw_only=True)
class Lead:
    """A lesson, or some of it, led in the room: from the part ``start`` (default: the beginning) up to ``stop``.

    Parts are named by the ids of their headings.
    """

    lesson: str
    stop: str  # the first part that is no longer covered
    start: str = ""
    cut: tuple[str, ...] = ()  # parts that are left out
    run_silently: tuple[str, ...] = ()  # parts whose cells are run without comment, because later cells need them
    skip_if_late: str = ""  # one more part to run without comment if the session is late; empty if none can be spared
    skip_questions: tuple[str, ...] = ()  # ids of final questions about things that the room has not seen
    ends_with_summary: bool = True  # False if the lesson's summary mentions things the room has not seen
    summary: str = ""  # the part of the summary to read aloud in that case
    note: str = ""
    paper_before: str = ""  # the part before which the room works on paper
    paper: str = ""  # Markdown for the slide that says what to do then
    extra_minutes: Mapping[str, int] = field(default_factory=dict)  # of teaching that parts take, by their ids
    explain: Mapping[str, tuple[int, str]] = field(default_factory=dict)  # by a part's id: for how many minutes neighbours
    # explain what to each other

    def heading(self, part: str) -> str:
        """The heading of a part of the lesson."""
        return course.lesson(self.lesson).part(part).heading


@dataclass(frozen=True, kw_only=True)
class Practise:
    """Exercises that learners do alone or in pairs."""

    lesson: str
    exercises: tuple[str, ...]
    if_time: tuple[str, ...] = ()
    if_more: str = ""  # what those do who have finished these, too
    primer: int = 5  # minutes to read together what exercises in code need
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Talk:
    """A session without a notebook."""

    title: str
    minutes: int
    note: str
    does: Mapping[Activity, int] = field(default_factory=dict)  # minutes in which people do something
    slide: str = ""  # Markdown that its slide shows
    shows_map: bool = False  # whether its slide shows the map of lesson 00


@dataclass(frozen=True, kw_only=True)
class Project:
    """A stage of the Build that learners do in groups, and present to each other."""

    stage: str
    title: str
    minutes: int
    note: str
    does: Mapping[Activity, int] = field(default_factory=dict)
    slide: str = ""  # Markdown that its slide shows
    given: tuple[str, ...] = ()  # ids of its exercises that are solved in the folder which groups open for it


@dataclass(frozen=True, kw_only=True)
class Pause:
    """A few minutes to stand up. Nobody rejoins here."""

    title: str
    minutes: int


@dataclass(frozen=True, kw_only=True)
class Break:
    """A break. Learners who are late or lost can rejoin after it. Without minutes, it ends the day."""

    title: str
    minutes: int = 0


Item = Lead | Practise | Talk | Project | Pause | Break


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A workshop from its first minute to its last."""

    name: str
    title: str
    audience: str
    items: tuple[Item, ...]
    handouts: tuple[str, ...]  # pages of docs/paper to print for it
    ready: tuple[str, ...] = ()  # the questions of lesson 00 that show who is ready for it; empty for all of them
    starts: int = 9 * 60  # minutes after midnight, on each day
    leader: str = ""
    date: datetime.date | None = None  # of its first day
    people: int = 24  # learners

    def lessons(self) -> list[str]:
        """The numbers of its lessons, in order."""
        return list(dict.fromkeys(item.lesson for item in self.items if isinstance(item, Lead | Practise)))

    def stages(self) -> list[str]:
        """The Build's stages that groups work on."""
        return [item.stage for item in self.items if isinstance(item, Project)]

    def exercises(self) -> list[str]:
        """The ids of the exercises that learners do, or may do if they finish early."""
        sheets = [item for item in self.items if isinstance(item, Practise)]
        return [name for item in sheets for name in (*item.exercises, *item.if_time)]

    def rejoin_folders(self) -> dict[int, str]:
        """The folder to rejoin from after each break, by the break's index; its name says what comes next."""
        names = {}
        for number, (index, _) in enumerate(self.breaks(), 1):
            ahead = next(item for item in self.items[index:] if isinstance(item, Lead | Practise | Project))
            if isinstance(ahead, Project):
                names[index] = f"rejoin/{number}-before-{ahead.stage}"
            elif isinstance(ahead, Practise):
                names[index] = f"rejoin/{number}-before-sheet-{ahead.lesson}"
            else:
                names[index] = f"rejoin/{number}-before-lesson-{ahead.lesson}{'-part-2' if ahead.start else ''}"
        return names

    def all_rejoin(self, index: int) -> bool:
        """Whether not only those who are late open the folder of a break, because it has something that is given."""
        return bool(getattr(dict(enumerate(self.items)).get(index + 1), "given", ()))

    def breaks(self) -> Iterator[tuple[int, Break]]:
        """Yield the index and the item of each break."""
        return ((index, item) for index, item in enumerate(self.items) if isinstance(item, Break))
