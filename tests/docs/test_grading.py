"""docs/grading.md quotes the limits as they are in force."""

import re

from transformer_course._util import paths
from transformer_course.runner import limits

TEXT = " ".join((paths.ROOT / "docs" / "grading.md").read_text(encoding="utf-8").replace("\n> ", " ").split())


# What a sentence of the page names, and the limit in force.
LIMITS = {
    r"The time limits are (\d+) seconds per cell, (\d+) per answer, and (\d+) per notebook": (
        *(limits.CELL_SECONDS, limits.ANSWER_SECONDS, limits.NOTEBOOK_SECONDS),
    ),
    r"with limits (four) times as long": (limits.CLOCK_FACTOR,),
    r"may use (\d+) MiB of memory and (\d+) threads": (limits.MEMORY_BYTES / limits.MIB, limits.THREADS),
    r"A file larger than (\d+) MiB gets no mark": (limits.NOTEBOOK_BYTES / limits.MIB,),
    r"no more than (\d+) open files, (\d+) pending signals": (limits.OPEN_FILES, limits.PENDING_SIGNALS),
    r"can write only to (\d+) MB of scratch space": (limits.SCRATCH_BYTES / limits.MIB,),
    r"Each cell can compute for at most (\d+) seconds\. Your functions": (limits.CELL_SECONDS,),
}


def test_a_limit_that_the_page_names_is_the_limit_in_force():
    named = {sentence: found.groups() for sentence in LIMITS if (found := re.search(sentence, TEXT))}
    assert {sentence: tuple(float({"four": 4}.get(n, n)) for n in numbers) for sentence, numbers in named.items()} == LIMITS
