"""A line that says how far a long run is, and leaves nothing behind."""

import os
import sys
import time
from collections.abc import Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def progress(items: Sequence[Item], label: str) -> Iterator[Item]:
    """Yield the items, and show in a notebook or a terminal how many are done, once it has taken a second.

    Nothing is shown where nobody looks: into a file, a pipe, or when ``TRANSFORMER_COURSE_PROGRESS`` is ``off``.
    """
    show = _display()
    begun = shown = time.monotonic()
    try:
        for done, item in enumerate(items):
            now = time.monotonic()
            if done and now - begun > 1 and now - shown > 0.25:
                shown = now
                left = (now - begun) / done * (len(items) - done)
                show(f"{label}: {done} of {len(items)}, about {left:.0f} s left")
            yield item
    finally:
        if shown != begun:
            show("")


def _display():
    if os.environ.get("TRANSFORMER_COURSE_PROGRESS") == "off":
        return lambda text: None
    if "ipykernel" in sys.modules:
        return _Cell()
    if sys.stdout.isatty():
        return lambda text: print(f"\r\x1b[K{text}", end="", flush=True)
    return lambda text: None


class _Cell:
    """One output of the cell that runs, written over at each call."""

    def __init__(self):
        self.handle = None

    def __call__(self, text: str) -> None:
        from IPython.display import display

        data = {"text/plain": text} if text else {}  # an output without data takes no room
        if self.handle is None:
            self.handle = display(data, raw=True, display_id=True)
        else:
            self.handle.update(data, raw=True)
