"""A day: lessons 00, 02 to 05, and both parts of 15."""

from dataclasses import replace

from ..sessions import Break, Lead, Plan, Practise
from .talks_and_breaks import (
    BRIDGE,
    CARDS,
    CLOSING_WITH_CARD,
    MASKS_AND_PADDING,
    MORNING,
    PAPER_CHECK,
    PAPER_PAGE,
    READING,
    SCALE_PRACTISED,
    SHAPES_CARD,
    TICKET,
    TRAINING,
    heads,
)

DAY = Plan(
    name="day",
    title="A day: attention and all its parts, training a model, and reading another one",
    audience="People who write Python with NumPy and want to understand a Transformer's attention well enough to build it "
    "and to check it.",
    handouts=(PAPER_PAGE, PAPER_CHECK, SHAPES_CARD, CARDS),
    ready=("00.ready.dot_product", "00.ready.matrix_shape", "00.ready.exp", "00.ready.axis", "00.ready.variance"),
    items=(
        *MORNING,
        Lead(
            lesson="03",
            stop="training",
            skip_if_late="red-car",
            note="The training runs are left out. Say what they found: large initial scores cost training steps, but do not "
            "stop training.",
        ),
        SCALE_PRACTISED[0],
        Break(title="Lunch", minutes=55),
        MASKS_AND_PADDING,
        Practise(
            lesson="04",
            exercises=("attention.causal_mask",),
            if_time=("attention.late_mask", "attention.padding_mask"),
        ),
        Break(title="Break", minutes=8),
        heads(stop="cost"),
        Practise(lesson="05", exercises=("heads.split",), if_time=("heads.merge",)),
        Break(title="Break", minutes=10),
        BRIDGE,
        TRAINING,
        replace(READING, cut=("remove-heads",), skip_if_late=""),
        TICKET,
        CLOSING_WITH_CARD,
    ),
)
