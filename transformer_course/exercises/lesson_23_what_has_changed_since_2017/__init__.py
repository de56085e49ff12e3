"""Lesson 23, what has changed since 2017: its predictions and the exercises of its sheet."""
