"""Frames over a socket, from either end: with a deadline where the other end is not trusted."""

import socket
import time

from . import limits
from .wire import LENGTHS, decode, encode


class Closed(Exception):
    """The other end is gone."""


class Late(Exception):
    """The deadline has passed."""


class Link:
    """One end of a connected socket. ``deadline`` is a time of ``time.monotonic()``, or None to wait for ever."""

    def __init__(self, end: socket.socket):
        self.end = end
        self._received = bytearray()  # what came with an earlier frame
        self._unsent = memoryview(b"")  # what is left of the value that is being sent

    def send(self, value, deadline: float | None = None) -> None:
        self._unsent = memoryview(encode(value))
        self.send_rest(deadline)

    def send_rest(self, deadline: float | None = None) -> None:
        """Go on sending a value after ``Late``."""
        while self._unsent:
            self._wait(deadline)
            try:
                self._unsent = self._unsent[self.end.send(self._unsent) :]
            except TimeoutError:
                raise Late from None
            except OSError:
                raise Closed from None

    def receive(self, deadline: float | None = None):
        """The next value. Raises WireError for what is no frame; afterwards the link is of no use."""
        size = LENGTHS.size
        self._await(size, deadline)
        body = sum(LENGTHS.unpack(self._received[:size]))
        if body <= limits.FRAME_BYTES:
            size += body
            self._await(size, deadline)
        frame = bytes(self._received[:size])
        del self._received[:size]
        return decode(frame)

    def _await(self, size: int, deadline: float | None) -> None:
        """Wait until so many bytes of the next frame are there. After ``Late``, one can go on waiting for the rest."""
        while len(self._received) < size:
            self._wait(deadline)
            try:
                part = self.end.recv(2**16)
            except TimeoutError:
                raise Late from None
            except OSError:
                part = b""
            if not part:
                raise Closed
            self._received += part

    def _wait(self, deadline: float | None) -> None:
        left = None if deadline is None else deadline - time.monotonic()
        if left is not None and left <= 0:
            raise Late
        self.end.settimeout(left)
