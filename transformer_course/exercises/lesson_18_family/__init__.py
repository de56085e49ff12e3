"""Lesson 18, the family: its predictions and the exercises of its sheet."""

from .cut import cut
from .mask_tokens import mask
from .plan import plan
from .predictions import PREDICTIONS
from .sizes import sizes
from .verdict import verdict

EXERCISES = [sizes, cut, mask, plan, verdict]

__all__ = ["EXERCISES", "PREDICTIONS"]
