"""Lesson 04, masks: its predictions and the exercises of its sheet."""
