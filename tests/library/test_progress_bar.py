"""The line that shows how far a long run has got."""

import pytest

from transformer_course._util import progress_bar


@pytest.mark.parametrize(
    ("items", "lines"),
    [
        (3, ["runs: 1 of 3, about 4 s left", "runs: 2 of 3, about 2 s left", ""]),
        (11, ["runs: 1 of 11", "runs: 2 of 11, about 18 s left"]),
        (500, [*(f"runs: {done} of 500" for done in range(1, 10)), "runs: 10 of 500, about 980 s left"]),
    ],
)
def test_no_time_is_estimated_from_the_first_of_many_items(items, lines, monkeypatch):
    shown, now = [], [0]
    monkeypatch.setattr(progress_bar, "_display", lambda: shown.append)
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    for _ in progress_bar.progress(range(items), "runs"):
        now[0] += 2
    assert shown[: len(lines)] == lines
