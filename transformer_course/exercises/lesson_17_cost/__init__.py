"""Lesson 17, what attention costs: its predictions and the exercises of its sheet."""

from .by_hand import by_hand
from .extend_cache import extend
from .forgetful import forgetful
from .online_softmax import online_softmax
from .predictions import PREDICTIONS
from .three_programs import three_programs

EXERCISES = [by_hand, extend, forgetful, online_softmax, three_programs]

__all__ = ["EXERCISES", "PREDICTIONS"]
