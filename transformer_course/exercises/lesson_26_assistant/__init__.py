"""Lesson 26, from a predictor to an assistant: the exercises of its sheet."""
