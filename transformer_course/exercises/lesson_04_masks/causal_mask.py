"""Sheet 04: the causal mask of any number of tokens."""

import numpy as np

from ..families import adapted
from ..families.mask import ADDITIVE, CAUSAL, causal_mask
from ..kinds import Implement

attention_causal_mask = Implement(
    id="attention.causal_mask",
    answer_name="causal_mask",
    prompt="The causal mask of n tokens, (n, n), boolean, True = may attend.",
    reference=causal_mask,
    draw=lambda rng: [[3], [1], [int(rng.integers(4, 7))], [int(rng.integers(7, 13))], [140]],  # no fixed size is enough
    alternatives=(lambda n: [[j <= i for j in range(n)] for i in range(n)], lambda n: np.arange(n)[:, None] >= np.arange(n)),
    why=(
        "Query i may attend to key j exactly when j ≤ i, and comparing a column of positions with a row of positions tests "
        "all pairs at once."
    ),
    hints=(
        "Row i belongs to query i, and column j to key j. First write down the mask of three tokens. Which of its "
        "nine entries are True?",
        "Token i may attend to token j if j is not larger than i.",
        "Compare all the row numbers as a column, np.arange(n)[:, None], with all the column numbers, np.arange(n). "
        "This gives the whole matrix at once.",
    ),
    mistakes={
        **adapted(CAUSAL, lambda mask: mask),
        **adapted([ADDITIVE], lambda form: lambda n: form(causal_mask(n))),
        "too many axes": (
            "Your mask is right, but has one axis too many. It does not need one for the batch: broadcasting "
            "stretches (n, n) over every batch and every head.",
            "Return shape (n, n).",
            lambda n: causal_mask(n)[None],
            lambda n: causal_mask(n)[None, None],
            lambda n: causal_mask(n)[..., None],
        ),
        "one row": (
            "You returned a single row of n answers, because you compared each number with itself. The mask has an "
            "answer for every pair of a query and a key, n × n of them.",
            "To compare every row number with every column number, turn one of the two into a column with [:, None].",
            lambda n: np.arange(n) <= np.arange(n),
            lambda n: np.arange(n) < np.arange(n),
        ),
    },
)
