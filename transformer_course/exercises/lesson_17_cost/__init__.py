"""Lesson 17, what attention costs: its predictions and the exercises of its sheet."""
