"""Sheet 26: what DPO makes of one pair of answers, and of the same pair swapped."""

import math

from ..kinds import Number

BETA = 0.1
CHOSEN, REJECTED = (-5, -6), (-4, -14)  # log-probabilities in the reference, and in the model
REWARDS = [BETA * (after - before) for before, after in (CHOSEN, REJECTED)]


def _loss(lead: float) -> float:
    return math.log(1 + math.exp(-lead))


LEAD = REWARDS[0] - REWARDS[1]
RIGHT = [*REWARDS, _loss(LEAD), _loss(-LEAD)]

pair = Number(
    id="assistant.pair",
    answer_name="pair",
    prompt="The implicit rewards of two answers, the loss of the pair, and its loss when chosen and rejected are swapped.",
    value=RIGHT,
    atol=0.0006,
    labels=("the chosen answer's reward", "the rejected answer's reward", "the loss", "the loss when swapped"),
    why="DPO looks only at how far the chosen answer leads more than before, so both may fall as long as the rejected one falls further.",
    hints=(
        "For each answer, take the model's log-probability minus the reference's, and multiply by β.",
        "The rewards are −0.1 and −1. The loss takes the chosen one's minus the rejected one's: 0.9.",
        "−log σ(z) is log(1 + e^−z). Swapped, z is −0.9.",
    ),
    mistakes={
        "β forgotten in the rewards": (
            "At least one of your rewards is not multiplied by β.",
            "β = 0.1.",
            {0: CHOSEN[1] - CHOSEN[0], 1: REJECTED[1] - REJECTED[0]},
        ),
        "reference minus model": (
            "At least one of your rewards has the wrong sign. Both answers have become less probable, so both rewards are negative.",
            "Subtract the reference's log-probability from the model's.",
            {0: -REWARDS[0], 1: -REWARDS[1]},
        ),
        "no reference in the rewards": (
            "One of your rewards is β times the model's log-probability. The reference is missing.",
            "How much has the log-probability changed?",
            {0: BETA * CHOSEN[1], 1: BETA * REJECTED[1]},
        ),
        "chosen minus rejected in a reward": (
            "Your first number compares the two answers. A reward belongs to one answer.",
            "Stay in one row of the table.",
            {0: (BETA * (CHOSEN[1] - REJECTED[1]), LEAD)},
        ),
        "no reference in the loss": (
            "Your loss takes the lead in the model alone. But the chosen answer was already behind in the reference.",
            "Use the difference of the two rewards.",
            {2: _loss(BETA * (CHOSEN[1] - REJECTED[1])), 3: _loss(-BETA * (CHOSEN[1] - REJECTED[1]))},
        ),
        "β forgotten in the loss": (
            "Your loss has no β in it: the difference of the log-probabilities is 9, that of the rewards is 0.9.",
            "Use the difference of the two rewards.",
            {2: _loss(LEAD / BETA), 3: _loss(-LEAD / BETA)},
        ),
        "a probability in place of its loss": (
            "You gave σ(z) itself. The loss is minus its logarithm.",
            "Take −log of it.",
            {2: math.exp(-RIGHT[2]), 3: math.exp(-RIGHT[3])},
        ),
        "a logarithm to base 2": (
            "You took a logarithm to base 2 or 10. The course's losses are in nats.",
            "`np.log` is the natural logarithm.",
            {place: (RIGHT[place] / math.log(2), RIGHT[place] / math.log(10)) for place in (2, 3)},
        ),
        "a logarithm without its minus": (
            "One of your losses is negative. A logarithm of a probability is negative, and the loss is minus that.",
            "Change the sign.",
            {2: -RIGHT[2], 3: -RIGHT[3]},
        ),
        "the two losses swapped": (
            "You gave the loss of the swapped pair first. As they are, the chosen answer leads, so that loss is the smaller one.",
            "Is the chosen answer's reward the higher one?",
            {2: RIGHT[3]},
        ),
        "minus the loss": (
            "Swapping changes the sign of the difference inside σ, not the sign of the loss.",
            "Compute −log σ(−0.9).",
            {3: -RIGHT[2]},
        ),
    },
)
