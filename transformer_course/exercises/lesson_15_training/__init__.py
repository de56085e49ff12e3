"""Lesson 15, the whole Transformer, trained: its predictions and the exercises of its sheet."""
