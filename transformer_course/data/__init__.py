"""Data for the lessons: made by rules or by libraries that are installed anyway. Nothing is downloaded.

Each task gives a `Split`. Which examples there are, and which are held back, depends on the seed alone.
"""

from transformer_course.data.dates import date_pairs
from transformer_course.data.digits import digit_images
from transformer_course.data.names import character_names
from transformer_course.data.numbers import number_pairs
from transformer_course.data.split import Split

__all__ = ["Split", "character_names", "date_pairs", "digit_images", "number_pairs"]
