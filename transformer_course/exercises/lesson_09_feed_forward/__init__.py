"""Lesson 09, feed-forward: its predictions and the exercises of its sheet."""
