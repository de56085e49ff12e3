"""Wrong answers that the checks once accepted, or answered with a misleading message."""

import numpy as np
import pytest
from examining import SEEDS, verdict

from transformer_course.exercises import catalogue
from transformer_course.exercises.exercise import show
from transformer_course.exercises.lesson_02_self_attention.softmax import softmax
from transformer_course.exercises.lesson_13_decoder import parts_mistakes
from transformer_course.exercises.lesson_13_decoder.steps import program
from transformer_course.exercises.lesson_14_loss.loss_mistakes import loss_of
from transformer_course.exercises.lesson_14_loss.shift import shift
from transformer_course.exercises.lesson_16_decoding.greedy import greedy_by_name
from transformer_course.exercises.lesson_18_family.mask_tokens import mask_tokens


def ends_anywhere(written, targets, end):
    rows = zip(written.tolist(), targets.tolist(), strict=True)
    return np.mean([end in ours and ours[: right.index(end)] == right[: right.index(end)] for ours, right in rows])


def skips_empty_targets(written, targets, end):
    kept = targets[:, 0] != end
    return catalogue()["training.exact"].reference(written[kept], targets[kept], end)


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


def inclusive(tokens, special, mask_id, draw, fate, others):
    return mask_tokens(tokens, special, mask_id, np.where(draw == 0.15, 0, draw), fate, others)


def fate_inclusive(tokens, special, mask_id, draw, fate, others):
    return mask_tokens(tokens, special, mask_id, draw, np.where(fate == 0.8, 0.5, fate), others)


def pair(cache, key, value):
    return np.concatenate([cache["key"], key], 2), np.concatenate([cache["value"], value], 2)


def three_axes_at_most(scores):
    if scores.ndim > 3:
        raise ValueError("three axes at most")
    return softmax(scores)


def several_columns(scores):
    return softmax(scores) if scores.shape[-1] > 1 else scores


WRONG = {
    "training.exact": [ends_anywhere, skips_empty_targets, at_least_one_right],
    "training.loss": [
        lambda logits, labels, pad: loss_of(logits, np.where(labels == 0, pad, labels), pad),
        needs_padding_everywhere,
        needs_a_label_in_each_row,
    ],
    "family.mask_tokens": [inclusive, fate_inclusive],
    "decoding.extend_cache": [pair, lambda *a: list(pair(*a))],
    "attention.softmax": [three_axes_at_most, several_columns],
    "decoding.greedy": [
        lambda step, begin, end, limit: greedy_by_name(step, begin, None if begin == end else end, limit),
        lambda step, begin, end, limit: greedy_by_name(step, begin, end, max(limit, 1)),
        lambda step, begin, end, limit: greedy_by_name(step, begin, end, max(limit, 2)),
    ],
    "training.shift": [lambda targets, begin: shift(targets, begin or 1)],
    "decoder.layer": [program(norm=parts_mistakes._spread(eps=eps)) for eps in (0, 1e-8, 1e-6)],
}


@pytest.mark.parametrize(
    ("name", "place"), [(name, place) for name, answers in WRONG.items() for place in range(len(answers))]
)
def test_a_wrong_answer_that_once_passed_fails(name, place):
    for seed in SEEDS:
        assert not verdict(catalogue()[name], WRONG[name][place], seed).passed


REACH = [[1, 0, 0, 0, 1, 1, 0], [1, 1, 0, 0, 1, 1, 0], [1, 1, 1, 0, 1, 1, 0], [0, 0, 1, 1, 1, 1, 0]]
HUB = np.zeros((7, 7))
HUB[0, 1:] = HUB[1:, 0] = 1
HUB[5] = 0


def sorted_mask(probabilities, p):
    ranked = np.sort(probabilities, -1)[..., ::-1]
    kept = np.where(ranked.cumsum(-1) - ranked < p, probabilities, 0)
    return kept / kept.sum(-1, keepdims=True)


def first_largest(blocks):
    largest, total, mixture = blocks[0][0].max(-1, keepdims=True), 0, 0
    for scores, values in blocks:
        exponentials = np.exp(scores - largest)
        total, mixture = total + exponentials.sum(-1, keepdims=True), mixture + exponentials @ values
    return mixture / total


