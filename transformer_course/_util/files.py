"""Writing a file so that nothing is lost when it goes wrong."""

import os
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Write a file whole or not at all: whoever reads it finds the old content or the new, never half of one.

    The folder must exist. Raises OSError when the disk is full or the place cannot be written; nothing is left then.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        draft.write_bytes(content)
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)
