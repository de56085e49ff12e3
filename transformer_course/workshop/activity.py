"""What people do in a workshop's minutes."""

from enum import StrEnum


class Activity(StrEnum):
    """Something that fills minutes, as the timetable names it."""

    LISTEN = "listening, reading, looking at results"
    RUN_CELLS = "running cells together"
    VOTE = "guessing and voting"
    PAPER = "writing on paper"
    DRAG = "dragging a figure's points"
    CODE = "writing code, and training what was written"
    EXPLAIN = "explaining to a neighbour or to the room"
    RESERVE = "reserve: late starts, questions from the room"

    @property
    def is_doing(self) -> bool:
        """Whether people do something of their own in these minutes. To press Shift + Enter does not count."""
        return self not in (LISTEN, RUN_CELLS, RESERVE)


LISTEN, RUN_CELLS, VOTE, PAPER, DRAG, CODE, EXPLAIN, RESERVE = Activity
