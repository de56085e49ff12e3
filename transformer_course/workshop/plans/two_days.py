"""Two days: lessons 00, 02 to 05, 13 to 15 and 20, and a stage of the Build as a group project."""

from ..sessions import FINAL_QUESTIONS, Break, Lead, Plan, Practise, Project, Talk
from .shared import (
    BRIDGE,
    CARDS,
    CLOSING,
    MORNING,
    PAPER_CHECK,
    PAPER_PAGE,
    READING,
    SCALE_PRACTISED,
    SHAPES_CARD,
    TICKET,
    TRAINING,
    heads,
    masks,
)

FIRST_DAY = (
    *MORNING,
    Lead(
        lesson="03",
        stop=FINAL_QUESTIONS,
        skip_if_late="Does training suffer?",
    ),
    *SCALE_PRACTISED,
    masks(skip_if_late="Two ways to call attention"),
    Practise(
        lesson="04",
        exercises=("attention.causal_mask", "attention.padding_mask"),
        if_time=("attention.late_mask",),
    ),
    Break(title="Break", minutes=15),
    heads(skip_if_late="What does a head cost?"),
    Practise(lesson="05", exercises=("heads.split",), if_time=("heads.merge",)),
    TICKET,
    Break(title="Until tomorrow"),
)
SECOND_DAY = (
    Talk(
        title="What do you remember from yesterday?",
        minutes=10,
        note="Ask five questions from yesterday's slides, with the notebooks closed. Choose those that caused the "
        "most trouble in the exit tickets.",
    ),
    Project(
        stage="B2",
        title="Group project: one attention head of your own",
        minutes=90,
        slide="Groups of three, stage B2 in `exercises`:\n\n1. Write the head, train it on real text, and compare it with the "
        "course's.\n2. Change one thing: no positions, no scale, a head of width 8, or no mask. Predict first, "
        "then train for ten seconds.\n3. Tell the room in two minutes what you predicted and what happened.",
        note="Begin with five minutes on nn.Module: run “Your first module” of stage B1 on the projector. Then groups of "
        "three write the head of stage B2, train it on real text, and compare it with the course's (60 "
        "minutes). The course supplies whatever they would have from earlier stages. Then each group changes one thing: "
        "no positions, no scale, a head of width 8, no mask. Each group predicts first, trains for ten seconds, and tells the "
        "room in two minutes what it predicted and what happened (30 minutes).",
    ),
    Break(title="Break", minutes=15),
    BRIDGE,
    Lead(
        lesson="13",
        stop=FINAL_QUESTIONS,
        skip_if_late="An alignment that nobody taught",
    ),
    Practise(lesson="13", exercises=("decoder.reach", "decoder.leak")),
    Break(title="Lunch", minutes=60),
    Lead(
        lesson="14",
        stop=FINAL_QUESTIONS,
        skip_if_late="What if the shift is forgotten?",
        skip_questions=("14.exit.gradient",),
        ends_with_summary=False,
    ),
    Practise(lesson="14", exercises=("training.by_hand", "training.shift")),
    Break(title="Break", minutes=10),
    TRAINING,
    Practise(
        lesson="15",
        exercises=("training.rare",),
        note="In groups of three, plan the run that tells whether short or rare numbers are the problem. The check responds "
        "to the plan.",
    ),
    Break(title="Break", minutes=10),
    READING,
    Lead(
        lesson="20",
        stop="Removing heads",
        skip_if_late="The same test for a GPT",
        ends_with_summary=False,
        skip_questions=("20.exit.silenced",),
        note="Keep these doubts for the end: what an attention map shows, and what it does not.",
    ),
    TICKET,
    CLOSING,
)

TWO_DAYS = Plan(
    name="two-days",
    title="Two days: from three tokens by hand to a Transformer that is trained, read, and doubted",
    audience="People who will work with Transformers or teach them. They need Python with NumPy, and should know what a "
    "gradient is.",
    handouts=(PAPER_PAGE, PAPER_CHECK, SHAPES_CARD, CARDS),
    items=(*FIRST_DAY, *SECOND_DAY),
)
