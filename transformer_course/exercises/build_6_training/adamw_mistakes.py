"""Stage B6: what goes wrong in one step of AdamW."""

import numpy as np

from ..toolkit import mistake
from .adamw_pieces import averages_last, corrections, counted, counted_inside, moved, on_copies_of, step


def _l2(parameter, gradient, weight_decay):
    return gradient + weight_decay * parameter


def _l2_in_place(parameter, gradient, weight_decay):
    gradient += weight_decay * parameter
    return gradient


def _nothing(parameter, lr, weight_decay):
    pass


def _unscaled(parameter, lr, weight_decay):
    parameter *= 1 - weight_decay


def _both_taken_away(parameter, lr, weight_decay):
    parameter *= 1 - lr - weight_decay


def _nearly_all(parameter, lr, weight_decay):
    parameter *= lr * weight_decay


def _grow(parameter, lr, weight_decay):
    parameter *= 1 + lr * weight_decay


def _uphill(parameter, change, lr):
    parameter += lr * change


def _without_rate(parameter, change, lr):
    parameter -= change


def _added(average, new, beta):
    average *= beta
    average += new


def _kept_twice(average, new, beta):
    average += beta * average + (1 - beta) * new


def _swapped(average, new, beta):
    moved(average, new, 1 - beta)


def _write_back(m, v, gradient, scales, eps):
    m /= scales[0]
    v /= scales[1]
    return m / (np.sqrt(v) + eps)


