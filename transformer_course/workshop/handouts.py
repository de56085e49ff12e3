"""What a workshop has printed, and how many copies of it."""

from collections.abc import Iterator
from dataclasses import dataclass

from .exit_tickets import stems
from .sessions import Plan

SPARE = 3  # copies, for what is spoiled or forgotten
HELPED = 10  # learners for each helper


@dataclass(frozen=True)
class Handout:
    """Something to print: its file, how many copies, and what to do with them."""

    name: str
    file: str
    copies: int
    use: str


NAMES = {
    "voting_cards": ("Voting cards", "Cut each page into four; one set at each place."),
    "02_self_attention_by_hand": ("Sheet A, self-attention by hand", "One each, handed out after “From scores to weights”."),
    "02_is_it_right": ("Sheet B, “Is it right?”", "For pairs who finish early, or to take home."),
    "shapes_and_symbols": ("Card of shapes and symbols", "To take home: hand it out at the end."),
}


def handouts(plan: Plan) -> Iterator[Handout]:
    """Yield what learners get on paper, in the order in which they need it, then what those who lead need."""
    each = plan.people + SPARE
    for stem in (stem for stem in NAMES if stem in plan.handouts):
        name, use = NAMES[stem]
        yield Handout(name, f"to-print/{stem}.pdf", each, use)
    for number, stem in enumerate(tickets := stems(plan.name), 1):
        of_day = f" of day {number}" if len(tickets) > 1 else ""
        yield Handout(f"Exit ticket{of_day}", f"to-print/{stem}.pdf", each, "One each, when the slide shows it; collect them.")
    helpers = -(-plan.people // HELPED)
    yield Handout("Timetable", "to-print/timetable.html", 1 + helpers, "One on the door, one for each helper.")
    yield Handout("Cue card", "for-you/cue-card.html", 1, "For your hand, while you lead.")
    yield Handout("Reports", "for-you/doctor-reports.html", -(-plan.people // 30), "For you, in the week before.")
    yield Handout("For the helpers", "for-you/helpers.html", helpers, "Sent a week before, with the wrong answers.")
