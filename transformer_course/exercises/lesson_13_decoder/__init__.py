"""Lesson 13, the decoder: its predictions and the exercises of its sheet."""
