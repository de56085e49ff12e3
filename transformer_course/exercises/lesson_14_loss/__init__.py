"""Lesson 14, logits, loss and the shift: its predictions and the exercises of its sheet."""

from .by_hand import by_hand
from .loss import loss
from .predictions import PREDICTIONS
from .shift import shift_right
from .too_good import too_good
from .underflow import underflow

EXERCISES = [by_hand, shift_right, underflow, loss, too_good]

__all__ = ["EXERCISES", "PREDICTIONS"]
