"""Writing files so that a failure loses nothing."""

import os
from pathlib import Path


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
