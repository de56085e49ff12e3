"""Show only the beginning of what an answer prints while it is checked: a megabyte would bury the card."""

import io
import threading
from typing import TextIO

from transformer_course.runner import limits


class CappedOutput(io.TextIOBase):
    """A stream that passes on the first ``limits.PRINTED_CHARACTERS`` and then says, once, that the rest is not shown.

    What other threads print is passed on whatever its length: messages of ours.
    """

    def __init__(self, stream: TextIO):
        self.stream, self.left = stream, limits.PRINTED_CHARACTERS

    def write(self, text: str) -> int:
        if threading.current_thread() is not threading.main_thread():
            return self.stream.write(text)
        if self.left >= 0:
            self.stream.write(text[: self.left])
            self.left -= len(text)
            if self.left < 0:
                most = f"{limits.PRINTED_CHARACTERS:,}"
                self.stream.write(f"\n… Your answer prints more than {most} characters. The rest is not shown.\n")
        return len(text)

    def flush(self) -> None:
        self.stream.flush()
