"""Lesson 20, attention weights as explanation: its predictions and the exercises of its sheet."""
