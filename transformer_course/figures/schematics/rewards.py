"""Lesson 27: from a prompt to sampled answers, their rewards, and the loss."""

import numpy as np
from matplotlib.axes import Axes

from ..description import describe
from ..drawing import HOLLOW, arrow, arrows, filled, matrix, operation, page, words
from ..style import FAINT, VALUE

ANSWERS = ("122", "112", "122", "132")
REWARDS = np.array([1, 0, 1, 0])
ROW = (56, 30)


def rewards() -> Axes:
    ax = page(250)
    middle, back = 96, 216
    prompt = matrix(ax, 4, middle, [[HOLLOW]], "prompt", "$m$ tokens", numbers=[["37+85="]], cell=(64, 30))
    model = operation(ax, 96, middle, "model", 60, 60)
    written = [[answer] for answer in ANSWERS]
    answers = matrix(ax, 186, middle, filled(4, 1, FAINT), "answers", "$g × n$\nsampled", numbers=written, cell=ROW)
    judge = operation(ax, 274, middle, "reward", 62, 40)
    paid = matrix(ax, 368, middle, filled(4, 1, FAINT), "rewards", "$g$", numbers=REWARDS[:, None], cell=(40, 30))
    compare = operation(ax, 440, middle, "− mean\n÷ deviation", 88, 48)
    scores = (REWARDS - REWARDS.mean()) / REWARDS.std()
    colours = np.where(scores > 0, VALUE, FAINT)[:, None]
    signed = [[f"{score:+.0f}".replace("-", "−")] for score in scores]
    advantages = matrix(ax, 560, middle, colours, "advantages", "$g$", numbers=signed, cell=(40, 30))
    loss = operation(ax, 650, middle, "clipped\nloss", 62, 48)
    arrows(ax, prompt, model, answers, judge, paid, compare, advantages, loss)
    arrow(ax, loss.bottom, (loss.bottom[0], back), (model.bottom[0], back), model.bottom)
    under = (model.bottom[0] + loss.bottom[0]) / 2
    words(ax, under, back + 16, "gradient: tokens of + answers more probable, of − answers less")
    return describe(
        ax,
        "Learning from rewards",
        "the model samples g answers of up to n tokens to one prompt, 37+85= (" + ", ".join(ANSWERS) + "); a program pays for "
        "each (" + ", ".join(map(str, REWARDS)) + "); minus the mean and divided by the deviation of the group, the rewards "
        "become advantages (" + ", ".join(row[0] for row in signed) + "); the clipped loss makes tokens of answers above "
        "average more probable, and of the others less.",
    )
