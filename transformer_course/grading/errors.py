"""What stops the grading of a class; each message says why and what to try."""


class GradingError(Exception):
    """What a teacher asked for cannot be done."""


class Unavailable(GradingError):
    """The locks cannot be had on this computer, so nobody's code is run."""