MISTAKES = (
    mistake(
        "decay in the gradient",
        "You added the weight decay to the gradient. There it passes through both averages and is divided by the square "
        "root of v, so numbers with large gradients hardly decay. That is Adam with L2 regularisation; the W in AdamW "
        "stands for keeping the two apart.",
        "Leave the gradient alone, and shrink the parameter itself.",
        step(gradient_of=_l2, decay=_nothing),
        step(gradient_of=_l2_in_place, decay=_nothing),
    ),
    mistake(
        "decay twice",
        "You added the weight decay to the gradient, and also shrank the parameter.",
        "Only the second belongs to AdamW.",
        step(gradient_of=_l2),
        step(gradient_of=_l2_in_place),
    ),
    mistake(
        "no weight decay",
        "The averages and the update are right, but the weight decay is missing.",
        "Multiply each parameter by 1 − `lr` · `weight_decay`.",
        step(decay=_nothing),
    ),
    mistake(
        "decay without the learning rate",
        "Your decay is not multiplied by the learning rate. With a decay of 0.01, each step would take away 1% of every "
        "parameter, even at the end, when the learning rate is almost 0.",
        "Shrink the parameter by `lr * weight_decay` of itself.",
        step(decay=_unscaled),
    ),
    mistake(
        "the learning rate and the decay added",
        "You take away `lr` plus `weight_decay` of each parameter. The decay is their product.",
        "Shrink the parameter by `lr * weight_decay` of itself.",
        step(decay=_both_taken_away),
    ),
    mistake(
        "nearly everything decays",
        "You multiply the parameter by `lr * weight_decay`, which is nearly 0, so it loses almost everything at each step.",
        "How much should be taken away, and how much should stay?",
        step(decay=_nearly_all),
    ),
    mistake(
        "decay with the wrong sign",
        "Your decay makes the parameters grow.",
        "Multiply by 1 − `lr` · `weight_decay`.",
        step(decay=_grow),
    ),
    mistake(
        "decay after the update",
        "You shrink the parameter after the update, so the decay also takes back a little of the step itself. The definition "
        "shrinks the parameter as it was before.",
        "Apply the decay before the update.",
        step(decay_last=True),
    ),
    mistake(
        "no bias correction",
        "You use m and v without a bias correction. They start at 0, so at first both are far too small, and their ratio is "
        "wrong.",
        "Divide m by 1 − β₁ᵗ and v by 1 − β₂ᵗ before you use them.",
        step(scales_of=lambda t, betas: [1, 1]),
    ),
    mistake(
        "only m corrected",
        "You corrected m, but not v. After the first step, v is still nearly 0, so the update is far too large.",
        "Divide v by 1 − β₂ᵗ.",
        step(scales_of=lambda t, betas: [corrections(t, betas)[0], 1]),
    ),
    mistake(
        "only v corrected",
        "You corrected v, but not m. The first updates are far too small.",
        "Divide m by 1 − β₁ᵗ.",
        step(scales_of=lambda t, betas: [1, corrections(t, betas)[1]]),
    ),
    mistake(
        "correction without the power",
        "Your corrections are 1 − β at every step. They should fade: after many steps, the averages are no longer biased "
        "towards 0.",
        "Use the power βᵗ, where t is the number of this step.",
        step(scales_of=lambda t, betas: [1 - beta for beta in betas]),
    ),
    mistake(
        "β times t",
        "You multiply β by t. Then 1 − β · t is soon negative.",
        "βᵗ is β to the power of t, `beta**t`.",
        step(scales_of=lambda t, betas: [1 - beta * t for beta in betas]),
    ),
    mistake(
        "corrected by the wrong β",
        "You corrected m with β₂ and v with β₁.",
        "Each average is corrected with its own β.",
        step(scales_of=lambda t, betas: corrections(t, betas[::-1])),
    ),
    mistake(
        "one β for both corrections",
        "You corrected both averages with the same β.",
        "m belongs to β₁ and v to β₂, in the corrections too.",
        step(scales_of=lambda t, betas: corrections(t, [betas[0]] * 2)),
        step(scales_of=lambda t, betas: corrections(t, [betas[1]] * 2)),
    ),
    mistake(
        "the average of the squares without effect",
        "The average v of the squares has no effect on your step, so all numbers have the same learning rate. That is "
        "gradient descent with momentum.",
        "By what is the corrected average of the gradients divided?",
        step(change_of=lambda m, v, gradient, scales, eps: m / scales[0]),
    ),
    mistake(
        "averages updated last",
        "You change the parameters first, and the averages afterwards. So the step knows nothing of the new gradient.",
        "In which order does the text list the changes?",
        averages_last,
    ),
    mistake(
        "steps counted from 0",
        "At the first step, your t is 0, so 1 − βᵗ is 0 and you divide by it. The first step has the number 1.",
        'Increase `state["step"]` before you use it.',
        counted(lambda before: before + 1),
    ),
    mistake(
        "step not counted",
        '`state["step"]` is the same after the call as before. At the next step, the bias correction would start over.',
        "Increase it by 1, once per call.",
        counted(lambda before: before, lambda before: before + 1),
        counted(lambda before: before),
    ),
    mistake(
        "step counted for each tensor",
        "You count a step for each parameter. One call is one step, however many parameters there are.",
        "Count before the loop.",
        counted_inside,
    ),
    mistake(
        "averages not kept",
        "Your parameters are right, but the averages in the state are the same as before the call. `m = …` makes a new "
        "tensor and leaves the old one in the list, so every step would start from scratch.",
        "Change `m` and `v` themselves, for example with `*=` and `+=`.",
        on_copies_of("m", "v"),
        on_copies_of("m"),
        on_copies_of("v"),
    ),
    mistake(
        "parameters not changed",
        "The parameters are the same after the call as before. `parameter = parameter - …` makes a new tensor, and so does "
        "`parameters[i] = …`; the model still holds the old one.",
        "Change the parameter itself, for example with `-=`.",
        on_copies_of("parameters"),
        on_copies_of("parameters", "m", "v"),
        on_copies_of("parameters", "m"),
        on_copies_of("parameters", "v"),
    ),
    mistake(
        "corrected averages written back",
        "You wrote the corrected averages back into the state. The next step would correct them once more.",
        "Put the corrected values into new variables.",
        step(change_of=_write_back),
    ),
    mistake(
        "ε inside the root",
        "You added ε inside the square root. Where v is near 0, √ε is far larger than ε: with ε = 10⁻⁸ it is 10⁻⁴.",
        "Take the square root first, then add ε.",
        step(change_of=lambda m, v, g, scales, eps: (m / scales[0]) / np.sqrt(v / scales[1] + eps)),
    ),
    mistake(
        "no ε",
        "You left out ε. A parameter whose gradient has always been 0 then gets 0/0, which is nan.",
        "Add ε to the square root.",
        step(change_of=lambda m, v, g, scales, eps: (m / scales[0]) / np.sqrt(v / scales[1])),
    ),
    mistake(
        "ε beside the uncorrected root",
        "You added ε before v was corrected. The correction then enlarges ε too.",
        "First correct v, then take the square root, then add ε.",
        step(change_of=lambda m, v, g, scales, eps: (m / scales[0]) * np.sqrt(scales[1]) / (np.sqrt(v) + eps)),
    ),
    mistake(
        "no square root",
        "You divided by v itself. v averages *squares*, so numbers with small gradients would take huge steps.",
        "Divide by the square root of v, plus ε.",
        step(change_of=lambda m, v, g, scales, eps: (m / scales[0]) / (v / scales[1] + eps)),
    ),
    mistake(
        "the gradient in place of its average",
        "You moved the parameter by the gradient of this batch, and never used m.",
        "Use the corrected m as the numerator.",
        step(change_of=lambda m, v, g, scales, eps: g / (np.sqrt(v / scales[1]) + eps)),
    ),
    mistake(
        "β swapped",
        "You used β₂ for m and β₁ for v. The squares need the longer memory, since the step is divided by them.",
        "`betas` holds β₁, for m, and then β₂, for v.",
        step(betas_of=lambda betas: betas[::-1]),
    ),
    mistake(
        "β and 1 − β swapped",
        "Your averages keep 1 − β of the old value and β of the new one, so they forget nearly everything at each step.",
        "Keep β of the old value.",
        step(move_m=_swapped, move_v=_swapped),
        step(move_m=_swapped),
        step(move_v=_swapped),
    ),
    mistake(
        "not an average",
        "You added the whole gradient to β · m. Then m is a sum, about 1/(1 − β) times too large, and not an average.",
        "Multiply what you add by 1 − β.",
        step(move_m=_added, move_v=_added),
        step(move_m=_added),
        step(move_v=_added),
    ),
    mistake(
        "the old average added again",
        "With `m += β₁ · m + …`, the old average is multiplied by 1 + β₁. The averages grow without end.",
        "First shrink it, with `*=`. Then add the new part, with `+=`.",
        step(move_m=_kept_twice, move_v=_kept_twice),
        step(move_m=_kept_twice),
        step(move_v=_kept_twice),
    ),
    mistake(
        "the square of the average",
        "Your v averages the square of m. It should average the squares of the gradients: if these jump between 1 and −1, "
        "m is near 0, but v is 1.",
        "Square the gradient.",
        step(squared=lambda gradient, m: m**2),
    ),
    mistake(
        "no squares",
        "Your v averages the gradients themselves, or their sizes. It should average their squares.",
        "Use `gradient**2`.",
        step(squared=lambda gradient, m: gradient),
        step(squared=lambda gradient, m: np.abs(gradient)),
    ),
    mistake(
        "uphill",
        "You added the update, so the parameters move towards a larger loss.",
        "Subtract it.",
        step(update=_uphill),
    ),
    mistake(
        "no learning rate",
        "Your update is not multiplied by the learning rate.",
        "Subtract `lr` times the ratio.",
        step(update=_without_rate),
    ),
)
