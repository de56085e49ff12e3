"""Sheet 20: what twins of a trained model's weights show, and what they do not.

The table was measured with `experiments.twin_maps` on the first two of the lesson's three long names, in float64; row C is the
first shuffle of seed 0. A test measures again.
"""

from ..exercise import Mistake
from ..kinds import TwoTier

verdict = TwoTier(
    id="explain.verdict",
    answer="verdict",
    asks="What follows from other weights with the same logits: read it from a table of four runs.",
    minutes=7,
    right={"claim": "b", "reason": "a", "value": 4.58},
    choices={"claim": "abcd", "reason": "abcd"},
    atol=0.006,
    hints=(
        "Compare rows A and B: what is the same, and what is not? Then A and C.",
        "Row D uses B's weights on another text. Would a way to attend that a model has learned change its logits there?",
        "For the value: claim c is about other texts. Which row is?",
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
            "The weights of row B were made for one text, with its values in hand. On another text, in row D, they spoil the logits. A model "
            "that attends so on all texts was not shown.",
            "What does row D say?",
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
            "the shuffled ones",
            "Claim and reason are right. This number refutes claim a: not any weights will do. Claim c is about the weights of row B, on "
            "other texts.",
            "Which row uses the weights of row B somewhere else?",
            {"value": 4.4},
        ),
        Mistake(
            "the weight itself",
            "Claim and reason are right. This number belongs to the first name. Claim c is about attending like that on all texts.",
            "Which row is about another text?",
            {"value": 0.084},
        ),
        Mistake(
            "nothing moved",
            "Claim and reason are right. That nothing moves in row B speaks *for* the weights of row B. Asked is what speaks against them as a "
            "way to attend.",
            "Which row is about another text?",
            {"value": 0.0},
        ),
    ),
)
