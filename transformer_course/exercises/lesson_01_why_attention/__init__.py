"""Lesson 01, why attention: its predictions and the exercises of its sheet."""
