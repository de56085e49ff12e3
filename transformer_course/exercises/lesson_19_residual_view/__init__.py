"""Lesson 19, the residual view: its predictions and the exercises of its sheet."""
