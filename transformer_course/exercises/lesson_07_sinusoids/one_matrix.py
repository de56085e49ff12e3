"""Sheet 07: what a table of fitted matrices says, and what it does not.

The table was measured with `experiments.waves.shift_errors`, steps 2: every second start is fitted (47 of 94) or every
sixteenth (6). The random table is that of seed 0, the learned one that of the shipped GPT with pre-norm; a test measures again.
"""

from ..kinds import TwoTier

one_matrix = TwoTier(
    id="positions.one_matrix",
    prompt="What do fitted matrices say about tables of positions? Work it out from their errors on fitted and new starts.",
    right={"claim": "c", "reason": "b", "value": 4.28},
    why=(
        "Six starts can be fitted exactly in any table of width 8, so only the error at the other starts shows whether one "
        "matrix serves them all."
    ),
    hints=(
        "An 8 × 8 matrix has 8 numbers for each column of the result. How many starts can it fit exactly, whatever "
        "the table is?",
        "Compare rows B and C, which have the same table. Which of the four errors in these rows would you believe?",
        "A matrix that really moves *every* row two tokens further must also work for starts that it was not fitted to.",
    ),
    mistakes={
        "a perfect fit": (
            "Row B does show an error of 0.00, for six starts. With 8 dimensions, six starts can be fitted exactly "
            "in any table. The last column shows what such a matrix is worth.",
            "What does row C say about the same table?",
            {"claim": "a"},
        ),
        "better than random is not exact": (
            "The learned table does better than the random one. But its error on new starts is 0.53. So no matrix "
            "was found that works for every start.",
            "What would the last column be if one matrix worked for every start?",
            {"claim": "b"},
        ),
        "nothing can be said": (
            "It is true that least squares always returns a matrix. But its error on new starts can be measured, and "
            "it differs between these tables.",
            "Compare the last column of rows A, C and D.",
            {"claim": "d"},
        ),
        "the fit as a reason": (
            "The error on the fitted starts is indeed 0.00 in row A. But it is 0.00 in row B too, where it means nothing. So "
            "by itself it cannot be the reason.",
            "Which column tells A and B apart?",
            "a",
        ),
        "smoothness as a reason": (
            "Sinusoids are smooth, but that is no reason: a table with p² in one dimension is smooth as well, and its steps "
            "grow with p. Besides, the claim should rest on what was measured.",
            "Which reason is about the numbers in the table?",
            "c",
        ),
        "a reason for doubt": (
            "Each row is a single table, and to say how *large* the error of random tables is, you would need several seeds "
            "(the lesson has three). But that is a reason for caution, not for the claim.",
            "Which reason is about the numbers in the table?",
            "d",
        ),
        "another row's error": (
            "But this number belongs to row C or D. The exercise asks for the number that shows that the 0.00 in row B "
            "proves nothing.",
            "Look for the error of the same matrix on starts that it was not fitted to.",
            *(error for error in (1.13, 0.53, 0.21)),
        ),
        "its own 0.00": (
            "But 0.00 is the number in question. The exercise asks for the number that shows what it is worth.",
            "Look for the error of the same matrix on starts that it was not fitted to.",
            0.0,
        ),
        "the number of starts": (
            "The 0.00 proves nothing because there were only 6 starts. But the exercise asks for the printed *error* that "
            "shows this.",
            "Look for the error of the same matrix on starts that it was not fitted to.",
            6.0,
        ),
        "the error at fitted starts": (
            "But 0.87 is the error of row C at its own starts. It shows that 47 starts cannot be fitted exactly, but it says "
            "nothing about new ones.",
            "Look at the last column of row B.",
            0.87,
        ),
    },
)
