"""Lesson 06, from text to tensor: its predictions and the exercises of its sheet."""

from .apart import apart
from .drowned import drowned
from .embed import embedding
from .ids import ids
from .nearest import nearest
from .order import test_order
from .predictions import PREDICTIONS

EXERCISES = [ids, embedding, drowned, nearest, test_order, apart]

__all__ = ["EXERCISES", "PREDICTIONS"]
