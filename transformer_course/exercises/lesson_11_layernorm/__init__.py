"""Lesson 11, LayerNorm: its predictions and the exercises of its sheet."""
