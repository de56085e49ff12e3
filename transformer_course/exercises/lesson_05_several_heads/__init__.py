"""Lesson 05, several heads: its predictions and the exercises of its sheet."""
