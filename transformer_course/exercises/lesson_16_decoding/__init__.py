"""Lesson 16, choosing the next token: its predictions and the exercises of its sheet."""

from .by_hand import by_hand
from .greedy import greedy
from .parallel import parallel
from .predictions import PREDICTIONS
from .top_p import top_p
from .tree import tree

EXERCISES = [by_hand, greedy, tree, top_p, parallel]

__all__ = ["EXERCISES", "PREDICTIONS"]
