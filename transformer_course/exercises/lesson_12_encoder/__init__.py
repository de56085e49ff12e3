"""Lesson 12, the encoder: its predictions and the exercises of its sheet."""
