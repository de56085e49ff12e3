"""Half a day: lessons 00, 02 and 04, the training in 15, and a look at a trained attention map."""

from dataclasses import replace

from ..sessions import Break, Lead, Plan, Practise
from .talks_and_breaks import (
    BRIDGE,
    BY_HAND,
    CARDS,
    CLOSING,
    OPENING,
    PAPER_CHECK,
    PAPER_PAGE,
    START,
    TICKET,
    TRAINING,
    masks,
)

HALF_DAY = Plan(
    name="half-day",
    title="Half a day: attention by hand, masks, and a model that you train",
    audience=(
        "People who write Python, have used NumPy arrays, and want to know what attention does. They will write a one-line "
        "function, once the NumPy that it needs has been explained. The only mathematics is exp, log and the dot product."
    ),
    handouts=(PAPER_PAGE, PAPER_CHECK, CARDS),
    ready=("00.ready.dot_product", "00.ready.matrix_shape", "00.ready.exp", "00.ready.axis"),
    items=(
        OPENING,
        START,
        replace(
            BY_HAND,
            run_silently=("matrices",),
            skip_if_late="large-scores",
            skip_questions=("02.exit.row_sums", "02.exit.other_values"),
        ),
        Practise(
            lesson="02",
            exercises=("attention.by_hand",),
            if_time=("attention.zero_token",),
            note="In pairs, with a pencil and a pocket calculator: nobody writes a program yet. A calculator without exp will "
            "do, because the powers of e are at the top of sheet A. Pairs who finish early do exercise 2, then begin sheet B.",
        ),
        Break(title="Break", minutes=15),
        replace(
            masks(stop="padding"),
            note="In “The other place for a mask”, let people argue before they run the cell: the zeros in the table are in "
            "the right places, but the future still leaks in. If you are late, run the cells below “Now take six random "
            "tokens” without comment. (In “Predicting the next token”, the "
            "schematic also shows a division by √d_k. It comes in lesson 03, and this workshop leaves out both.)",
            skip_questions=("04.exit.padding_shape", "04.exit.two_meanings"),
        ),
        Practise(
            lesson="04",
            exercises=("attention.causal_mask",),
            if_time=("attention.causal_by_hand", "attention.late_mask"),
            note="One line of code. Read only the first two paragraphs of the NumPy text, and run their cells. Then say: a "
            "column and a row are compared in the same way, and `np.arange(n)` gives the numbers from 0 to n − 1. For those "
            "who finish early: exercise 1, on paper with the powers of e from sheet A, and exercise 3, an input on which "
            "masking after softmax goes wrong.",
        ),
        Break(title="Break", minutes=10),
        BRIDGE,
        TRAINING,
        Lead(
            lesson="15",
            start="attention-map",
            stop="change-source",
            skip_questions=("15.exit.whole_texts", "15.exit.same_output"),
            ends_with_summary=False,
            note="End with the map, and ask which rows look at the right-hand end of the text, which at the left, and why. If "
            "you are late, run this part on the projector only.",
        ),
        TICKET,
        CLOSING,
    ),
)
