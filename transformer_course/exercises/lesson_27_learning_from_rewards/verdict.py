"""Sheet 27: what rewards have taught, read from a table.

The numbers are those of seed 0 in the record that the lesson shows; a test compares them.
"""

from ..kinds import TwoTier

verdict = TwoTier(
    id="rewards.verdict",
    prompt="A table of pass@1 and pass@8: what rewards have taught the model.",
    right={"claim": "b", "reason": "a", "value": 0.94},
    why="The first, pass@1, says how often the model is right, and pass@8 how many sums it can get right at all; rewards moved the first.",
    hints=(
        "Compare rows A and B. Which column tells you for how many sums the model can find the right answer at all?",
        "If rewards had taught most of the sums that A misses in eight attempts, which number would be close to 0.99?",
        "The value is in row B.",
    ),
    mistakes={
        "new sums": (
            "If rewards had taught many sums that the model could not do before, one of eight attempts would be right for almost "
            "all sums, as in row D.",
            "Compare the last column of rows A and B.",
            {"claim": "a"},
        ),
        "only faster": (
            "Row C had the same number of steps as row B, and it ends below it in both columns. It has lost sums that the model "
            "could do before.",
            "Compare the last column of rows A and C.",
            {"claim": "c"},
        ),
        "better than imitation": (
            "Row D, which went on imitating, is above row B in both columns.",
            "Compare rows B and D.",
            {"claim": "d"},
        ),
        "the fast run as a reason": (
            "Your claim is right. But row C is about a learning rate. It does not tell what the rewards of row B have taught.",
            "Which reason compares how two different columns changed?",
            {"reason": "b"},
        ),
        "no answers needed as a reason": (
            "Your claim is right, and it is true that row B needed no answers. But that is what rewards cost, and not what they "
            "taught.",
            "Which reason is about the change from row A to row B?",
            {"reason": "c"},
        ),
        "imitation as a reason": (
            "Your claim is right. But row D shows what imitation taught.",
            "Which reason is about the change from row A to row B?",
            {"reason": "d"},
        ),
        "how often it is right": (
            "Your claim and reason are both right. But this number did rise clearly: it shows how often the model is right.",
            "Which number would have risen if the model had learned *new* sums, and did not?",
            {"value": 0.67},
        ),
        "the number before": (
            "Your claim and reason are both right. But this is the number before the rewards. What should have risen is the one "
            "after them.",
            "Look in row B.",
            *({"value": value} for value in (0.44, 0.91)),
        ),
        "another run's number": (
            "Your claim and reason are both right. But this number belongs to the higher rate, or to imitation.",
            "Look in row B.",
            *({"value": value} for value in (0.51, 0.75, 0.83, 0.99)),
        ),
    },
)
