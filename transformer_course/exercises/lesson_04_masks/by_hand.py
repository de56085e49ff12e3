"""Sheet 04, with pencil and paper: one row of scores under the causal mask."""

import numpy as np

from ..families import adapted, named
from ..families.attention import masking
from ..families.mask import CAUSAL, MASK
from ..families.softmax import SOFTMAX, exp_0_lost, other_scores
from ..kinds import Number
from ..toolkit import known, softmax

TABLE = np.array([[1.0, 3.0, 0.0, 2.0], [0.0, 1.0, 2.0, 3.0], [2.0, 0.0, 3.0, 4.0], [1.0, 2.0, 0.0, 1.0]])  # as in the sheet
ROW = TABLE[2]  # of token 3, which may attend to the first three


def _first(scores, allowed: int):
    """The weights of a row that may attend to its first tokens only."""
    return softmax(np.where(np.arange(4) < allowed, scores, -np.inf))


causal_by_hand = Number(
    id="attention.causal_by_hand",
    answer_name="weights_3",
    prompt="The weights of token 3 under the causal mask, from a matrix of scores.",
    value=_first(ROW, 3),
    atol=1.5e-4,
    labels=("token 1", "token 2", "token 3", "token 4"),
    why=("A score of −∞ becomes a weight of exactly 0, and softmax distributes the whole weight among the remaining tokens."),
    hints=(
        "Which of the four tokens may token 3 attend to? Itself and everything before it.",
        "Its scores are 2, 0, 3 and 4. The last one becomes −∞ before softmax. What is exp(−∞)?",
        "7.389 + 1 + 20.086 + 0 = 28.475. Divide each of the four by this sum.",
    ),
    mistakes={
        **adapted(
            CAUSAL,
            lambda mask: masking()(ROW, mask(4)[2]),
            but=("one step too far", "along the other diagonal", "everything forbidden"),
        ),
        **adapted(named(MASK, "masked after softmax", "score 0 in place of −∞"), lambda weigh: weigh(ROW, np.arange(4) < 3)),
        **adapted(named(SOFTMAX, "scores divided by their sum"), lambda weigh: [*weigh(ROW[:3]), 0.0]),
        "scaled by √d": (
            "You divided the scores by 2. The table already gives the scores that go into softmax.",
            "Leave the scores as they are: 2, 0 and 3.",
            _first(ROW / 2, 3),
            _first(ROW / np.sqrt(2), 3),
        ),
        "only three numbers": (
            "Your three weights are right, but the fourth is missing. Token 4 is masked, but it keeps its place in the row.",
            "What is exp(−∞), divided by anything?",
            _first(ROW, 3)[:3],
        ),
        "the column in place of the row": (
            "You used the scores of the third column, which say how well the others match the key of token 3. The "
            "scores of token 3 are in its row.",
            "Read along the row that begins with “token 3”: 2, 0, 3, 4.",
            _first(TABLE[:, 2], 3),
            softmax(TABLE[:, 2]),
            softmax(np.where(np.arange(4) < 2, -np.inf, TABLE[:, 2])),
        ),
        "another token's row": (
            "You gave the weights of a different token. Token 3 has the third row of the table.",
            "Read along the row that begins with “token 3”: 2, 0, 3, 4.",
            _first(TABLE[3], 4),
            _first(TABLE[1], 2),
            _first(TABLE[3], 3),
            _first(TABLE[1], 3),
        ),
        "exp(0) lost": exp_0_lost(np.array([2.0, 0.0, 3.0, -np.inf])),
        "another order": known(
            "You found the right four numbers, but their order is wrong.",
            "First give the weight that token 3 gives to token 1, then to token 2, to itself, and to token 4.",
            [0.0, *_first(ROW, 3)[:3]],
            recognise=lambda seen: np.allclose(np.sort(seen), np.sort(_first(ROW, 3)), atol=1.5e-4),
        ),
        "not divided by the sum": known(
            "You gave the exponentials, correctly masked. But the weights of a row sum to 1.",
            "Add the exponentials up, and divide each by the sum.",
            np.exp([2.0, 0.0, 3.0, -np.inf]),
            recognise=lambda seen: np.allclose(seen, np.exp([2.0, 0.0, 3.0, -np.inf]), rtol=1e-2, atol=1e-6),
        ),
        "the masked scores": (
            "You gave the masked row of scores, before softmax. Two more steps turn it into weights.",
            "Take exp of each of the four, and divide each by the sum.",
            [2.0, 0.0, 3.0, -np.inf],
            [2.0, 0.0, 3.0, 0.0],
        ),
        "other scores": other_scores(np.array([2.0, 0.0, 3.0, -np.inf]), "Read the row of token 3 once more: 2, 0 and 3."),
    },
)
