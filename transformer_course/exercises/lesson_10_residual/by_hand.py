"""Sheet 10: a stream by hand, and once more with a sublayer that is silent."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Number
from ..toolkit import known

TOKEN = (1.0, 2.0)
SUBLAYERS = (lambda x: np.array([x[0] + x[1], 0]), lambda x: np.array([0, -x[0]]), lambda x: np.array([x[1], x[0]]))


def top(silent: int | None = None) -> list[float]:
    """The stream above all three sublayers."""
    x = np.array(TOKEN)
    for place, sublayer in enumerate(SUBLAYERS):
        x = x + (place != silent) * sublayer(x)
    return x.tolist()


def _mistake(diagnosis: str, hint: str, streams: list) -> Mistake:
    """One with this first stream, whatever the second is, such as one of the rest; if the first is right, with this second."""
    first, *seconds = streams
    place, right = (0, first) if first != top() else (1, seconds[0])

    def recognise(seen):
        return np.allclose(seen[place], right) and (place == 0 or np.allclose(seen[0], top()))

    return known(diagnosis, hint, *([first, second] for second in seconds), recognise=recognise)


by_hand = Number(
    id="residual.by_hand",
    answer_name="tops",
    prompt="The stream after three sublayers, with all of them working and with the second one silent.",
    value=[top(), top(silent=1)],
    atol=1e-6,
    labels=("the stream with all three sublayers", "the stream with the second one silent"),
    why=(
        "Each sublayer reads the sum so far and adds its own output to it, so silencing one of them changes the input of "
        "those after it."
    ),
    hints=(
        "For each sublayer, write down what it reads, what it outputs, and the sum. The next one reads the sum.",
        "The first reads [1, 2] and outputs [3, 0], so the second reads [4, 2].",
        "If the second is silent, it outputs [0, 0], so the third reads [4, 2]. Its output is then different from before.",
    ),
    mistakes={
        "handed on": _mistake(
            "You computed the stack without the plus signs: each sublayer reads only the output of the one before.",
            "Add each sublayer's output to its input before the next one reads.",
            [[-3.0, 0.0], [0.0, 3.0], [0.0, 0.0], [6.0, 6.0]],
        ),
        "all read the token": _mistake(
            "In your answer, all three sublayers read [1, 2]. But the stream has changed by the time the second one reads it.",
            "What does the second read?",
            [[6.0, 2.0], [6.0, 3.0], [6.0, 6.0]],
        ),
        "one reads the token": known(
            "In your answer, one sublayer reads the token, [1, 2], although the first one has already changed the stream.",
            "What is in the stream after the first sublayer? The next one reads that sum.",
            *([first, second] for first in ([5.0, 5.0], [6.0, -1.0]) for second in ([6.0, 6.0], [6.0, 3.0])),
            [top(), [6.0, 3.0]],
            recognise=lambda seen: seen[0].tolist() in ([5, 5], [6, -1]) or seen.tolist() == [top(), [6, 3]],
        ),
        "one plus sign around all three": _mistake(
            "You added the token only once, at the very end. But each sublayer has its own residual connection.",
            "After the first sublayer, the stream is [1, 2] + [3, 0].",
            [[-2.0, 2.0], [1.0, 5.0], [1.0, 2.0]],
        ),
        "without the token": _mistake(
            "You gave the sum of the outputs, without the token that they are added to.",
            "The stream begins with the token.",
            [[1.0, 0.0], [5.0, 4.0]],
        ),
        "before the third": _mistake(
            "You gave the streams before the third sublayer. It reads them, and adds its output.",
            "What does the third sublayer output, and what is the sum?",
            [[4.0, -2.0], [4.0, 2.0]],
        ),
        "the third not turned round": _mistake(
            "The third sublayer swaps the two numbers that it reads: it outputs [x2, x1]. You added [x1, x2].",
            "If it reads [4, −2], it outputs [−2, 4].",
            [[8.0, -4.0], [8.0, 4.0]],
        ),
        "columns": (
            "Your numbers are right, but arranged in columns. Each list holds one stream.",
            "The first list is the stream with all three sublayers.",
            np.transpose([top(), top(silent=1)]).tolist(),
        ),
        "the third in two steps": _mistake(
            "The third sublayer outputs both numbers at once. You added the first one, and then read the stream again for the "
            "second.",
            "If it reads [4, −2], it outputs [−2, 4], whatever is added in the meantime.",
            [[2.0, 0.0], [6.0, 8.0]],
        ),
        "the last output alone": _mistake(
            "You gave only the output of the third sublayer.",
            "Add it to the third sublayer's input.",
            [[-2.0, 4.0], [2.0, 4.0]],
        ),
        "the third output unchanged": _mistake(
            "Your first list is right. In the second, you left out the second sublayer's output, but kept the "
            "third's output as it was. The third now reads something different, so its output changes too.",
            "What does the third read if the second adds nothing?",
            [top(), [2.0, 6.0]],
        ),
        "silent as if it returned": _mistake(
            "Your first list is right. In the second, you let the zeros of the silent sublayer replace the stream. "
            "But they are added to it, so the stream stays as it was.",
            "What is [4, 2] + [0, 0]?",
            [top(), [0.0, 0.0]],
        ),
    },
)
