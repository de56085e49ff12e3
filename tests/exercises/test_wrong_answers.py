"""Wrong answers that the checks once accepted."""

import numpy as np
from examining import SEEDS, verdict

from transformer_course.exercises import catalogue
from transformer_course.exercises.exercise import show
from transformer_course.exercises.families.loss import loss as loss_of
from transformer_course.exercises.lesson_02_self_attention.softmax import softmax
from transformer_course.exercises.lesson_14_loss.shift import shift
from transformer_course.exercises.lesson_16_decoding.greedy import greedy


def at_least_one_right(written, targets, end):
    return max(catalogue()["training.exact"].reference(written, targets, end), 1 / len(targets))


def needs_padding_everywhere(logits, labels, pad):
    if not (labels == pad).any():
        raise ValueError("no padding")
    return loss_of(logits, labels, pad)


def needs_a_label_in_each_row(logits, labels, pad):
    if not (labels != pad).any(1).all():
        raise ValueError("a row of padding")
    return loss_of(logits, labels, pad)


def pair(cache, key, value):
    return np.concatenate([cache["key"], key], 2), np.concatenate([cache["value"], value], 2)


def three_axes_at_most(scores):
    if scores.ndim > 3:
        raise ValueError("three axes at most")
    return softmax(scores)


def several_columns(scores):
    return softmax(scores) if scores.shape[-1] > 1 else scores


def without_the_axis_of_one(name):
    """What `x.squeeze(0)` makes of a batch of one, after `x.unsqueeze(0)` for a single sequence."""

    def squeezed(*question):
        made = catalogue()[name].reference(*question)
        return made[0] if made.ndim > 2 and len(made) == 1 else made

    return squeezed


OF_A_BATCH = "recurrence.states", "attention.self_attention", "attention.scaled_dot_product", "attention.masked"
WRONG = {
    **{name: [without_the_axis_of_one(name)] for name in OF_A_BATCH},
    "training.exact": [at_least_one_right],
    "training.loss": [needs_padding_everywhere, needs_a_label_in_each_row],
    "decoding.extend_cache": [pair, lambda *a: list(pair(*a))],
    "attention.softmax": [three_axes_at_most, several_columns],
    "decoding.greedy": [
        lambda step, begin, end, limit: greedy.reference(step, begin, None if begin == end else end, limit),
        lambda step, begin, end, limit: greedy.reference(step, begin, end, max(limit, 2)),
    ],
    "training.shift": [lambda targets, begin: shift(targets, begin or 1)],
}


def test_a_wrong_answer_that_once_passed_fails_on_every_seed():
    answers = [(name, place) for name, answers in WRONG.items() for place in range(len(answers))]
    passed = [
        (name, place, seed)
        for name, place in answers
        for seed in SEEDS
        if verdict(catalogue()[name], WRONG[name][place], seed).passed
    ]
    assert passed == []


def test_a_long_list_in_a_message_is_cut_between_its_items():
    blocks = [[np.ones((2, 3, 4, 5)), np.ones((2, 3, 5, 6))] for _ in range(9)]
    assert show(blocks).endswith("an array of shape (2, 3, 5, 6)], …]")
    assert show([1.0, 2.5, 5752320.0, np.float32(0.25), -0.0]) == "[1, 2.5, 5752320, 0.25, 0]"
