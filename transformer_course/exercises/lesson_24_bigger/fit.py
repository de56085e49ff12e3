"""Sheet 24: a straight line on log-log paper, and what it predicts."""

import numpy as np

from ..kinds import Implement


def line(to_x=np.log, to_y=np.log, back=np.exp, points=slice(None), degree=1):
    """Return an answer: a polynomial through some points on some paper, read off at another size."""

    def answer(sizes, losses, size):
        x, y = (to(np.asarray(each, float))[points] for to, each in ((to_x, sizes), (to_y, losses)))
        return back(np.polyval(np.polyfit(x, y, degree), to_x(size)))

    return answer


def _same(x):
    return x


def _by_hand(sizes, losses, size):
    x, y = np.log2(sizes), np.log2(losses)
    slope = ((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum()
    return 2 ** (y.mean() + slope * (np.log2(size) - x.mean()))


def _factor_and_power(sizes, losses, size):
    columns = np.stack([np.ones(len(sizes)), np.log10(sizes)], axis=1)
    start, slope = np.linalg.lstsq(columns, np.log10(losses), rcond=None)[0]
    return 10**start * size**slope


def _through_the_origin(sizes, losses, size):
    x, y = np.log(sizes), np.log(losses)
    return float(np.exp((x * y).sum() / (x * x).sum() * np.log(size)))


def _other_way_round(sizes, losses, size):
    """The least squares of log size on log loss, turned round."""
    slope, start = np.polyfit(np.log(losses), np.log(sizes), 1)
    return float(np.exp((np.log(size) - start) / slope))


def _wrong_sign(sizes, losses, size):
    slope, start = np.polyfit(np.log(sizes), np.log(losses), 1)
    return float(np.exp(start - slope * np.log(size)))


def _without_a_factor(sizes, losses, size):
    slope, _ = np.polyfit(np.log(sizes), np.log(losses), 1)
    return float(np.asarray(size, float) ** slope)


def _from_the_last(sizes, losses, size):
    slope, _ = np.polyfit(np.log(sizes), np.log(losses), 1)
    return float(losses[-1] * (size / sizes[-1]) ** slope)


def _slope_as_a_factor(sizes, losses, size):
    slope, start = np.polyfit(np.log(sizes), np.log(losses), 1)
    return float(np.exp(start) + slope * np.log(size))


def _size_itself(sizes, losses, size):
    slope, start = np.polyfit(np.log(sizes), np.log(losses), 1)
    return float(np.exp(slope * size + start))


def _exchanged(sizes, losses, size):
    start, slope = np.polyfit(np.log(sizes), np.log(losses), 1)
    return float(np.exp(slope * np.log(size) + start))


def _draw(rng):
    def measured(count, size_factor):
        """Losses that scatter about a falling line, so that the ways to draw one differ."""
        sizes = np.round(2.0 ** (8 + np.cumsum(rng.uniform(0.7, 2.0, count))))
        scatter = rng.permutation(np.resize([0.12, -0.09, 0.05, -0.1, 0.08], count))
        losses = np.round(64 * (6 * sizes ** -rng.uniform(0.08, 0.2) + scatter)) / 64
        losses[-1] += 0.125
        return [sizes, losses, float(np.round(sizes[-1] * size_factor))]

    return [
        [np.array([1000.0, 3000.0, 8000.0, 30000.0]), np.array([3.5, 2.75, 2.625, 2.25]), 90000.0],
        measured(4, 4),
        measured(5, 2.5),
        measured(3, 10),
        measured(6, 3),
    ]


fit = Implement(
    id="bigger.fit",
    answer_name="predicted",
    prompt="The loss that a straight line on log-log paper predicts for another size.",
    reference=line(),
    draw=_draw,
    alternatives=(_by_hand, _factor_and_power),
    why="A power law is a straight line in the logarithms, so least squares there give its slope, and exp leads back to a loss.",
    hints=(
        "Take the logarithm of the sizes and of the losses. What kind of curve is a power law between these?",
        "np.polyfit(x, y, 1) returns the slope and the value at 0 of the line with the least squares.",
        "Evaluate the line at the logarithm of `size`. That is the logarithm of a loss: np.exp leads back.",
    ),
    mistakes={
        "a line without logarithms": (
            "You drew a straight line through the losses themselves. It soon falls below 0.",
            "Take logarithms of the sizes and of the losses.",
            line(_same, _same, _same),
        ),
        "only the sizes as logarithms": (
            "You took the logarithm of the sizes, but not of the losses. That is a line on half-logarithmic paper.",
            "Log–log paper has two logarithmic axes.",
            line(np.log, _same, _same),
        ),
        "only the losses as logarithms": (
            "You took the logarithm of the losses, but not of the sizes. That is exponential decay.",
            "Log–log paper has two logarithmic axes.",
            line(_same, np.log, np.exp),
        ),
        "the logarithm of the prediction": (
            "Your result is the logarithm of a loss.",
            "Which function undoes np.log?",
            line(back=_same),
        ),
        "two different logarithms": (
            "You went back with a power of another base than that of your logarithm.",
            "np.exp undoes np.log; 10 ** undoes np.log10.",
            line(back=lambda y: 10**y),
            line(to_y=np.log10),
            line(back=lambda y: 2**y),
        ),
        "through the first and the last model": (
            "You used two of the models, the first and the last. Each of them is measured with some luck, and the others are ignored.",
            "Least squares use all points.",
            line(points=[0, -1]),
        ),
        "through the last two models": (
            "You extended the line through the last two models, and left out all others.",
            "Least squares use all points.",
            line(points=slice(-2, None)),
        ),
        "from the last model on": (
            "Your slope is right, but you began at the last model, as if it had been measured without any scatter.",
            "Use the line's own start, the second number that np.polyfit returns.",
            _from_the_last,
        ),
        "through the origin": (
            "Your line has a slope but no start: it goes through a loss of 1 at a size of 1.",
            "A line needs two numbers. np.polyfit(x, y, 1) returns both.",
            _through_the_origin,
        ),
        "no factor": (
            "You raised the size to the power of the slope, but left out the factor before it.",
            "np.exp of the line's start is that factor.",
            _without_a_factor,
        ),
        "the wrong sign": (
            "Your losses grow with the size: the sign of the slope is reversed.",
            "np.polyfit's slope is negative already.",
            _wrong_sign,
        ),
        "exp too early": (
            "You applied exp to the line's start alone, and then added the slope times a logarithm.",
            "Evaluate the whole line first, then take exp.",
            _slope_as_a_factor,
        ),
        "sizes from losses": (
            "You predicted the sizes from the losses, and turned the line round. Its squares are those of the sizes.",
            "Which of the two was measured with scatter? Its logarithm is `y`.",
            _other_way_round,
        ),
        "the size itself": (
            "You put the size itself into the line. The line was drawn through logarithms of sizes.",
            "Evaluate it at np.log(size).",
            _size_itself,
        ),
        "slope and start exchanged": (
            "You exchanged the two numbers of the line.",
            "np.polyfit returns the slope first, then the value at 0.",
            _exchanged,
        ),
        "a curve in place of a line": (
            "You fitted a parabola. It follows the scatter of the points, and leaves the line beyond them.",
            "A power law is a line: degree 1.",
            line(degree=2),
        ),
    },
)
