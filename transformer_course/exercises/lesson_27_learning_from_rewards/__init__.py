"""Lesson 27, learning from rewards: the exercises of its sheet."""
