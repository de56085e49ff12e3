"""The lessons' experiments. Each file holds one task, the smallest models that make the point, and the measurements.

All batches are drawn from a seed, so the same arguments give the same result on the same computer. Each run takes
seconds: a lesson has time to compare several models with three seeds each.
"""
