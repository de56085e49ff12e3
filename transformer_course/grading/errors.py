"""Errors that stop the grading of a class. Each message says what went wrong and what to try."""


class GradingError(Exception):
    """Something that a teacher asked for cannot be done."""


class Unavailable(GradingError):
    """This computer cannot provide the sandbox, so no learner's code is run."""
