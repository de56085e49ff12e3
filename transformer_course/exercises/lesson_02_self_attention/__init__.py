"""Lesson 02, self-attention by hand: its predictions and the exercises of its sheet."""
