"""Reading files that may be anything, and writing files so that a failure loses nothing."""

import errno
import json
import os
import stat
from pathlib import Path

LARGEST = 20 * 2**20  # bytes
NESTED = 100  # far more than any file of ours, and far less than what Python can follow
FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)  # wait for no pipe (Windows lacks that flag)


def read_bounded(path: Path) -> bytes:
    """Return what is in a file. Raises OSError for anything but a file, and for a file larger than LARGEST (EFBIG)."""
    number = os.open(path, FLAGS)
    try:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise OSError(errno.EINVAL, "it is a folder, a pipe or a device")
        with open(number, "rb", closefd=False) as file:
            content = file.read(LARGEST + 1)
    finally:
        os.close(number)
    if len(content) > LARGEST:
        raise OSError(errno.EFBIG, f"it is larger than {LARGEST // 2**20} MiB")
    return content


def parse_json(content: bytes) -> object:
    """Return the value that a JSON file contains. Raises ValueError for any other content, also if it is nested too deeply."""
    try:
        value = json.loads(content.decode("utf-8-sig"))
    except RecursionError:
        raise ValueError("nested too deeply") from None
    level = [value]
    for _ in range(NESTED):
        groups = [each.values() if isinstance(each, dict) else each for each in level if isinstance(each, (dict, list))]
        if not groups:
            return value
        level = [item for group in groups for item in group]
    raise ValueError("nested too deeply")


def write_whole(path: Path, content: bytes) -> None:
    """Write a file completely or not at all: readers find either the old content or the new.

    The folder must exist. Raises OSError if the disk is full or the file cannot be written; no temporary file remains.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        draft.write_bytes(content)
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)
