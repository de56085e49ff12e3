"""Sheet 09: hidden units that tell whether the number of ones among four bits is odd."""

import numpy as np

from ..families.feed_forward import feed_forward
from ..kinds import Construct
from ..toolkit import known

AVERAGES = np.arange(5) / 4  # of four bits: none to four ones
ODD = np.arange(5) % 2


def _outputs(w1, b1, w2, b2):
    return feed_forward(AVERAGES[:, None], w1, b1, w2, b2)[:, 0]


def _units(slopes, opens, bias=0.0):
    """A network of ReLUs: at each of ``opens`` the slope changes by one of ``slopes``."""
    slopes, opens = np.array(slopes, float), np.array(opens, float)
    return np.ones((1, len(opens))), -opens, slopes[:, None], np.array([bias])


def _violation(place, *network):
    seen = _outputs(*network)[place]
    if abs(seen - ODD[place]) < 0.01:
        return None
    ones = f"{place} one{'s' * (place != 1)} among four bits, s = {AVERAGES[place]:g}"
    return f"For {ones}, the network gives {seen:.3f}, but should give {ODD[place]}. {_what_is_right(*network)}"


def _what_is_right(w1, b1, w2, b2):
    """Whether all but the height is right, or the places where the line turns, which leaves the slopes; or not even these."""
    above = _outputs(w1, b1, w2, b2) - ODD
    if np.allclose(above, above[0], atol=0.01):
        way = "high" if above[0] > 0 else "low"
        return f"The line has the right shape, but all of it is too {way} by {abs(above[0]):.2f}."
    with np.errstate(divide="ignore", invalid="ignore"):
        turns = (-b1 / w1[0])[w2[:, 0] != 0]
    inside = np.sort(turns[(turns > 0.01) & (turns < 0.99)])
    if len(inside) == 3 and np.allclose(inside, QUARTERS[1:], atol=0.01):
        return "The line turns in the right places, so the slopes are wrong."
    listed = ", ".join(f"{turn:.2f}" for turn in inside[:9]) or "no point"
    return f"Between 0 and 1, the line turns at {listed}."


def _gives(*outputs):
    return lambda *network: np.allclose(_outputs(*network), outputs, atol=0.01)


def _straight(*network):
    return np.allclose(np.diff(_outputs(*network), 2), 0, atol=0.01)


QUARTERS = [0, 0.25, 0.5, 0.75]
FEWER = _units([2, -4], [0, 0.5]), _units([3, -6, 6], [0, 1 / 3, 2 / 3])

zigzag = Construct(
    id="layers.zigzag",
    answer_name="hinges",
    prompt="The weights of a network that gives 0, 1, 0, 1, 0 for the averages 0, ¼, ½, ¾, 1.",
    shapes={"w1": (1, "d_ff"), "b1": ("d_ff",), "w2": ("d_ff", 1), "b2": (1,)},
    draw=lambda rng: list(range(5)),
    violation=_violation,
    why="Each ReLU unit changes the slope at one point, by its output weight, so four units give four straight pieces.",
    hints=(
        "Draw 0, 1, 0, 1, 0 over 0, ¼, ½, ¾, 1, and join the points with straight pieces. How steep is each? Where does the "
        "line turn?",
        "Four pieces take four units. If w1 is all ones, unit k is max(0, s + b1[k]): it switches on at s = −b1[k], the first "
        "one at 0.",
        "The pieces have the slopes 4, −4, 4, −4. w2 says by how much the slope *changes* where a unit switches on: by 4, "
        "then by …",
    ),
    mistakes={
        "slopes for changes of slope": known(
            "Your units have the slopes themselves, 4 and −4. A unit that is on stays on, so −4 only cancels the first 4, and "
            "the line is level where it should fall.",
            "By how much does the slope change from 4 to −4?",
            _units([4, -4, 4, -4], QUARTERS),
            recognise=_gives(0, 1, 1, 2, 2),
        ),
        "the units for fewer bits": known(
            "These units turn the line where it should turn for two bits, at ½, or for three, at ⅓ and ⅔. With four bits, the "
            "averages are different, and three of them are between 0 and 1.",
            "Where must the line turn now, and how steep must it be to climb to 1 within a quarter?",
            *FEWER,
            recognise=lambda *network: any(_gives(*_outputs(*fewer))(*network) for fewer in FEWER),
        ),
        "biases with the other sign": known(
            "Your later units switch on at −¼, −½ and −¾. So all are on from the start, and the line is straight "
            "between 0 and 1.",
            "For which b does s + b reach 0 at s = ¼?",
            _units([4, -8, 8, -8], [0, -0.25, -0.5, -0.75]),
            recognise=lambda w1, b1, w2, b2: _straight(w1, b1, w2, b2) and (b1 > 0).any(),
        ),
        "counts in place of averages": known(
            "Your units switch on at 1, 2 and 3, the numbers of ones. But the input is their *average*, from 0 to 1, so these "
            "units stay off.",
            "With a single one among four bits, the average is ¼.",
            _units([1, -2, 2, -2], [0, 1, 2, 3]),
            _units([4, -8, 8, -8], [0, 1, 2, 3]),
            recognise=lambda w1, b1, w2, b2: _straight(w1, b1, w2, b2) and (b1 < -0.99).any(),
        ),
        "even for odd": known(
            "This gives 1 where the number of ones is even. The exercise asks for 1 where it is odd.",
            "Four bits without any ones should give 0.",
            _units([-4, 8, -8, 8], QUARTERS, bias=1),
            recognise=_gives(1, 0, 1, 0, 1),
        ),
        "one turn missing": known(
            "Your outputs are right for none, one, two and three ones. For four, the line goes on rising where it "
            "should have turned.",
            "Four straight pieces take four units. Where is the last turn?",
            _units([4, -8, 8], QUARTERS[:3]),
            recognise=_gives(0, 1, 0, 1, 2),
        ),
        "a straight line": known(
            "Between 0 and 1, your network is linear: its five outputs lie on one straight line, which cannot go up, down and "
            "up again.",
            "Let the units switch on between 0 and 1, at different places.",
            _units([1.0], [0.0]),
            _units([1.0, -1.0], [0.0, 0.0]),
            _units([0.0, 0.0, 0.0], [0.0, 0.25, 0.5]),
            recognise=_straight,
        ),
    },
)
