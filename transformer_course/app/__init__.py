"""The command ``transformer-course``, and the other programs around the lessons."""
