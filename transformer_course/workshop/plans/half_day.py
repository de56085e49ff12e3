"""Half a day: lessons 00, 02, 04 and the first sitting of 15."""

from dataclasses import replace

from ..sessions import Break, Plan, Practise
from .shared import BY_HAND, PAPER_PAGE, START, STRETCH, TICKET, masks, training

HALF_DAY = Plan(
    name="half-day",
    title="Half a day: attention by hand, masks, and a model that you train",
    audience="People who write Python, have met a NumPy array, and want to know what attention does. Learners write one "
    "function of one line, and first read together the NumPy that it needs. Three and a half hours, including breaks. No "
    "mathematics beyond exp and the dot product.",
    handouts=(PAPER_PAGE,),
    items=(
        START,
        replace(
            BY_HAND,
            minutes=50,
            run_silently=("All three rows at once",),
            skip_if_late="What the matrices decide",
            skip_questions=("02.exit.returned_weight",),
        ),
        STRETCH,
        Practise(
            lesson="02",
            minutes=17,
            exercises=("attention.by_hand", "attention.zero_token", "attention.wrong_row"),
            note="In pairs, with a pencil and a pocket calculator: nobody writes a program yet. Pairs who finish early read "
            "“All three rows at once” in the lesson, then write softmax (3).",
        ),
        Break(title="Break", minutes=15),
        masks(
            35,
            skip_if_late="Padding",
            stop="Two ways to call attention",
            skip_questions=("04.exit.two_meanings",),
        ),
        Practise(
            lesson="04",
            minutes=23,
            exercises=("attention.causal_by_hand", "attention.causal_mask", "attention.late_mask"),
            note="Three short exercises: one on paper, one line of code, and an input on which masking after softmax goes "
            "wrong.",
        ),
        Break(title="Break", minutes=10),
        training(30),
        TICKET,
    ),
)
