"""Sheet 16: what of a model that writes is parallel.

A test counts the passes of the table again; the times were taken once, on one processor.
"""

from ..exercise import Mistake
from ..kinds import TwoTier

parallel = TwoTier(
    id="decoding.parallel",
    answer_name="verdict",
    prompt="A table of passes and times: what of reading and writing is parallel.",
    right={"claim": "c", "reason": "b", "value": 20},
    choices={"claim": "abcd", "reason": "abcd"},
    atol=0.5,
    why=(
        "The number of passes counts the sequential work: given tokens are read in one pass, and each generated token "
        "needs its own."
    ),
    hints=(
        "Compare rows that differ in one thing alone: B and C, C and D, C and E.",
        "Look down the column of passes. What has to be the same in two rows for their passes to be the same?",
        "For the value: how many passes would row D have, if what is given took a pass for each letter?",
    ),
    mistakes=(
        Mistake(
            "quick is not parallel",
            "What is kept spares work, and row C takes less than half the time of row B. It still has 60 passes, each of which waits for the "
            "one before.",
            "What is the same in rows B and C?",
            {"claim": "a"},
        ),
        Mistake(
            "side by side",
            "Row E writes 32 texts in less than four times the time of one: texts are written side by side. But each of them still takes 60 "
            "passes, one after the other, and none is ready sooner.",
            "How many passes lie between the first letter of a text and its last one?",
            {"claim": "b"},
        ),
        Mistake(
            "times alone",
            "The times do depend on the machine. The passes do not: they were counted.",
            "Look at the other column.",
            {"claim": "d"},
        ),
        Mistake(
            "time as a reason",
            "The claim fits. But that one row is quicker than another says only that it has less to do, and not that anything is done at "
            "the same time.",
            "Which column tells what has to wait for what?",
            {"reason": "a"},
        ),
        Mistake(
            "32 texts as a reason",
            "The claim fits. But row E is about several texts. That they are written side by side says nothing of the tokens of *one*.",
            "Which reason is about the letters of one text?",
            {"reason": "c"},
        ),
        Mistake(
            "row A alone",
            "The claim fits. But row A shows only that reading takes one pass. That writing takes many, and a given beginning none of its "
            "own, is in the other rows.",
            "Which reason speaks of all of them?",
            {"reason": "d"},
        ),
        Mistake(
            "the passes of a whole text",
            "Claim and reason are right. 60 is what writing all letters takes. It does not show how a given beginning is read.",
            "In which row is a beginning given?",
            {"value": 60},
        ),
        Mistake(
            "the letters that are given",
            "Claim and reason are right. 40 letters are given. This number says how many there are, and not how they were read.",
            "How many passes would row D have if each given letter took one, and how many has it?",
            {"value": 40},
        ),
        Mistake(
            "a text that is all given",
            "Claim and reason are right. Row A reads and does not write at all. The exercise asks for a row in which a beginning is given and the rest "
            "is written.",
            "Row D.",
            {"value": 1},
        ),
        Mistake(
            "a time as the number",
            "Claim and reason are right. But this is a time. That it is shorter might have many causes.",
            "Row D, passes.",
            {"value": 7},
        ),
    ),
)
