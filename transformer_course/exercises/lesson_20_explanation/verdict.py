"""Sheet 20: what alternative weights in a trained model show, and what they do not.

The table was measured with `experiments.alternative_weights` on the first two of the lesson's three long names, in float64; row C
is the first shuffle of seed 0. A test repeats the measurement.
"""

from ..kinds import TwoTier

verdict = TwoTier(
    id="explain.verdict",
    prompt="What follows from other weights with the same logits, read from a table of five runs.",
    right={"claim": "b", "reason": "a", "value": 4.42},
    why=(
        "In row B the largest weight is gone and the logits stay the same, so its size alone cannot be the reason for the "
        "answer."
    ),
    hints=(
        "Compare rows A and B. What is the same, and what is not? Then compare A and C.",
        "Claim c is about what a model could learn. Was a model trained in any of the rows?",
        "For the value, row D needs a control: weights that the model has certainly learned, borrowed in the same way.",
    ),
    mistakes={
        "any weights would do": (
            "Row C uses other weights too, and a logit moves by several points. So it is not true that *any* weights give "
            "the answer.",
            "What happened to the logits when the weights were shuffled?",
            {"claim": "a"},
        ),
        "a model could do it": (
            "That may be true or not; none of the rows shows it. The weights of row B were found for one text, with its "
            "values known. To find out whether a model could learn to compute such weights, you would have to train one.",
            "Compare only rows A and B. What do they show about the letter V?",
            {"claim": "c"},
        ),
        "the largest weight is the reason": (
            "In row B, this head gives the letter V no weight, and the logits stay the same. The logits do depend on the "
            "weights (row C), but that does not make this one weight the reason.",
            "What happens to the answer without this weight?",
            {"claim": "d"},
        ),
        "they matter, so they explain": (
            "Row C shows that weights matter. That would support the opposite claim just as well: it does not show that the "
            "weight on V can be taken away.",
            "In which row is the weight on V gone, with the answer unchanged?",
            "b",
        ),
        "how it is computed": (
            "Each head mixes its values by its weights in every row, but that does not tell you whether other weights would "
            "have given the same output.",
            "Which row has other weights and the same result?",
            "c",
        ),
        "the same weights after all": (
            "But equal logits do not need equal weights: 0.084 and 0.000 differ by far more than rounding.",
            "Look at the last column of rows A and B.",
            "d",
        ),
        "the number in question": (
            "4.58 is the number in the quotation itself. It has to be compared with weights that the model *did* learn, used "
            "in the same way.",
            "Which other row is about the second name?",
            4.58,
        ),
        "the difference": (
            "0.16 is a difference between two numbers of the table. The exercise asks for one of the numbers themselves.",
            "Of the two numbers that you subtracted, which one is the control for row D?",
            0.16,
        ),
        "the shuffled ones": (
            "4.40 speaks against claim a: it is not true that any weights will do. The exercise asks for a control for row "
            "D: learned weights, used on a different text.",
            "Which other row is about the second name?",
            4.4,
        ),
        "the weight itself": (
            "0.084 is a weight, from the last column. The exercise asks for a change of a logit.",
            "Which row measures, on the second name, weights that the model did learn?",
            0.084,
        ),
        "nothing moved": (
            "But the 0.00 is from the first name, and it tells you nothing about the second, where the weights of row B did "
            "harm.",
            "Which other row is about the second name?",
            0.0,
        ),
    },
)
