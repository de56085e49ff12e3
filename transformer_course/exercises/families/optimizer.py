"""What goes wrong in one step of AdamW. A piece is a mapping: the arguments of ``step`` that are replaced."""

import operator

import numpy as np

from ..exercise import in_order
from . import pairs


def average(old, new, beta):
    return beta * old + (1 - beta) * new


def corrections(t, betas):
    return [1 - beta**t for beta in betas]


def ratio(m, v, gradient, scales, eps):
    return m / scales[0] / (np.sqrt(v / scales[1]) + eps)


def step(
    *,
    betas_of=lambda betas: betas,
    gradient_of=lambda parameter, gradient, decay: gradient,
    move_m=average,
    move_v=average,
    square=lambda gradient, m: gradient**2,
    correct=corrections,
    change=ratio,
    rate=lambda lr: lr,
    keep=lambda lr, decay: 1 - lr * decay,
    decay_last=False,
    averages_last=False,
    used=1,
    kept=1,
    for_each_tensor=False,
    copied=(),
):
    """A step of AdamW that is right unless a piece is replaced.

    ``used`` and ``kept`` are added to the number of steps, for the corrections and in the state. Of "parameters", "m" and "v",
    those that are ``copied`` are not changed themselves.
    """

    def adamw_step(parameters, gradients, state, lr, betas, eps, weight_decay):
        betas, t = betas_of(betas), state["step"] + used
        state["step"] += kept * (len(parameters) if for_each_tensor else 1)
        lists = {"parameters": parameters, "gradients": gradients, "m": state["m"], "v": state["v"]}
        arrays = ([each.copy() if name in copied else each for each in held] for name, held in lists.items())
        for place, (parameter, given, m, v) in enumerate(zip(*arrays, strict=True)):
            before = m.copy(), v.copy()
            gradient = gradient_of(parameter, given, weight_decay)
            m[...] = move_m(m, gradient, betas[0])
            v[...] = move_v(v, square(gradient, m), betas[1])
            averages = before if averages_last else (m, v)
            scales = correct(t + place if for_each_tensor else t, betas)
            update, left = rate(lr) * change(*averages, gradient, scales, eps), keep(lr, weight_decay)
            parameter[...] = left * (parameter - update) if decay_last else left * parameter - update

    return adamw_step


L2 = (
    {"gradient_of": lambda parameter, gradient, decay: gradient + decay * parameter},
    {"gradient_of": lambda parameter, gradient, decay: np.add(gradient, decay * parameter, out=gradient)},
)


def _corrected(*corrections):
    return [{"correct": correct} for correct in corrections]


def _changed(*changes):
    """Other ratios of m and v, both corrected: change(m, v, gradient, ε, the scale of v)."""
    return [{"change": lambda m, v, g, s, eps, each=each: each(m / s[0], v / s[1], g, eps, s[1])} for each in changes]


def _moved(move):
    """Both averages moved like this, or one of them."""
    return [{"move_m": move, "move_v": move}, {"move_m": move}, {"move_v": move}]


def _write_back(m, v, gradient, scales, eps):
    m /= scales[0]
    v /= scales[1]
    return m / (np.sqrt(v) + eps)


DECAY = {
    "decay in the gradient": (
        "You added the weight decay to the gradient. There it passes through both averages and is divided by the square root "
        "of v, so numbers with large gradients hardly decay. That is Adam with L2 regularisation; the W in AdamW stands for "
        "keeping the two apart.",
        "Leave the gradient alone, and shrink the parameter itself.",
        *({**l2, "keep": lambda lr, decay: 1} for l2 in L2),
    ),
    "no weight decay": (
        "The weight decay is missing.",
        "Multiply each parameter by 1 − `lr` · `weight_decay`.",
        {"keep": lambda lr, decay: 1},
    ),
    "decay after the update": (
        "You shrink the parameter after the update, so the decay also takes back a little of the step itself. The definition "
        "shrinks the parameter as it was before.",
        "Apply the decay before the update.",
        {"decay_last": True},
    ),
    "decay without the learning rate": (
        "Your decay is not multiplied by the learning rate. With a decay of 0.01, each step would take away 1% of every "
        "parameter, even at the end, when the learning rate is almost 0.",
        "Shrink the parameter by `lr * weight_decay` of itself.",
        {"keep": lambda lr, decay: 1 - decay},
    ),
}

