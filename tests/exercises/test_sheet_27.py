"""Sheet 27: its table is the lesson's record."""

import re

from transformer_course import course
from transformer_course.experiments.records import recorded


def test_the_table_has_the_recorded_numbers():
    text = course.sheet("27").path.read_text(encoding="utf-8")
    rows = re.findall(r"^# \| \*\*([A-D])\*\* \| .+ \| ([\d.]+) \| ([\d.]+) \|$", text, re.MULTILINE)
    arms = dict(zip("ABCD", ("before", "rewards", "rewards, 5 times the rate", "imitation, same sums as before"), strict=True))
    found = recorded("rewards")["seeds"]["0"]
    expected = [(row, *(f"{found[arm]['pass'][k][0]:.2f}" for k in ("1", "8"))) for row, arm in arms.items()]
    assert rows == expected
