"""Lesson 09, feed-forward: its predictions and the exercises of its sheet."""

from .alone import test_alone
from .by_hand import by_hand
from .feed_forward import layers_feed_forward
from .predictions import PREDICTIONS
from .zigzag import zigzag

EXERCISES = [by_hand, layers_feed_forward, zigzag, test_alone]

__all__ = ["EXERCISES", "PREDICTIONS"]
