"""Sheet 01: what a table of results supports, and what was only concluded from it."""

from ..exercise import Mistake
from ..kinds import TwoTier

recall_verdict = TwoTier(
    id="recall.verdict",
    answer_name="verdict",
    prompt="Say which claim a table of accuracies supports, for which reason, and by which value.",
    right={"claim": "b", "reason": "b", "value": 0.98},
    choices={"claim": "abcd", "reason": "abcd"},
    atol=0.004,
    why="A single run that succeeds shows that it can be done, while runs that fail show only that training did not find it.",
    hints=(
        "What would it take to show that something *cannot* be done? And what, to show that it can?",
        "Set the first two rows side by side. In what do these models differ, and in what do they not?",
        "Look for a single run of an LSTM that remembers at length 50. One is enough against “cannot”.",
    ),
    mistakes=(
        Mistake(
            "did not, so cannot",
            "The first row shows three LSTMs that did not learn it at length 50. That is not yet “cannot”: the second row is an "
            "LSTM too.",
            "What do the runs in the second row do at length 50?",
            {"claim": "a"},
        ),
        Mistake(
            "as reliable as attention",
            "At length 50, one of the three runs in the second row is at 0.34, and all of attention's at 1.00. The forget bias "
            "helps a great deal, and does not help every time.",
            "Compare the second and the third row, run by run.",
            {"claim": "c"},
        ),
        Mistake(
            "beyond what was measured",
            "The table ends at length 50. What attention does beyond may be just as good, but these runs do not say so.",
            "Which claim speaks of nothing but what stands in the table?",
            {"claim": "d"},
        ),
        Mistake(
            "a difference of means",
            "That is so, and shows that these LSTMs did worse. But a low mean does not tell what is possible: it is made of runs "
            "that failed and runs that did not.",
            "Which reason would still hold if most runs had failed?",
            {"claim": "b", "reason": "a"},
        ),
        Mistake(
            "three seeds are too few",
            "Three seeds are few if you want to know *how often* training succeeds. To show that it is possible, one run that "
            "remembers is enough.",
            "Which reason speaks of what one run can show?",
            {"claim": "b", "reason": "c"},
        ),
        Mistake(
            "the failed runs",
            "That is so: those runs only guess. But runs that failed cannot show what is possible, and the claim says that an LSTM "
            "can.",
            "Which runs did remember, and how do they differ from these?",
            {"claim": "b", "reason": "d"},
        ),
        Mistake(
            "the value of another length",
            "Claim and reason are right. 0.97 is the lucky run of the first row, at length 20; asked for is the longest text "
            "in the table.",
            "Second row, last column.",
            {"claim": "b", "reason": "b", "value": 0.97},
        ),
        Mistake(
            "the value of another model or length",
            "Claim and reason are right. 1.00 stands in the table at length 50 for attention alone, which is no LSTM; the LSTM's "
            "are at 10 and 20.",
            "Second row, last column.",
            {"claim": "b", "reason": "b", "value": 1.0},
        ),
        Mistake(
            "the mean of three runs",
            "Claim and reason are right. That is the mean of the three runs, and a mean is no run: the failed one pulls it down. "
            "The exercise asks for one printed accuracy.",
            "The highest of the three.",
            {"claim": "b", "reason": "b", "value": (0.98 + 0.34 + 0.95) / 3},
        ),
        Mistake(
            "not the highest",
            "Claim and reason are right. 0.95 is a run of the right row and column, though not the highest of the three.",
            "Second row, last column, the highest.",
            {"claim": "b", "reason": "b", "value": 0.95},
        ),
        Mistake(
            "the failed run of the right row",
            "Claim and reason are right. 0.34 is the run of this row that did not learn it; against “cannot” speaks one that did.",
            "Second row, last column, the highest.",
            {"claim": "b", "reason": "b", "value": 0.34},
        ),
    ),
)
