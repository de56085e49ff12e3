"""What is said of a file that cannot be used, fault by fault."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from transformer_course.course import SourceError


def refusals(file: Path, faults: Mapping[str, tuple[str, str]], read: Callable[[], object]) -> dict[str, str]:
    """The message for each fault, which is something of the good file and what is put in its place."""
    good, said = file.read_text(encoding="utf-8"), {}
    for case, (old, new) in faults.items():
        assert good.count(old) == 1, case
        file.write_text(good.replace(old, new), encoding="utf-8")
        with pytest.raises(SourceError) as refused:
            read()
        said[case] = str(refused.value)
    return said
