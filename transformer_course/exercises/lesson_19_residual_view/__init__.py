"""Lesson 19, the residual view: its predictions and the exercises of its sheet."""

from .plan import residual_plan
from .predictions import PREDICTIONS
from .right_angles import right_angles
from .two_edits import two_edits
from .which_edit import which_edit
from .who_wrote import residual_who_wrote

EXERCISES = [right_angles, residual_who_wrote, two_edits, which_edit, residual_plan]

__all__ = ["EXERCISES", "PREDICTIONS"]
