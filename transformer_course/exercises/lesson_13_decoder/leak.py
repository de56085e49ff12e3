"""Sheet 13: what a table says about a decoder that was trained without its mask.

The table was measured with `experiments.sorting`, seed 1: rows A and B are that of the lesson, in C the model of row B is
measured with the mask, and D are `majority_baseline`. A test measures again.
"""

from ..exercise import Mistake
from ..kinds import TwoTier

leak = TwoTier(
    id="decoder.leak",
    answer_name="verdict",
    prompt="What a decoder without mask has learned: read it from what is left when later tokens are hidden.",
    right={"claim": "b", "reason": "c", "value": 0.35},
    choices={"claim": "abcd", "reason": "abcd"},
    atol=0.006,
    why="The same weights lose most of their accuracy once later tokens are hidden, so they had copied from them.",
    hints=(
        "Which two rows differ in one thing alone?",
        "From B to C, source and weights stay, and so do the tokens up to each place. What is taken away?",
    ),
    mistakes=(
        Mistake(
            "the best marks",
            "Row B has the best share in the third column. But it was allowed to see what it was asked for; where it is not, in row C or "
            "alone, little is left.",
            "What does the same model do in row C?",
            {"claim": "a"},
        ),
        Mistake(
            "too little training",
            "Both were trained equally long, and shown the target the second is right in all places: of what it was asked in training it has "
            "learned everything. More steps would not change what it is asked.",
            "What would its loss have been, with 1.00 right?",
            {"claim": "c"},
        ),
        Mistake(
            "nothing can be said",
            "It is one seed, and for how *large* the harm is one would want several (the lesson has three). But rows B and C are the same "
            "model on the same digits: what differs between them is no accident of training.",
            "What is the only difference between rows B and C?",
            {"claim": "d"},
        ),
        Mistake(
            "more is not the reason",
            "The claim fits. That 1.00 is more than 0.98 is so, but a model that sorts well could reach it too. It does not show *how* it was "
            "reached.",
            "Which rows show what happens when later tokens are taken away?",
            {"claim": "b", "reason": "a"},
        ),
        Mistake(
            "like one who never reads",
            "The claim fits. That row B alone is near row D, or below it, says that it does badly by itself. But a model can do badly alone "
            "for many reasons, its own earlier mistakes among them; it does not show what it relied on.",
            "Which rows differ in one thing alone, with the right digits shown in both?",
            {"claim": "b", "reason": "b"},
        ),
        Mistake(
            "another model",
            "The claim fits. But A and B are two models, trained differently, and each has good marks when it is shown the target. That "
            "does not tell what B's marks rest on.",
            "Is there a pair of rows with the same weights?",
            {"claim": "b", "reason": "d"},
        ),
        Mistake(
            "the share alone",
            "Your claim and reason are both right. But 0.24 is measured while the model reads its own mistakes, so "
            "two things differ from row B.",
            "You need the fraction with the right digits given and the later ones hidden: third column.",
            {"claim": "b", "reason": "c", "value": 0.24},
        ),
        Mistake(
            "the share that is explained",
            "Claim and reason are right. 1.00 is the share that is to be explained. The exercise asks for what is left of it when later tokens are "
            "hidden.",
            "Same model, next row.",
            {"claim": "b", "reason": "c", "value": 1.0},
        ),
        Mistake(
            "the wrong row",
            "Claim and reason are right. 0.32 belongs to row D, which has no model at all.",
            "The model of row B, with the mask.",
            {"claim": "b", "reason": "c", "value": 0.32},
        ),
    ),
)
