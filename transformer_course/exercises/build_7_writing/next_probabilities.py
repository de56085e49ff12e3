"""Stage B7: from logits to the probabilities that the next token is drawn from, with a temperature and top-p."""

from dataclasses import replace

import numpy as np

from transformer_course.runner.outcome import Outcome

from ..exercise import as_array, close
from ..families import adapted, named
from ..families.decoding import TOP_P, by_the_smallest_kept, top_p
from ..families.softmax import SOFTMAX, overflowing
from ..kinds import Implement, Property
from ..toolkit import normal, softmax

OF_ONE_ROW = "exp overflows", "the smallest score or the mean subtracted", "scores clipped", "scores divided by a number"
MARGIN = 1e-3  # between p and any sum of probabilities, so that rounding to float32 decides nothing


def next_probabilities(logits, temperature, p):
    return top_p(softmax(logits / temperature), p)


def _scaled(scale):
    """Top-p of the softmax of what ``scale(logits, temperature)`` gives."""
    return lambda logits, temperature, p: top_p(softmax(scale(logits, temperature)), p)


def _cut_first(logits, temperature, p):
    """The temperature changes what top-p has kept."""
    raised = top_p(softmax(logits), p) ** (1 / temperature)
    return raised / raised.sum()


def _cut_by_logits(logits, temperature, p):
    logits = logits / temperature
    falling = np.argsort(-logits)
    ahead = logits[falling].cumsum() - logits[falling]
    return softmax(np.where(np.isin(np.arange(len(logits)), falling[ahead < p]), logits, -np.inf))


class Probabilities(Implement):
    """Write a function that keeps some tokens. Where all are equally probable, it does not matter which of them are kept."""

    def judge(self, seed, outcomes):
        outcomes = [_in_order(*each) for each in zip(self.questions(seed), outcomes, strict=False)]
        return super().judge(seed, outcomes)

    def _expected(self, function, seed, index):
        return _in_order(self.questions(seed)[index], super()._expected(function, seed, index))

    def _problem(self, question, outcome, expected):
        seen, logits = as_array(outcome.value), question[0]
        if _even(logits) and seen is not None and close(seen, np.full(logits.shape, 1 / len(logits))):
            return None  # all are as probable as the last one that is needed
        return super()._problem(question, outcome, expected)


def _even(logits) -> bool:
    return bool((logits == logits[0]).all())


def _in_order(question: list, outcome: Outcome) -> Outcome:
    """The outcome, sorted if all tokens are equally probable."""
    seen = as_array(outcome.value) if _even(question[0]) else None
    return outcome if seen is None or seen.ndim != 1 else replace(outcome, value=-np.sort(-seen))


def _at_temperature(answer):
    """Top-p of this kind, of the probabilities at the right temperature."""
    return lambda logits, temperature, p: answer(softmax(logits / temperature), p)


def _draw(rng):
    def drawn(v, temperature, p, spread=1.5):
        while True:
            logits = spread * normal(rng, v)
            sums = [np.sort(softmax(logits / each))[::-1].cumsum() for each in (temperature, 1, 1 / temperature)]
            if min(np.abs(each - p).min() for each in sums) > MARGIN and 2 <= (sums[0] < p).sum() <= v - 3:
                return [logits.astype(np.float32).astype(float), temperature, p]

    def everything(v):
        """Tokens that by rounding have less than 1 together. Where rounding decides, they are too improbable to matter."""
        while True:
            logits = rng.permutation(normal(rng, v) / 4 - 0.75 * np.arange(v)).astype(np.float32).astype(float)
            falling = np.sort(softmax(logits))[::-1]
            single = falling.astype(np.float32).cumsum(dtype=float)  # torch adds up float32 in float64
            if single[-1] < 1 - 2e-8:
                return [logits, 1.0, 1.0]

    return [
        drawn(8, 1.0, 0.75),
        drawn(9, 0.5, 0.75, spread=1.0),
        drawn(7, 2.0, 0.5),
        drawn(12, 0.75, 0.9),
        [np.array([0.5, 4.0, -1.0, 1.0, 0.0]), 1.0, 0.5],  # one token alone has more than p
        [np.array([0.0, 1.0, -2.0, 0.75, -0.5]), 1.0, 0.25],  # and here each of two
        [normal(rng, 6, limit=2), 1.5, 0.999],
        [np.zeros(4), 1.0, 0.5],  # two of four tokens have exactly p
        # nearly greedy: exp overflows, or gives nothing but 0
        *([np.array([16.0, 15.90625, 16.03125, 15.984375, 15.96875]) - shift, 0.02, 0.9] for shift in (0, 32)),
        [np.array([-4.0, 16.0, -28.0]), 0.02, 0.9],
        *(everything(30) for _ in range(8)),
    ]


