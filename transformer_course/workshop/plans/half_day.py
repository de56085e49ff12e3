"""Half a day: lessons 00, 02 and 04, an attention head of one's own, and the training in 15."""

from dataclasses import replace

from ..sessions import Break, Plan, Practise
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
    title="Half a day: attention by hand and in code, masks, and a model that you train",
    audience=(
        "People who write Python, have used NumPy arrays, and want to know what attention does. They will write an attention "
        "head of about five lines, once the NumPy that it needs has been explained. The only mathematics is exp, log and the "
        "dot product."
    ),
    handouts=(PAPER_PAGE, PAPER_CHECK, CARDS),
    ready=("00.ready.dot_product", "00.ready.matrix_shape", "00.ready.exp", "00.ready.axis"),
    items=(
        OPENING,
        replace(
            START,
            cut=(*START.cut, "predict"),
            note="Everybody opens the lesson and runs its first cells, then types a number of their own. If a laptop fails, "
            "its owner joins a neighbour or uses a page from if-a-laptop-fails. How to guess comes with the first question "
            "of the next lesson: everybody commits to a guess, then everybody runs the cell.",
        ),
        replace(
            BY_HAND,
            run_silently=("missing-row",),
            skip_if_late="large-scores",
            note=f"{BY_HAND.note}\n\nWhen everybody runs “The missing row”, say what the last take-away calls a symmetry: "
            "“Swap the two columns of X, and red and car change places. So the new car must be the new red with its numbers "
            "swapped, and a table in which it isn't is wrong.” With “What the matrices decide”, answer the question that the "
            "lesson began with: with this key matrix, orange takes most from car, so it is a fruit.",
        ),
        Break(title="Break", minutes=10),
        Practise(
            lesson="02",
            exercises=("attention.self_attention",),
            if_time=("attention.hidden_fault",),
            if_more="sheet B",
            note="In pairs: one types, the other says what to type. This is the attention head that everybody takes home. The "
            "three lines of “All three rows at once” are the model for it. New are the batch, and that some scores are near "
            "1000: subtract each row's largest score first (“Before you write your own”; say it if you ran that part without "
            "comment). Let the check respond first. A pair that has nothing after five minutes unfolds the first hint. Pairs "
            "who finish early look for the bug in exercise 3, then begin sheet B.",
        ),
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
            primer=3,
            note="One line of code. Read only the first two paragraphs of the NumPy text, and run their cells. Then say: a "
            "column and a row are compared in the same way, and `np.arange(n)` gives the numbers from 0 to n − 1. For those "
            "who finish early: exercise 1, on paper with the powers of e from sheet A, and exercise 3, an input on which "
            "masking after softmax goes wrong.",
        ),
        Break(title="Break", minutes=10),
        BRIDGE,
        TRAINING,
        TICKET,
        CLOSING,
    ),
)
