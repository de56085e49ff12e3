"""Lesson 07, reading the sinusoids: its predictions and the exercises of its sheet."""

from .alias import far_and_near
from .clocks import test_clocks
from .one_matrix import one_matrix
from .periods import periods
from .predictions import PREDICTIONS
from .sinusoidal import positions_sinusoidal
from .turn import three_back

EXERCISES = [periods, positions_sinusoidal, test_clocks, three_back, far_and_near, one_matrix]

__all__ = ["EXERCISES", "PREDICTIONS"]
