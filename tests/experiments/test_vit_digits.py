"""Handwritten digits without a Transformer."""

import pytest

from transformer_course.data import Split, digit_images
from transformer_course.experiments.vit_digits import logistic_regression_accuracy, nearest_neighbour_accuracy


def test_the_nearest_neighbour_and_logistic_regression_know_what_they_have_seen():
    digits = digit_images()
    assert nearest_neighbour_accuracy(Split(digits.train, digits.train)) == 1
    assert nearest_neighbour_accuracy(digits) == pytest.approx(0.978, abs=0.0015)  # as the lesson says
    assert logistic_regression_accuracy(digits) == pytest.approx(0.957, abs=0.005)
