"""Sheet 20: what twins of a trained model's weights show, and what they do not.

The table was measured with `experiments.alternative_weights` on the first two of the lesson's three long names, in float64; row C
is the first shuffle of seed 0. A test repeats the measurement.
"""

from ..exercise import Mistake
from ..kinds import TwoTier

verdict = TwoTier(
    id="explain.verdict",
    answer_name="verdict",
    prompt="What follows from other weights with the same logits: read it from a table of five runs.",
    right={"claim": "b", "reason": "a", "value": 4.42},
    choices={"claim": "abcd", "reason": "abcd"},
    atol=0.006,
    why="In row B the largest weight is gone and the logits stay, so its size alone cannot be the reason for the answer.",
    hints=(
        "Compare rows A and B: what is the same, and what is not? Then A and C.",
        "Claim c is about what a model could learn. Has any of the rows trained a model?",
        "For the value: what row D lacks is a control, weights that the model surely has learned, borrowed in the same way.",
    ),
    mistakes=(
        Mistake(
            "any weights would do",
            "In row C other weights are used as well, and the logits move by several points. Not *any* row of weights gives the answer, only "
            "certain others.",
            "What became of the logits when the weights were shuffled?",
            {"claim": "a"},
        ),
        Mistake(
            "a model could do it",
            "It may be so, or not: no row says. The weights of row B were found for one text, with its values in hand. Whether a model could "
            "learn to make such weights for all texts can be told by training one.",
            "Compare rows A and B alone: what do they show of the letter V?",
            {"claim": "c"},
        ),
        Mistake(
            "the largest weight is the reason",
            "In row B the letter V gets nothing from this head, and the logits stay. That the logits depend on the weights (row C) does not "
            "make this one weight the reason.",
            "What happens to the answer without this weight?",
            {"claim": "d"},
        ),
        Mistake(
            "they matter, so they explain",
            "The claim fits. Row C shows that weights matter. But that would go well with the opposite claim too: it does not show that V "
            "can be spared.",
            "Which row takes the weight away from V and keeps the answer?",
            {"reason": "b"},
        ),
        Mistake(
            "how it is computed",
            "The claim fits. That a head mixes by its weights is so in each row; it does not say whether other weights would have given the "
            "same.",
            "Which row shows other weights with the same result?",
            {"reason": "c"},
        ),
        Mistake(
            "the same weights after all",
            "The claim fits. But equal logits do not make equal weights: 0.084 and 0.000 differ far beyond rounding. That is just the point.",
            "Look at the last column of rows A and B.",
            {"reason": "d"},
        ),
        Mistake(
            "the number in question",
            "Claim and reason are right. This is the number that is quoted. It needs a control: weights that the model *did* learn, in the "
            "same place.",
            "Which other row is about the second name?",
            {"value": 4.58},
        ),
        Mistake(
            "the shuffled ones",
            "Claim and reason are right. This number refutes claim a: not any weights will do. The exercise asks for a control for row D: learned "
            "weights, on another text.",
            "Which other row is about the second name?",
            {"value": 4.4},
        ),
        Mistake(
            "the weight itself",
            "Claim and reason are right. This is a weight, of the last column. The exercise asks for a change of a logit, on the second name, made by "
            "weights that the model did learn.",
            "Which other row is about the second name?",
            {"value": 0.084},
        ),
        Mistake(
            "nothing moved",
            "Claim and reason are right. That nothing moves on the first name says nothing about the second one, and it is there that the "
            "twins did harm.",
            "Which other row is about the second name?",
            {"value": 0.0},
        ),
    ),
)
