"""A handful of answers and their judges: the reader weighs the rewards, and sees which answers a model would then give."""

from collections.abc import Mapping, Sequence

import numpy as np
import torch

from transformer_course import figures
from transformer_course.figures.style import array
from transformer_course.rewards import tilted

from .explorable import Explorable, explorable

BETAS = 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0


def reward_weights(
    question: str,
    answers: Sequence[str],
    log_probs: Sequence[float],
    pays: Mapping[str, Sequence[float]],
    weights: Sequence[float],
    beta: float = 1.0,
) -> Explorable:
    """Show the best distribution over ``answers`` (a) to a ``question``, for the rewards and the β that the reader chooses.

    ``log_probs`` (a) are the model's own. ``pays`` has for each reward what one unit of it is paid for each answer (a), and
    ``weights`` the units at the start, from 0 to 2. A model that gains its mean reward, minus β times the KL divergence
    from what it was, gains most with the probabilities of `tilted`. All other answers are left out.

    Raises ValueError for numbers that do not fit the answers, and for a β that the slider does not have.
    """
    numbers = [array(log_probs).astype(float), *(array(each).astype(float) for each in pays.values())]
    fits = all(each.shape == (len(answers),) and np.isfinite(each).all() for each in numbers)
    if not fits or len(weights) != len(pays) or not all(0 <= each <= 2 for each in weights) or beta not in BETAS:
        raise ValueError(
            f"reward_weights expects a finite number per answer ({len(answers)}), a weight from 0 to 2 for each reward, and "
            f"one of the β {BETAS}, got shapes {[each.shape for each in numbers]}, weights {list(weights)} and {beta}"
        )
    before, *paid = numbers
    reward = sum(weight * each for weight, each in zip(weights, paid, strict=True))
    staggered = ["\n" * (k % 2) + answer for k, answer in enumerate(answers)]
    left, right = figures.panels(2, 4.2, 3.0)
    for paid_now, title, ax in ((0 * reward, "before", left), (reward, f"after, with β = {beta:g}", right)):
        values = tilted(torch.from_numpy(before), torch.from_numpy(paid_now), beta)
        figures.bars(values, staggered, f"{question} {title}", labels="%.2f", ax=ax)
    content = {
        "answers": list(answers),
        "logits": before.tolist(),
        "rewards": list(pays),
        "pays": [each.tolist() for each in paid],
        "weights": list(weights),
        "betas": BETAS,
        "beta": BETAS.index(beta),
    }
    return explorable("reward_weights", content, left.figure)
