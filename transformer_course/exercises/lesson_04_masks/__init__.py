"""Lesson 04, masks: its predictions and the exercises of its sheet."""

from .by_hand import causal_by_hand
from .causal_mask import attention_causal_mask
from .causality import test_causal
from .conventions import two_conventions
from .dropout import dropout_row
from .late_mask import late_mask
from .masked import attention_masked
from .padding_mask import attention_padding_mask
from .predictions import PREDICTIONS

EXERCISES = [
    causal_by_hand,
    attention_causal_mask,
    attention_padding_mask,
    two_conventions,
    late_mask,
    attention_masked,
    test_causal,
    dropout_row,
]

__all__ = ["EXERCISES", "PREDICTIONS"]
