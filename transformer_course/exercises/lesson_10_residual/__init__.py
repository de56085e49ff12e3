"""Lesson 10, residual connections: its predictions and the exercises of its sheet."""
