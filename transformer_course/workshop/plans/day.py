"""A day: lessons 00, 02 to 05, and both parts of 15."""

from ..sessions import Break, Lead, Plan, Practise
from .shared import (
    MASKS_WITH_BOTH_CALLS,
    MORNING,
    PAPER_PAGE,
    READING,
    SCALE_PRACTISED,
    SHAPES_CARD,
    TICKET,
    heads,
    training,
)

DAY = Plan(
    name="day",
    title="A day: attention and all its parts, a model trained, and another one read",
    audience="People who write Python with NumPy and want to understand a Transformer's attention well enough to build it "
    "and to check it. Seven and three quarter hours, including lunch and breaks.",
    handouts=(PAPER_PAGE, SHAPES_CARD),
    items=(
        *MORNING,
        Lead(
            lesson="03",
            minutes=38,
            stop="Does training suffer?",
            skip_if_late="A red car",
            note="The training runs are left out. Say what they found: large initial scores cost training steps, but do not "
            "stop training.",
        ),
        *SCALE_PRACTISED,
        MASKS_WITH_BOTH_CALLS,
        Practise(
            lesson="04",
            minutes=25,
            exercises=("attention.causal_mask", "attention.padding_mask"),
            if_time=("attention.late_mask",),
        ),
        Break(title="Break", minutes=10),
        heads(42),
        Practise(lesson="05", minutes=15, exercises=("heads.split",), if_time=("heads.merge",)),
        Break(title="Break", minutes=10),
        training(35),
        Break(title="Break", minutes=10),
        READING,
        TICKET,
    ),
)
