"""Lesson 14, logits, loss and the shift: its predictions and the exercises of its sheet."""
