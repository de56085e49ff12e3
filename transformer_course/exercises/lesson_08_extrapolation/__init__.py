"""Lesson 08, what extrapolates: its predictions and the exercises of its sheet."""
