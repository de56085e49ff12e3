"""Lesson 07, reading the sinusoids: its predictions and the exercises of its sheet."""