OTHER_DECAY = {
    "decay twice": (
        "You added the weight decay to the gradient, and also shrank the parameter.",
        "Only the second belongs to AdamW.",
        *L2,
    ),
    "the learning rate and the decay added": (
        "You take away `lr` plus `weight_decay` of each parameter. The decay is their product.",
        "Shrink the parameter by `lr * weight_decay` of itself.",
        {"keep": lambda lr, decay: 1 - lr - decay},
    ),
    "nearly everything decays": (
        "You multiply the parameter by `lr * weight_decay`, which is nearly 0, so it loses almost everything at each step.",
        "How much should be taken away, and how much should stay?",
        {"keep": lambda lr, decay: lr * decay},
    ),
    "decay with the wrong sign": (
        "Your decay makes the parameters grow.",
        "Multiply by 1 − `lr` · `weight_decay`.",
        {"keep": lambda lr, decay: 1 + lr * decay},
    ),
}

CORRECTED = {
    "no bias correction": (
        "You use m and v without a bias correction. They start at 0, so at first both are far too small, and their ratio is "
        "wrong.",
        "Divide m by 1 − β₁ᵗ and v by 1 − β₂ᵗ before you use them.",
        *_corrected(lambda t, betas: [1, 1]),
    ),
    "only m corrected": (
        "You corrected m, but not v. After the first step, v is still nearly 0, so the update is far too large.",
        "Divide v by 1 − β₂ᵗ.",
        *_corrected(lambda t, betas: [corrections(t, betas)[0], 1]),
    ),
    "only v corrected": (
        "You corrected v, but not m. The first updates are far too small.",
        "Divide m by 1 − β₁ᵗ.",
        *_corrected(lambda t, betas: [1, corrections(t, betas)[1]]),
    ),
    "correction without the power": (
        "Your corrections are 1 − β at every step, or 1 − β · t. They should fade: after many steps, the averages are no "
        "longer biased towards 0.",
        "Use the power βᵗ, `beta**t`, where t is the number of this step.",
        *_corrected(lambda t, betas: [1 - beta for beta in betas], lambda t, betas: [1 - beta * t for beta in betas]),
    ),
    "ε inside the root": (
        "You added ε inside the square root. Where v is near 0, √ε is far larger than ε: with ε = 10⁻⁸ it is 10⁻⁴.",
        "Take the square root first, then add ε.",
        *_changed(lambda m, v, g, eps, scale: m / np.sqrt(v + eps)),
    ),
    "no ε": (
        "You left out ε. A parameter whose gradient has always been 0 then gets 0/0, which is nan.",
        "Add ε to the square root.",
        *_changed(lambda m, v, g, eps, scale: m / np.sqrt(v)),
    ),
    "ε beside the uncorrected root": (
        "You added ε before v was corrected. (It has that effect to put both corrections into the learning rate.) The "
        "correction then enlarges ε too.",
        "First correct v, then take the square root, then add ε.",
        *_changed(lambda m, v, g, eps, scale: m / (np.sqrt(v) + eps / np.sqrt(scale))),
    ),
    "no square root": (
        "You divided by v itself. v averages *squares*, so numbers with small gradients would take huge steps.",
        "Divide by the square root of v, plus ε.",
        *_changed(lambda m, v, g, eps, scale: m / (v + eps)),
    ),
}

