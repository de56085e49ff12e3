"""Sheet 08: what it does for a rotary model to see the last 20 tokens alone.

The table was measured with `experiments.lengths`, seed 0: `train_copier("rotary", task)`, and `accuracy` with a window of 80
and of 20. A test measures again.
"""

from ..exercise import Mistake
from ..kinds import TwoTier

sight = TwoTier(
    id="positions.sight",
    answer_name="verdict",
    prompt="For which tasks a rotary model does better on long texts when it sees the last tokens alone: read it from a table.",
    right={"claim": "b", "reason": "c", "value": 80},
    choices={"claim": "abcd", "reason": "abcd"},
    atol=0.01,
    why=(
        "Cutting off the distance helps only if the token needed is still within sight, because a model cannot use what it "
        "does not see."
    ),
    hints=(
        "Compare A with B, and C with D. What does the cut do to each task?",
        "In B and in D, no distance is new. So why does D fail all the same? Where is the token that it is asked for?",
        "Count the tokens from position 0 up to position 79, both included.",
    ),
    mistakes=(
        Mistake(
            "one task for all",
            "So it is in B. But D is cut in the same way, and fails.",
            "What is asked in rows C and D, and can it be seen?",
            {"claim": "a"},
        ),
        Mistake(
            "less sight, less skill",
            "Where the token that is asked for is in sight, it is the reverse: B is better than A, and sees less.",
            "What may go wrong for a token that sees 80 others, when it has learned with 20?",
            {"claim": "c"},
        ),
        Mistake(
            "no difference seen",
            "From A to B the cut lifts 0.76 to 1.00. In C and D it makes no difference; but that these two agree has two causes, one for "
            "each row.",
            "Why does C fail? And D?",
            {"claim": "d"},
        ),
        Mistake(
            "a success as the only reason",
            "The claim fits. But B alone would fit claim a as well. The reason must say what B has and D has not.",
            "In B and in D, no distance is new. What else is needed?",
            {"claim": "b", "reason": "a"},
        ),
        Mistake(
            "distances alone",
            "The claim fits. That rotary positions know differences alone is so, in all four rows. It does not tell B from D.",
            "In which of these rows is the token in sight that is asked for?",
            {"claim": "b", "reason": "b"},
        ),
        Mistake(
            "the cut does nothing",
            "The claim fits. C and D agree, but not because the cut did nothing: C sees the first token and does not recognise it at a new "
            "distance; D does not even see it.",
            "What do A and B say of this reason?",
            {"claim": "b", "reason": "d"},
        ),
        Mistake(
            "the distance, not the sight",
            "Claim and reason are right. 79 is the *distance* to the first token. The sight counts the token itself too: a sight of 20 "
            "reaches 19 back.",
            "A sight of 1 would be the token itself alone.",
            {"claim": "b", "reason": "c", "value": 79},
        ),
        Mistake(
            "what training had",
            "Claim and reason are right. 20 is the sight that it has now, and from position 79 this reaches back to 60 only.",
            "The first token stands at position 0.",
            {"claim": "b", "reason": "c", "value": 20},
        ),
        Mistake(
            "from here to the edge",
            "Claim and reason are right. So many tokens lie between what is in sight and the end of the text, but the first token of all "
            "is to be seen.",
            "Count from position 0 to position 79, both included.",
            {"claim": "b", "reason": "c", "value": 60},
        ),
    ),
)
