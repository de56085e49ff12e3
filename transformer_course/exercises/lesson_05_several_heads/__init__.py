"""Lesson 05, several heads: its predictions and the exercises of its sheet."""

from .mask_trap import mask_trap
from .merge import merge
from .multi_head import multi_head
from .neighbours import neighbours
from .order import order
from .predictions import PREDICTIONS
from .sizes import sizes
from .split import split

EXERCISES = [sizes, split, merge, multi_head, order, neighbours, mask_trap]

__all__ = ["EXERCISES", "PREDICTIONS"]
