"""Data for the lessons: made by rules or by libraries that are installed anyway. Nothing is downloaded.

Each task gives a `Split`. The same arguments give the same examples, in the same order, on any computer; names depend on
Python's version of Unicode too.
"""

from transformer_course.data.dates import date_pairs
from transformer_course.data.digits import digit_images
from transformer_course.data.names import character_names
from transformer_course.data.numbers import number_pairs
from transformer_course.data.split import Split

__all__ = ["Split", "character_names", "date_pairs", "digit_images", "number_pairs"]
