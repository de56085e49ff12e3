"""Half a day: lessons 00, 02 and 04, the training in 15, and a look at a trained attention map."""

from dataclasses import replace

from ..sessions import Break, Lead, Plan, Practise
from .shared import (
    BY_HAND,
    CARDS,
    CLOSING,
    OPENING,
    PAPER_CHECK,
    PAPER_PAGE,
    SECOND_SITTING,
    START,
    STRETCH,
    TICKET,
    TRAINING,
    masks,
)

HALF_DAY = Plan(
    name="half-day",
    title="Half a day: attention by hand, masks, and a model that you train",
    audience="People who write Python, have met a NumPy array, and want to know what attention does. Learners write one "
    "function of one line, and first read together the NumPy that it needs. No mathematics beyond exp and the dot product.",
    handouts=(PAPER_PAGE, PAPER_CHECK, CARDS),
    ready=("00.ready.dot_product", "00.ready.matrix_shape", "00.ready.exp", "00.ready.axis"),
    items=(
        OPENING,
        START,
        replace(BY_HAND, run_silently=("What the matrices decide",), skip_if_late="Before you write your own"),
        STRETCH,
        Practise(
            lesson="02",
            exercises=("attention.by_hand", "attention.zero_token"),
            note="In pairs, with a pencil and a pocket calculator: nobody writes a program yet. Pairs who finish early also "
            "run “What the matrices decide” in the lesson.",
        ),
        Break(title="Break", minutes=15),
        masks(stop="Padding"),
        Practise(
            lesson="04",
            exercises=("attention.causal_by_hand", "attention.causal_mask"),
            if_time=("attention.late_mask",),
            note="Two short exercises: one on paper, and one line of code. The third is an input on which masking after "
            "softmax goes wrong.",
        ),
        Break(title="Break", minutes=10),
        TRAINING,
        Lead(
            lesson="15",
            start=SECOND_SITTING,
            stop="Change the source",
            skip_questions=("15.exit.whole_texts", "15.exit.same_output"),
            ends_with_summary=False,
            note="End with the map of a trained model: let the room find where the dark cells cross, and why.",
        ),
        TICKET,
        CLOSING,
    ),
)
