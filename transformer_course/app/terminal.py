"""Printing never ends a command: not what the terminal cannot show, and not a reader that leaves early, such as ``head``."""

import codecs
import os
import sys
from contextlib import suppress
from typing import IO

from rich.console import Console

ANY_CHARACTER = "transformer-course"  # the name of the error handler
PLAIN = {"–": "-", "—": "-", "·": "-", "→": ">", "←": "<", "…": "...", "×": "x", "“": '"', "”": '"', "‘": "'", "’": "'"}


def print_anything() -> None:
    """From now on, print characters that the terminal cannot show as similar ones or as their numbers: ``\\u674e``.

    What a reader that has left cannot receive is discarded. The command goes on, because it may still have files to write.
    """
    codecs.register_error(ANY_CHARACTER, _shown)
    for stream in _streams():
        stream.reconfigure(errors=ANY_CHARACTER)
    Console.on_broken_pipe = lambda console: _discard(console.file)  # by default, it ends the program


def end_printing() -> None:
    """Print what is still to be printed. Without this, Python would complain at the very end about a reader that has left."""
    for stream in _streams():
        try:
            stream.flush()
        except BrokenPipeError:
            _discard(stream)


def _streams() -> list[IO[str]]:
    return [stream for stream in (sys.stdout, sys.stderr) if hasattr(stream, "reconfigure")]  # None if it is closed


def _discard(stream: IO[str]) -> None:
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _shown(error: UnicodeError) -> tuple[str, int]:
    """Return what to print in place of characters that an encoding lacks."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    return "".join(PLAIN.get(each) or each.encode("ascii", "backslashreplace").decode() for each in text), error.end
