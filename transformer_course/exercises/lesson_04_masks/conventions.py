"""Sheet 04, with pencil and paper: a mask that is read the other way."""

from ..exercise import Mistake
from ..kinds import TwoTier

two_conventions = TwoTier(
    id="attention.two_conventions",
    answer_name="verdict",
    prompt="What comes of a causal mask in a layer that reads True the other way.",
    right={"claim": "b", "reason": "a", "value": 0.5},
    choices={"claim": "abcd", "reason": "abcd"},
    atol=6e-3,
    why=(
        "Reversing the mask swaps what is allowed and what is forbidden, so token 1 sees only the future and the last "
        "token sees nothing."
    ),
    hints=(
        "Write the causal mask of three tokens down, nine letters T and F, and then read each T as “may not”.",
        "Token 1 has T F F, and may now attend to tokens 2 and 3. Go on with tokens 2 and 3: what is left for each?",
        "Token 3 has T T T: nothing is left for it. And token 1 shares its weight out equally between tokens 2 and 3.",
    ),
    mistakes=(
        Mistake(
            "nobody is left without a key",
            "A mask the other way round is more than a mirror image of it. The causal mask allows the diagonal, so the opposite "
            "forbids it: look at what is left for the last token.",
            "Token 3 has T T T in the causal mask. Read each as “may not”.",
            {"claim": "c", "reason": "c"},
        ),
        Mistake(
            "all three outputs",
            "Softmax works on each row by itself. A row that has lost all its keys spoils its own output, and not those of tokens "
            "that still have some.",
            "Write the three rows down one by one, and look for a row without a single “may”.",
            {"claim": "d"},
        ),
        Mistake(
            "the first token",
            "Under a right causal mask, T F F, token 1 has the least to look at: itself alone. Read the other way, it may not attend "
            "to itself, but to tokens 2 and 3 it may. So it has weights.",
            "Do the same with T T F and T T T: for whom is nothing left?",
            {"claim": "a"},
        ),
        Mistake(
            "no output is NaN",
            "One row forbids every key. Each of its scores becomes −∞, and softmax cannot make shares that sum to 1 of "
            "nothing.",
            "Token 3 has T T T in the causal mask. Read each as “may not”.",
            {"claim": "c"},
        ),
        Mistake(
            "NaN because it sees the future",
            "To look at a later token gives a number like any other; it is cheating, but nothing that softmax would notice. NaN "
            "needs another reason.",
            "Which row has lost all its keys?",
            {"reason": "b"},
        ),
        Mistake(
            "a mirror image",
            "The opposite of the causal mask is not its mirror image: the diagonal changes from True to False as well. And so one "
            "row has no key left, and does not sum to 1.",
            "Look at the last row: T T T, each read as “may not”.",
            {"reason": "c"},
        ),
        Mistake(
            "torch would notice",
            "torch cannot know which way you meant it: both are arrays of True and False of the same shape. Nothing is raised, and "
            "that is what makes this slip so unpleasant.",
            "What does softmax make of a row in which every score is −∞?",
            {"reason": "d"},
        ),
        Mistake(
            "token 1 attends to itself too",
            "Claim and reason are right. A third would be the weight if token 1 saw all three tokens. The True for itself now "
            "hides it from itself.",
            "Two equal scores are left in the first row.",
            {"claim": "b", "reason": "a", "value": 1 / 3},
        ),
        Mistake(
            "the weight as it should be",
            "Claim and reason are right. 0 is the weight as it should be, under the causal mask. The exercise asks for the one that comes of "
            "reading it the other way.",
            "Under T F F, read as “may not”, which keys are left for token 1?",
            {"claim": "b", "reason": "a", "value": 0.0},
        ),
        Mistake(
            "all the weight on token 3",
            "Claim and reason are right. 1 would be the weight if token 3 were the only one that token 1 sees. Token 2 is left as "
            "well: only the T in its row is forbidden.",
            "Under T F F, read as “may not”, which keys are left for token 1?",
            {"claim": "b", "reason": "a", "value": 1.0},
        ),
    ),
)
