"""Lesson 06, from text to tensor: its predictions and the exercises of its sheet."""
