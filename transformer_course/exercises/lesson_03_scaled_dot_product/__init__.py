"""Lesson 03, queries, keys, values, and the scale: its predictions and the exercises of its sheet."""

from .one_way import one_way
from .predictions import PREDICTIONS
from .saturated import saturated
from .scaled_dot_product import attention_scaled
from .score_spread import score_spread
from .shapes import shapes

EXERCISES = [shapes, attention_scaled, score_spread, one_way, saturated]

__all__ = ["EXERCISES", "PREDICTIONS"]
