"""Sheet 07: what a table of fitted matrices says, and what it does not.

The table was measured with `experiments.waves.shift_errors`, steps 2: every second start is fitted (47 of 94) or every
sixteenth (6). The random table is that of seed 0, the learned one that of the shipped GPT with pre-norm; a test measures again.
"""

from ..exercise import Mistake
from ..kinds import TwoTier

one_matrix = TwoTier(
    id="positions.one_matrix",
    answer_name="verdict",
    prompt="What fitted matrices say about tables of positions: read it from their errors at old and new starts.",
    right={"claim": "c", "reason": "b", "value": 4.28},
    choices={"claim": "abcd", "reason": "abcd"},
    atol=0.006,
    why=(
        "Six starts can be fitted exactly in any table of width 8, so only the error at the other starts shows whether one "
        "matrix serves them all."
    ),
    hints=(
        "A matrix of 8 × 8 has 8 numbers for each column of the result. How many starts can it be made to fit, whatever the table is?",
        "Set rows B and C side by side: it is the same table. Which of the four errors in these rows would you believe?",
        "A matrix that *is* the step must work at starts that nobody has shown it.",
    ),
    mistakes=(
        Mistake(
            "a perfect fit",
            "Row B does show an error of 0.00, at six starts. With 8 dimensions, six starts can be fitted exactly in any table, and the last "
            "column says what such a matrix is worth.",
            "What does row C say of the same table?",
            {"claim": "a"},
        ),
        Mistake(
            "better than random is not exact",
            "The learned table does better than the random one. But a step that is missed by a half at new starts is not the same from "
            "every start.",
            "What would the last column be if one matrix were the step from every start?",
            {"claim": "b"},
        ),
        Mistake(
            "nothing can be said",
            "That least squares always returns a matrix is so. But its error at new starts can be measured, and it differs between these "
            "tables.",
            "Compare the last column of rows A, C and D.",
            {"claim": "d"},
        ),
        Mistake(
            "the fit as a reason",
            "The claim fits. That error at the fitted starts is 0.00 in row A is so, but it is 0.00 in row B too, where it means nothing. So "
            "by itself it cannot be the reason.",
            "Which column tells A and B apart?",
            {"claim": "c", "reason": "a"},
        ),
        Mistake(
            "smoothness as a reason",
            "The claim fits. Sinusoids are smooth, but that is no reason: a table with p² in a dimension is smooth as well, and its "
            "steps grow with p. And the claim should rest on what was measured.",
            "Which reason speaks of what stands in the table?",
            {"claim": "c", "reason": "c"},
        ),
        Mistake(
            "a reason for doubt",
            "The claim fits. Each row is one table, and for how *much* random tables miss one would want several seeds (the lesson has "
            "three). But that is a reason for caution, not for the claim.",
            "Which reason speaks of what stands in the table?",
            {"claim": "c", "reason": "d"},
        ),
        Mistake(
            "the error of the larger fit",
            "Claim and reason are right. This number belongs to row C. The exercise asks for what shows that the 0.00 of row B means nothing.",
            "The same matrix, at starts that it was not fitted to.",
            {"claim": "c", "reason": "b", "value": 1.13},
        ),
        Mistake(
            "its own 0.00",
            "Claim and reason are right. 0.00 is the number that is in question. The exercise asks for the one that shows what it is worth.",
            "The same matrix, at starts that it was not fitted to.",
            {"claim": "c", "reason": "b", "value": 0.0},
        ),
        Mistake(
            "the error at fitted starts",
            "Your claim and reason are both right. But 0.87 is the error of row C at its own starts. It shows that "
            "more starts cannot be fitted, and nothing about new ones.",
            "Row B, last column.",
            {"claim": "c", "reason": "b", "value": 0.87},
        ),
    ),
)
