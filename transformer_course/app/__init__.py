"""The command ``transformer-course``, and what learners need around the lessons."""
