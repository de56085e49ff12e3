"""A line that shows how far a long run has got, and disappears at the end."""

import os
import sys
import time
from collections.abc import Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def progress(items: Sequence[Item], label: str) -> Iterator[Item]:
    """Yield the items. In a notebook or a terminal, show how many are done if it takes longer than a second,
    and how long the rest takes, but not by the first of many items, which are slower.

    Nothing is shown if the output is a file or a pipe, or if ``TRANSFORMER_COURSE_PROGRESS`` is ``off``.
    """
    show = _display()
    started = shown = time.monotonic()
    try:
        for done, item in enumerate(items):
            now = time.monotonic()
            if done and now - started > 1 and now - shown > 0.25:
                shown = now
                left = (now - started) / done * (len(items) - done)
                slow = done < min(10, len(items) / 10)  # the first steps of a training
                show(f"{label}: {done} of {len(items)}{'' if slow else f', about {left:.0f} s left'}")
            yield item
    finally:
        if shown != started:
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
    """An output of the running cell. Each call replaces its text."""

    def __init__(self):
        self.handle = None

    def __call__(self, text: str) -> None:
        from IPython.display import display

        data = {"text/plain": text} if text else {}  # an output without data takes no space
        if self.handle is None:
            self.handle = display(data, raw=True, display_id=True)
        else:
            self.handle.update(data, raw=True)
