"""Lesson 15, the whole Transformer, trained: its predictions and the exercises of its sheet."""

from .exact import exact_match
from .parameters import parameters
from .plan import rare
from .predictions import PREDICTIONS
from .step import step

EXERCISES = [parameters, step, exact_match, rare]

__all__ = ["EXERCISES", "PREDICTIONS"]
