"""Sheet 01: what a table of results supports, and what was only concluded from it."""

from ..kinds import TwoTier

recall_verdict = TwoTier(
    id="recall.verdict",
    prompt="Say which claim a table of accuracies supports, and give the reason and the value that show it.",
    right={"claim": "b", "reason": "b", "value": 0.98},
    atol=0.004,
    why="A single run that succeeds shows that it is possible, but runs that fail show only that training did not find it.",
    hints=(
        "What would you need to show that something *cannot* be done? And what would show that it can?",
        "Compare the first two rows. How do these models differ, and what do they have in common?",
        "Look for a single run of an LSTM that remembers at length 50. One is enough to refute “cannot”.",
    ),
    mistakes={
        "did not, so cannot": (
            "You relied on the first row. It shows that three LSTMs did not learn it at length 50, which is less than "
            "“cannot”. The second row is an LSTM too.",
            "What do the runs in the second row do at length 50?",
            {"claim": "a"},
        ),
        "as reliable as attention": (
            "You called the LSTM as reliable as attention. At length 50, though, one of its three runs is at 0.34, and all "
            "of attention's are at 1.00. The forget bias helps a great deal, but not every time.",
            "Compare the second and third rows, run by run.",
            {"claim": "c"},
        ),
        "beyond what was measured": (
            "Your claim goes beyond the table, which ends at length 50. Attention may do just as well on longer sequences, "
            "but these runs do not show it.",
            "Which claim is only about what the table shows?",
            {"claim": "d"},
        ),
        "a difference of means": (
            "Your reason is true, and it shows that these LSTMs did worse. But a low mean does not show what is possible, "
            "because it covers the runs that succeeded as well as those that failed.",
            "Which reason would still hold if most runs had failed?",
            {"reason": "a"},
        ),
        "three seeds are too few": (
            "You asked for more seeds. Three are few if you want to know *how often* training succeeds, but the claim is "
            "only that it is possible.",
            "Which reason needs no more than one run?",
            {"reason": "c"},
        ),
        "the failed runs": (
            "Your reason is true: those runs only guess. But runs that failed cannot show what is possible, and the claim "
            "says that an LSTM can do it.",
            "Which runs did remember, and how do they differ from these?",
            {"reason": "d"},
        ),
        "in percent": (
            "Your claim and reason are both right, and so is the accuracy. Give it as the table does, as a fraction of 1.",
            "Divide by 100.",
            {"value": 98.0},
        ),
        "the value of the first row": (
            "Your value comes from the first row. The LSTM in the second row does better at length 50.",
            "Look for the highest number in the second row, last column.",
            0.13,
            0.12,
        ),
        "the value of another length": (
            "0.97 is the lucky run of the first row, at length 20; the exercise asks about the longest sequences.",
            "Look in the second row, last column.",
            0.97,
        ),
        "the value of another model or length": (
            "At length 50, the table has 1.00 only for attention, which is not an LSTM. The LSTMs have it at lengths 10 and "
            "20.",
            "Look in the second row, last column.",
            1.0,
        ),
        "the mean of three runs": (
            "You gave the mean of the three runs, which the failed run lowers. The exercise asks for one of the printed "
            "accuracies.",
            "Which of the three is the highest?",
            (0.98 + 0.34 + 0.95) / 3,
        ),
        "not the highest": (
            "0.95 is in the right row and column, but it is not the highest of the three.",
            "Look for the highest number in the second row, last column.",
            0.95,
        ),
        "the failed run of the right row": (
            "0.34 is the run of this row that failed. To refute “cannot”, take one that succeeded.",
            "Look for the highest number in the second row, last column.",
            0.34,
        ),
    },
)
