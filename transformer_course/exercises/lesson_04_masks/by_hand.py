"""Sheet 04, with pencil and paper: one row of scores under the causal mask."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Number
from ..toolkit import softmax

TABLE = np.array([[1.0, 3.0, 0.0, 2.0], [0.0, 1.0, 2.0, 3.0], [2.0, 0.0, 3.0, 4.0], [1.0, 2.0, 0.0, 1.0]])  # as in the sheet
ROW = TABLE[2]  # of token 3, which may attend to the first three


def _first(scores, allowed: int):
    """The weights of a row that may attend to its first tokens only."""
    return softmax(np.where(np.arange(4) < allowed, scores, -np.inf))


causal_by_hand = Number(
    id="attention.causal_by_hand",
    answer_name="weights_3",
    prompt="The weights of token 3 under the causal mask, from a table of scores.",
    value=_first(ROW, 3),
    atol=1.5e-4,
    labels=("token 1", "token 2", "token 3", "token 4"),
    why=(
        "A score of −∞ becomes a weight of exactly 0, and softmax distributes the whole weight among the tokens that are left."
    ),
    hints=(
        "Which of the four may token 3 attend to? Itself included, and nothing that comes later.",
        "Its scores are 2, 0, 3 and 4, and the last becomes −∞ before softmax. What is exp(−∞)?",
        "7.389 + 1 + 20.086 + 0 = 28.475. Divide each of the four by this sum.",
    ),
    mistakes=(
        Mistake(
            "token 4 not masked",
            "This row is not masked: token 4 still gets 0.6572 of the weight. Token 3 predicts what comes next, and must not see it.",
            "The causal mask lets token 3 attend to tokens 1, 2 and 3.",
            softmax(ROW),
        ),
        Mistake(
            "the diagonal excluded",
            "You hid token 3 from itself. The causal mask lets a token attend to itself: what it must not see is the next one.",
            "Three scores remain: 2, 0 and 3.",
            _first(ROW, 2),
        ),
        Mistake(
            "masked after softmax",
            "You took softmax over all four scores and then set the last weight to 0. The row sums to 0.3428 only, and the score "
            "of token 4 still stands in the sum below the fraction bar.",
            "Let the score become −∞ first, and take softmax then.",
            np.where(np.arange(4) < 3, softmax(ROW), 0),
        ),
        Mistake(
            "score 0 in place of −∞",
            "You gave token 4 the score 0. But exp(0) = 1, so it still takes a share, as much as token 2 does.",
            "Which score has an exponential of 0?",
            softmax(np.array([2.0, 0.0, 3.0, 0.0])),
        ),
        Mistake(
            "only three numbers",
            "Three right weights, and the fourth is missing. Token 4 is masked, but keeps its place in the row.",
            "What is exp(−∞), divided by anything?",
            _first(ROW, 3)[:3],
        ),
        Mistake(
            "the future in place of the past",
            "All the weight is on token 4, the only one that token 3 must not see. You masked the past, and it is the future that "
            "has to go.",
            "True in a mask means: may attend. For token 3 that is True, True, True, False.",
            [0.0, 0.0, 0.0, 1.0],
            variants=(softmax(np.array([-np.inf, -np.inf, 3.0, 4.0])),),
        ),
        Mistake(
            "the column in place of the row",
            "You used the scores of the third column: how well the others match token 3's key. Token 3's own scores stand in its row.",
            "Read along the row that begins with “token 3”: 2, 0, 3, 4.",
            _first(TABLE[:, 2], 3),
            variants=(softmax(TABLE[:, 2]), softmax(np.where(np.arange(4) < 2, -np.inf, TABLE[:, 2]))),
        ),
        Mistake(
            "another token's row",
            "These are the weights of another token. Token 3 has the third row of the table.",
            "Read along the row that begins with “token 3”: 2, 0, 3, 4.",
            _first(TABLE[3], 4),
            variants=(_first(TABLE[1], 2), _first(TABLE[3], 3), _first(TABLE[1], 3)),
        ),
        Mistake(
            "another order",
            "The right four numbers, in the wrong order.",
            "First the weight that token 3 gives to token 1, then to token 2, to itself, and to token 4.",
            [0.0, *_first(ROW, 3)[:3]],
            recognise=lambda seen: np.allclose(np.sort(seen), np.sort(_first(ROW, 3)), atol=1.5e-4),
        ),
        Mistake(
            "only itself",
            "All the weight is on token 3 itself. The causal mask hides what comes later, not what came before.",
            "The causal mask lets token 3 attend to tokens 1, 2 and 3.",
            [0.0, 0.0, 1.0, 0.0],
        ),
        Mistake(
            "not divided by the sum",
            "These are the exponentials, rightly masked. The weights of a row sum to 1.",
            "Add the exponentials up, and divide each by the sum.",
            np.exp([2.0, 0.0, 3.0, -np.inf]),
            recognise=lambda seen: np.allclose(seen, np.exp([2.0, 0.0, 3.0, -np.inf]), rtol=1e-2, atol=1e-6),
        ),
        Mistake(
            "the masked scores",
            "This is the masked row of scores, before softmax. Weights are made of it in two more steps.",
            "Take exp of each of the four, and divide each by the sum.",
            [2.0, 0.0, 3.0, -np.inf],
            variants=([2.0, 0.0, 3.0, 0.0],),
        ),
        Mistake(
            "shares of the scores",
            "These are the allowed scores divided by their sum. Softmax takes exp of each score first; that is why token 2, with "
            "a score of 0, still gets a weight.",
            "exp(2) = 7.389, exp(0) = 1, exp(3) = 20.086: now make these sum to 1.",
            [0.4, 0.0, 0.6, 0.0],
        ),
    ),
)
