"""Lesson 12, the encoder: its predictions and the exercises of its sheet."""

from .hub import hub
from .layer import encoder_layer
from .predictions import PREDICTIONS
from .sizes import sizes
from .which_layer import which_layer

EXERCISES = [sizes, encoder_layer, hub, which_layer]

__all__ = ["EXERCISES", "PREDICTIONS"]
