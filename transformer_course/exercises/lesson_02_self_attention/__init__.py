"""Lesson 02, self-attention by hand: its predictions and the exercises of its sheet."""

from .by_hand import by_hand, wrong_row, zero_token
from .predictions import PREDICTIONS
from .self_attention import attention_self, hidden_bug
from .softmax import attention_softmax, test_softmax

EXERCISES = [by_hand, zero_token, attention_softmax, test_softmax, attention_self, hidden_bug, wrong_row]

__all__ = ["EXERCISES", "PREDICTIONS"]
