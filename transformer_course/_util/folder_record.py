"""The record of a learner's folder: a hidden file that says what the course wrote there, so that changes can be seen."""

import json
from collections.abc import Mapping
from pathlib import Path

from .files import parse_json, read_bounded, write_whole
from .paths import RECORD

ACCOUNT = "account"  # a key of the record of a folder that began without the account's passes: NOT_ASKED, or ASKED
NOT_ASKED, ASKED = "not asked", "asked"  # whether its learner knows that it could have them (see exercises/passes.py)
ONLY = "only"  # a key of the record: the numbers of the lessons that the folder gets, if it does not get all of them


def read_record(folder: Path) -> dict:
    """Return a folder's record: the fingerprint of each delivered file, and what ``update_record`` has set."""
    try:
        record = parse_json(read_bounded(folder / RECORD))
        return record if isinstance(record, dict) else {}
    except (OSError, ValueError):
        return {}  # then every file that differs counts as the learner's own


def write_record(folder: Path, record: Mapping) -> None:
    """Replace a folder's record. Raises OSError if it cannot be written."""
    write_whole(folder / RECORD, (json.dumps(record, indent=1, sort_keys=True) + "\n").encode())


def update_record(folder: Path, key: str, value: object) -> None:
    """Set a key in a folder's record, other than a file name; None removes it."""
    record = read_record(folder)
    if record.get(key) != value:
        write_record(folder, {name: each for name, each in {**record, key: value}.items() if each is not None})
