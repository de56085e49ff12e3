"""Lesson 21, reading sources critically: its predictions and the exercises of its sheet."""
