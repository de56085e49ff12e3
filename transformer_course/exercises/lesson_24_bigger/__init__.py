"""Lesson 24, whether bigger always wins: its predictions and the exercises of its sheet."""