def to_first_pad(logits, labels, pad):
    cut = np.maximum.accumulate(labels == pad, axis=1)
    return loss_of(logits, np.where(cut, pad, labels), pad)


def writes_into_targets(targets, begin):
    before = targets.copy()
    targets[:, 1:], targets[:, 0] = before[:, :-1], begin
    return targets.copy(), before


@pytest.mark.parametrize(
    ("name", "answer", "words"),
    [
        ("explain.twin", [0.3, 0.25, 0.25, 0.3, 0], "Your row sums to 1.1."),
        ("explain.twin", [0.3, 0.2, 0.2, 0.2, 0], "Your row sums to 0.9."),
        ("encoder.hub", HUB, "Position 6 attends to nothing"),
        ("layers.company", [[0, 1, 5], [2, 4, 2], [1, 1, 2]], "In each column, the mean of the others is our own number."),
        ("decoding.by_hand", [-3.4657, -2.9706, -2.0794, 0.3], "You divided the probabilities by 2 and took their softmax."),
        ("decoding.by_hand", [-3.4657, -2.9706, -2.0794, 0.55], "0.55 for the probability at temperature 2"),
        ("residual.right_angles", [13, 4 / 3, 2.4, 1, 0.22], "what is left after three norms"),
        ("transformer.parameters", [263168, 789760, 5752321], "is wrong: 5752321 for the whole model (off by 1)."),
        ("transformer.parameters", [263168, 789760, 3192320], "lacks the table of 10,000 tokens"),
        ("positions.far_and_near", (0, 1, 300), "At r, the tip is still further from the tip at p"),
        (
            "layers.feed_forward",
            lambda x, w1, b1, w2, b2: max(0, x @ w1 + b1) @ w2 + b2,
            "a whole array was used where Python",
        ),
        ("training.shift", writes_into_targets, "your function modifies its input"),
        ("decoder.reach", REACH, "One of your 28 numbers is wrong: 0 for output 4 and target token 2."),
        (
            "reading.lengths",
            [1, 2, 10, 0],
            "One of your 4 numbers is wrong: 0 for the length of [9, −3, −9, 3] after LayerNorm.",
        ),
        ("residual.by_hand", [[6, 6], [2, 2]], "Your numbers are all right, but in a different order."),
        ("cost.online_softmax", first_largest, "You subtract the largest score of the first block everywhere."),
        ("decoding.top_p", sorted_mask, "used it on the unsorted probabilities"),
        ("training.loss", to_first_pad, "You cut each row at its first padding."),
        ("family.verdict", {"claim": "b", "reason": "a", "value": 0.97}, "0.97 is the ViT's own number"),
        ("family.verdict", {"claim": "b", "reason": "a", "value": 0.81}, "The claim and the reason are right. The value"),
    ],
)
def test_a_message_names_what_is_wrong(name, answer, words):
    message = verdict(catalogue()[name], answer).message
    assert words in message
    assert "Almost" not in message


def test_almost_is_said_of_rounding_alone():
    by_hand, parameters = catalogue()["decoding.by_hand"], catalogue()["transformer.parameters"]
    assert "Almost: -3.5 is close" in verdict(by_hand, [-3.5, -2.9706, -2.0794, 0.4444]).message
    assert "Almost" not in verdict(by_hand, [-3.4657, -2.9706, -2.0794, 0.5]).message
    assert "Almost" not in verdict(parameters, [263168, 789760, 5752325]).message


def test_a_copy_is_recommended_where_an_input_was_modified():
    assert "`targets = targets.copy()`" in verdict(catalogue()["training.shift"], writes_into_targets).hint


def test_a_long_list_in_a_message_is_cut_between_its_items():
    blocks = [[np.ones((2, 3, 4, 5)), np.ones((2, 3, 5, 6))] for _ in range(9)]
    assert show(blocks).endswith("an array of shape (2, 3, 5, 6)], …]")
    assert show([1.0, 2.5, 5752320.0]) == "[1, 2.5, 5752320]"
