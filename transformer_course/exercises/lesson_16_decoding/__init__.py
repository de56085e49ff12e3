"""Lesson 16, choosing the next token: its predictions and the exercises of its sheet."""
