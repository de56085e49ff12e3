"""Lesson 18, the family: its predictions and the exercises of its sheet."""
