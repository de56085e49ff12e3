"""Lesson 25, small and fast: its predictions and the exercises of its sheet."""