probabilities = Probabilities(
    id="build.top_p",
    answer_name="next_probabilities",
    prompt="The probabilities that the next token is drawn from: softmax at a temperature, cut by top-p.",
    reference=next_probabilities,
    draw=_draw,
    alternatives=(_at_temperature(by_the_smallest_kept),),
    properties=(
        Property(
            "What is kept is divided by its sum, so the probabilities sum to 1.",
            lambda result, *given: np.allclose(result.sum(), 1, atol=1e-4),
        ),
    ),
    why="The temperature changes how even the probabilities are, and top-p then removes the tokens that are least likely.",
    hints=(
        "First the probabilities: divide the logits by the temperature, then take the softmax.",
        "Sort them in descending order, with `sort(descending=True)`. It returns the sorted values and, for each of them, the "
        "index that it came from. A token is kept if those ahead of it have less than p together: `cumsum` minus its own.",
        "Put what is kept back in its place: in a tensor of zeros, `kept[order] = …`, or `scatter(-1, order, …)`. Then divide "
        "by the sum.",
    ),
    mistakes={
        "multiplied by the temperature": (
            "You multiply by the temperature. Then a high one makes the likely tokens even more likely.",
            "Which temperature should make the distribution flatter, 0.5 or 2? What does your formula give?",
            _scaled(lambda logits, temperature: logits * temperature),
        ),
        "temperature ignored": (
            "The temperature has no effect on your result.",
            "Divide the *logits* by it. If you divide probabilities, the last step undoes it.",
            _scaled(lambda logits, temperature: logits),
        ),
        "temperature after top-p": (
            "You choose the tokens first, and apply the temperature to those that are left. Then it has no influence on which "
            "tokens are kept.",
            "The temperature comes first, top-p second.",
            _cut_first,
        ),
        "probabilities divided by the temperature": (
            "You divide the probabilities by the temperature. They no longer sum to 1 when you compare their sums with p.",
            "Divide the *logits*, before the softmax.",
            lambda logits, temperature, p: top_p(softmax(logits) / temperature, p),
        ),
        "sums of logits": (
            "You add up logits. Only probabilities can be compared with p.",
            "Take the softmax first, then sort and add up.",
            _cut_by_logits,
        ),
        "logits of 0 for what is cut": (
            "You set the logits of what is cut to 0 before the last softmax. e⁰ is 1, so these tokens can still be drawn.",
            "Which logit gives the probability 0? Or set the probabilities to 0, and divide what is left by its sum.",
            lambda logits, temperature, p: softmax(logits / temperature * (next_probabilities(logits, temperature, p) > 0)),
        ),
        "probabilities at temperature p": (
            "You mix up the two numbers: p is a sum of probabilities, and the temperature divides the logits.",
            "In which order does the function take them?",
            lambda logits, temperature, p: next_probabilities(logits, p, temperature),
        ),
        **adapted(
            TOP_P,
            _at_temperature,
            but=(  # there is one row
                "sorted along axis 1",
                "added up over the rows",
                "the whole batch together",
                "one number of tokens for all rows",
            ),
        ),
        **adapted(
            named(SOFTMAX, *OF_ONE_ROW),
            lambda weigh: lambda logits, temperature, p: top_p(weigh(logits / temperature), p),
            more={"exp overflows": (lambda z, temperature, p: top_p(np.nan_to_num(overflowing(z / temperature)), p),)},
            axis="-1",
            keepdims="keepdim=True",
        ),
    },
)
