"""Lesson NN, TITLE: the exercises of its sheet."""
