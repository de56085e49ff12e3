"""Sheet 10: a stream by hand, and once more with a sublayer that is silent."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Number

TOKEN = (1.0, 2.0)
SUBLAYERS = (lambda x: np.array([x[0] + x[1], 0]), lambda x: np.array([0, -x[0]]), lambda x: np.array([x[1], x[0]]))


def top(silent: int | None = None) -> list[float]:
    """The stream above all three sublayers."""
    x = np.array(TOKEN)
    for place, sublayer in enumerate(SUBLAYERS):
        x = x + (place != silent) * sublayer(x)
    return x.tolist()


def _mistake(name: str, diagnosis: str, hint: str, first: list, *seconds: list) -> Mistake:
    """One that is recognised by its first line, or, where that is right, by the second."""
    place, known = (0, first) if first != top() else (1, seconds[0])

    def recognise(seen):
        return np.allclose(seen[place], known) and (place == 0 or np.allclose(seen[0], top()))

    answers = [[first, second] for second in seconds]
    return Mistake(name, diagnosis, hint, answers[0], variants=answers[1:], recognise=recognise)


by_hand = Number(
    id="residual.by_hand",
    answer_name="tops",
    prompt="A stream after three sublayers, and the same with the second of them silent.",
    value=[top(), top(silent=1)],
    atol=1e-6,
    labels=("the stream with all three sublayers", "the stream with the second one silent"),
    why=(
        "Each sublayer reads the sum so far and adds its own output to it, so silencing one of them changes the input of "
        "those after it."
    ),
    hints=(
        "Write down for each sublayer what it reads, what it makes, and the sum. The next one reads the sum.",
        "The first reads [1, 2] and makes [3, 0], so the second reads [4, 2].",
        "Where the second is silent, it makes [0, 0], and the third reads [4, 2]. It makes something else of that than before.",
    ),
    mistakes=(
        _mistake(
            "handed on",
            "That is the stack without the plus signs: each sublayer gets what the one below made, and nothing else.",
            "Add what a sublayer makes to what it read, before the next one reads.",
            [-3.0, 0.0],
            [0.0, 3.0],
            [0.0, 0.0],
            [6.0, 6.0],
        ),
        _mistake(
            "all read the token",
            "All three sublayers read [1, 2] here. But the stream has changed by the time the second one reads it.",
            "What does the second read?",
            [6.0, 2.0],
            [6.0, 3.0],
            [6.0, 6.0],
        ),
        _mistake(
            "one plus sign round all three",
            "The token is added once, at the very end. Each sublayer has a residual connection of its own.",
            "After the first, the stream is [1, 2] + [3, 0].",
            [-2.0, 2.0],
            [1.0, 5.0],
            [1.0, 2.0],
        ),
        _mistake(
            "without the token",
            "That is what was added, without what it was added to.",
            "The stream begins with the token.",
            [1.0, 0.0],
            [5.0, 4.0],
        ),
        _mistake(
            "what the last one made",
            "That is the output of the third sublayer alone.",
            "Add it to what the third sublayer read.",
            [-2.0, 4.0],
            [2.0, 4.0],
        ),
        _mistake(
            "the third makes what it made before",
            "The first line is right. In the second, you took away what the second sublayer had added, and left the third's addition as it "
            "was. But the third now reads something else, and makes something else.",
            "What does the third read, where nothing was added by the second?",
            top(),
            [2.0, 6.0],
        ),
        _mistake(
            "silent as if it returned",
            "The first line is right. In the second, nothing is left of the stream where the second sublayer makes zeros. It adds zeros: "
            "the stream goes on as it was.",
            "[4, 2] + [0, 0]",
            top(),
            [0.0, 0.0],
        ),
    ),
)
