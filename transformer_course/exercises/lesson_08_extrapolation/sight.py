"""Sheet 08: what a rotary model gains or loses if it sees only the last 20 tokens.

The table was measured with `experiments.lengths`, seed 0: `train_copier("rotary", task)`, and `accuracy` with a window of 80
and of 20. A test measures again.
"""

from ..kinds import TwoTier

sight = TwoTier(
    id="positions.sight",
    prompt="For which tasks a rotary model does better on long texts if it sees only the last tokens, as read from a table.",
    right={"claim": "b", "reason": "c", "value": 80},
    atol=0.01,
    why=("Leaving out new distances helps only if the model still sees the token that it needs."),
    hints=(
        "Compare A with B, and C with D. What does the shorter view do for each task?",
        "In B and D no distance is new. So why does D still fail? Where is the token that it is asked for?",
        "For the value, count the tokens from position 0 to position 79, both included.",
    ),
    mistakes={
        "one task for all": (
            "That is true for row B. But D has the same view of 20 tokens, and fails.",
            "What is asked for in D, and can position 79 see it?",
            {"claim": "a"},
        ),
        "less sight, less skill": (
            "Compare A with B: there, the model that sees less does better.",
            "What can go wrong for a model that sees 80 tokens but was trained with at most 20?",
            {"claim": "c"},
        ),
        "no difference seen": (
            "From A to B, the accuracy rises from 0.76 to 1.00. C and D have the same numbers, but for two different reasons.",
            "Why does C fail? And why does D?",
            {"claim": "d"},
        ),
        "a success as the only reason": (
            "But row B alone would also fit claim a. The reason must say what is different between B and D.",
            "In B and D no distance is new. What else does the model need?",
            "a",
        ),
        "distances alone": (
            "Your claim is right, and your reason is a true statement. But it holds for all four rows, so it does not "
            "explain the difference between B and D.",
            "In which rows can position 79 see the token that it is asked for?",
            {"claim": "b", "reason": "b"},
        ),
        "the cut does nothing": (
            "C and D have the same numbers, but that does not show why the view helps one task and not the other.",
            "Why does C fail? And why does D?",
            "d",
        ),
        "the distance, not the sight": (
            "79 is the *distance* to the first token, but the token itself is counted too.",
            "A token that sees 1 token sees only itself. How far back does it see with 20?",
            79,
        ),
        "what training had": (
            "20 is what it can see now, and from position 79 that reaches back only to position 60.",
            "The first token is at position 0.",
            20,
        ),
        "from here to the edge": (
            "60 is how many tokens it cannot see now. The question is how many it must see.",
            "Count from position 0 to position 79, both included.",
            60,
        ),
    },
)