OTHER = {
    "corrected by the wrong β": (
        "You corrected m with β₂ or v with β₁. Each average is corrected with its own β.",
        "m belongs to β₁ and v to β₂, in the corrections too.",
        *_corrected(
            lambda t, betas: corrections(t, betas[::-1]),
            *(lambda t, betas, place=place: corrections(t, [betas[place]] * 2) for place in (0, 1)),
        ),
    ),
    "the average of the squares without effect": (
        "The average v of the squares has no effect on your step, so all numbers have the same learning rate. That is "
        "gradient descent with momentum.",
        "By what is the corrected average of the gradients divided?",
        *_changed(lambda m, v, g, eps, scale: m),
    ),
    "the gradient in place of its average": (
        "You moved the parameter by the gradient of this batch, and never used m.",
        "Use the corrected m as the numerator.",
        *_changed(lambda m, v, g, eps, scale: g / (np.sqrt(v) + eps)),
    ),
    "corrected averages written back": (
        "You wrote the corrected averages back into the state. The next step would correct them once more.",
        "Put the corrected values into new variables.",
        {"change": _write_back},
    ),
    "averages updated last": (
        "You change the parameters first, and the averages afterwards. So the step knows nothing of the new gradient.",
        "In which order does the text list the changes?",
        {"averages_last": True},
    ),
    "β swapped": (
        "You used β₂ for m and β₁ for v. The squares need the longer memory, since the step is divided by them.",
        "`betas` holds β₁, for m, and then β₂, for v.",
        {"betas_of": lambda betas: betas[::-1]},
    ),
    "β and 1 − β swapped": (
        "Your averages keep 1 − β of the old value and β of the new one, so they forget nearly everything at each step.",
        "Keep β of the old value.",
        *_moved(lambda old, new, beta: average(old, new, 1 - beta)),
    ),
    "not an average": (
        "You added the whole gradient to β · m. Then m is a sum, about 1/(1 − β) times too large, and not an average.",
        "Multiply what you add by 1 − β.",
        *_moved(lambda old, new, beta: beta * old + new),
    ),
    "the old average added again": (
        "With `m += β₁ · m + …`, the old average is multiplied by 1 + β₁. The averages grow without end.",
        "First shrink it, with `*=`. Then add the new part, with `+=`.",
        *_moved(lambda old, new, beta: old + average(old, new, beta)),
    ),
    "the square of the average": (
        "Your v averages the square of m. It should average the squares of the gradients: if these jump between 1 and −1, m "
        "is near 0, but v is 1.",
        "Square the gradient.",
        {"square": lambda gradient, m: m**2},
    ),
    "no squares": (
        "Your v averages the gradients themselves, or their sizes. It should average their squares.",
        "Use `gradient**2`.",
        {"square": lambda gradient, m: gradient},
        {"square": lambda gradient, m: np.abs(gradient)},
    ),
    "uphill": (
        "You added the update, so the parameters move towards a larger loss.",
        "Subtract it.",
        {"rate": lambda lr: -lr},
    ),
    "no learning rate": (
        "Your update is not multiplied by the learning rate.",
        "Subtract `lr` times the ratio.",
        {"rate": lambda lr: 1},
    ),
}


BOOKKEEPING = {
    "steps counted from 0": (
        "Your t is the number of steps before this one. At the first, 1 − β⁰ would be 0. The first step has the number 1.",
        'Increase `state["step"]` before you use it.',
        {"used": 0},
        {"correct": lambda t, betas: corrections(max(t - 1, 1), betas)},
    ),
    "step not counted": (
        '`state["step"]` is the same after the call as before. At the next step, the bias correction would start over.',
        "Increase it by 1, once per call.",
        {"kept": 0},
        {"used": 0, "kept": 0},
    ),
    "step counted for each tensor": (
        "You count a step for each parameter. One call is one step, however many parameters there are.",
        "Count before the loop.",
        {"for_each_tensor": True},
    ),
    "gradients squared in place": (
        "After your step, the gradients are their own squares: `square_`, `pow_` and `**=` write into the tensor itself.",
        "An expression such as `gradient**2` makes a new tensor.",
        {"square": lambda gradient, m: np.square(gradient, out=gradient)},
    ),
    "averages not kept": (
        "Your parameters are right, but the averages in the state are the same as before the call. `m = …` makes a new tensor "
        "and leaves the old one in the list, so every step would start from scratch.",
        "Change `m` and `v` themselves, for example with `*=` and `+=`.",
        *({"copied": averages} for averages in (("m", "v"), ("m",), ("v",))),
    ),
    "only the decay kept": (
        "Your parameters have only shrunk. `parameter = parameter - …` makes a new tensor, so the update itself is lost.",
        "Change the parameter itself, with `-=`, in both lines.",
        *_changed(lambda m, v, g, eps, scale: 0 * m),
    ),
    "parameters not changed": (
        "The parameters are the same after the call as before. `parameter = parameter - …` makes a new tensor, and so does "
        "`parameters[i] = …`; the model still holds the old one.",
        "Change the parameter itself, for example with `-=`.",
        *({"copied": ("parameters", *averages)} for averages in ((), ("m", "v"), ("m",), ("v",))),
    ),
}

# People copy a whole algorithm from elsewhere, such as Adam's paper or CS336, and that differs in both respects.
ADAMW = (
    *in_order({**DECAY, **OTHER_DECAY, **CORRECTED, **OTHER, **BOOKKEEPING}),
    *pairs(operator.or_, DECAY, CORRECTED),
)
