"""Sheet 16: which part of generating is parallel.

A test counts the passes of the table again; the times were measured once, on one processor.
"""

from ..kinds import TwoTier

parallel = TwoTier(
    id="decoding.parallel",
    prompt="A table of passes and times: which parts of reading and generating are parallel.",
    right={"claim": "c", "reason": "b", "value": 20},
    atol=0.5,
    why=(
        "The number of passes measures the sequential work: a prompt is read in one pass, and each generated token "
        "needs its own."
    ),
    hints=(
        "Compare rows that differ in only one thing: B and C, C and D, C and E.",
        "Look down the column of passes. What do rows with the same number of passes have in common?",
        "For the value: how many passes would row D need if each letter of the prompt took one?",
    ),
    mistakes={
        "fast is not parallel": (
            "The cache saves work, and row C takes less than half the time of row B. But it still has 60 passes, and each of "
            "them waits for the one before.",
            "What is the same in rows B and C?",
            {"claim": "a"},
        ),
        "side by side": (
            "Row E generates 32 texts in less than four times the time of one, because the *texts* are generated side by "
            "side. But each of them still takes 60 passes, one after another, and none is finished sooner.",
            "How many passes lie between the first letter of a text and its last one?",
            {"claim": "b"},
        ),
        "only the times": (
            "The times do depend on the machine. The passes do not: they were counted.",
            "Look at the column of passes.",
            {"claim": "d"},
        ),
        "time as a reason": (
            "But a row that takes less time may simply have less to do. It does not show that anything happens at the same "
            "time.",
            "Which column shows what has to wait for what?",
            "a",
        ),
        "32 texts as a reason": (
            "But row E is about several texts. It says nothing about the letters of *one* text.",
            "Which reason is about the letters of a single text?",
            "c",
        ),
        "only row A": (
            "But row A shows only that reading takes one pass. The passes for generating, and for a prompt, are in the other "
            "rows.",
            "Which reason is about all of the rows?",
            "d",
        ),
        "the passes of a whole text": (
            "But 60 passes are needed to generate all letters, without a prompt.",
            "Which row has a prompt?",
            60,
        ),
        "the letters of the prompt": (
            "But 40 is the number of letters in the prompt. It does not say how they were read.",
            "How many passes would row D need if each letter of the prompt took one? How many does it have?",
            40,
        ),
        "a text that is only read": (
            "But row A generates nothing. The question is about the prompt in row D.",
            "Look at the passes of row D.",
            1,
        ),
        "a time as the number": (
            "But this is a time. It depends on the machine, and a shorter one can have many causes.",
            "Which row has a prompt? Look at its passes.",
            *(seconds for seconds in (7, 19, 48, 69)),
        ),
    },
)
