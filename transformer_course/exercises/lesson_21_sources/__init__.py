"""Lesson 21, reading sources critically: its predictions and the exercises of its sheet."""

from .lengths import lengths
from .linear import test_linear
from .lower_loss import lower_loss
from .nearer import nearer
from .padding_side import padding_side
from .predictions import PREDICTIONS

EXERCISES = [lengths, nearer, lower_loss, test_linear, padding_side]

__all__ = ["EXERCISES", "PREDICTIONS"]
