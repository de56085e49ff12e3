"""Lesson 11, LayerNorm: its predictions and the exercises of its sheet."""

from .company import company
from .layer_norm import layers_layer_norm
from .predictions import PREDICTIONS
from .standardised import standardised
from .two_epsilons import two_epsilons
from .which_world import which_world

EXERCISES = [standardised, layers_layer_norm, two_epsilons, company, which_world]

__all__ = ["EXERCISES", "PREDICTIONS"]
