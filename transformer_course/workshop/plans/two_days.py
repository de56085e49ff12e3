"""Two days: lessons 00, 02 to 06, 10, 13 to 15 and 20."""

from ..sessions import FINAL_QUESTIONS, Break, Lead, Plan, Practise, Talk
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

FIRST_DAY = (
    *MORNING,
    Lead(
        lesson="03",
        minutes=53,
        stop=FINAL_QUESTIONS,
        skip_if_late="Does training suffer?",
    ),
    *SCALE_PRACTISED,
    MASKS_WITH_BOTH_CALLS,
    Practise(
        lesson="04",
        minutes=30,
        exercises=("attention.causal_mask", "attention.padding_mask", "attention.late_mask"),
    ),
    Break(title="Break", minutes=15),
    heads(42),
    Practise(lesson="05", minutes=25, exercises=("heads.split", "heads.merge")),
    Break(title="Break", minutes=10),
    Lead(
        lesson="06",
        minutes=35,
        stop="One vector, two readers",
        skip_if_late="How large is a word?",
        skip_questions=("06.exit.two_probes", "06.exit.weak_probe"),
        note="Learners read the last part of the core, on what can be read from a vector, at home.",
    ),
    TICKET,
    Break(title="Until tomorrow"),
)
SECOND_DAY = (
    Talk(
        title="What is left of yesterday?",
        minutes=10,
        note="Five questions from yesterday's lessons in questions.html, without notebooks. Choose those that caused most "
        "trouble in the exit tickets.",
    ),
    Lead(
        lesson="10",
        minutes=35,
        stop="Is it only the gradient?",
        skip_if_late="What if one sublayer fails?",
        skip_questions=("10.exit.clever_start",),
        note="Mention feed-forward networks and norms (lessons 09 and 11), and leave them for home.",
    ),
    Practise(lesson="10", minutes=10, exercises=("residual.by_hand",)),
    Break(title="Break", minutes=10),
    Lead(
        lesson="13",
        minutes=45,
        stop=FINAL_QUESTIONS,
        skip_if_late="An alignment that nobody taught",
    ),
    Practise(lesson="13", minutes=15, exercises=("decoder.reach", "decoder.leak")),
    Break(title="Break", minutes=10),
    Lead(
        lesson="14",
        minutes=45,
        stop=FINAL_QUESTIONS,
        skip_if_late="What if the shift is forgotten?",
        skip_questions=("14.exit.gradient",),
        ends_with_summary=False,
    ),
    Practise(lesson="14", minutes=15, exercises=("training.by_hand", "training.shift")),
    Break(title="Lunch", minutes=60),
    training(45),
    Practise(
        lesson="15",
        minutes=15,
        exercises=("training.rare",),
        note="In groups of three, plan the run that tells whether short or rare numbers are the problem. The check responds "
        "to the plan.",
    ),
    Break(title="Break", minutes=15),
    READING,
    Lead(
        lesson="20",
        minutes=40,
        stop="Removing heads",
        skip_if_late="The same test for a GPT",
        ends_with_summary=False,
        skip_questions=("20.exit.silenced",),
        note="Keep these doubts for the end: what an attention map shows, and what it does not.",
    ),
    TICKET,
)

TWO_DAYS = Plan(
    name="two-days",
    title="Two days: from three tokens by hand to a Transformer that is trained, read, and doubted",
    audience="People who will work with Transformers or teach them. They need Python with NumPy, and to know what a gradient "
    "is. The first day lasts seven and three quarter hours, the second six and three quarters, including lunch and breaks.",
    handouts=(PAPER_PAGE, SHAPES_CARD),
    items=(*FIRST_DAY, *SECOND_DAY),
)
