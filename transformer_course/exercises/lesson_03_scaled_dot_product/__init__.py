"""Lesson 03, queries, keys, values, and the scale: its predictions and the exercises of its sheet."""
