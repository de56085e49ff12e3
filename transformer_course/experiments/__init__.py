"""Experiments of the lessons: a task, the smallest models that show the point, and what is measured. One file each.

Each trains on batches made from a seed, so that the same arguments give the same result on the same computer, and in
seconds: a comparison of several models and three seeds fits into a lesson.
"""
