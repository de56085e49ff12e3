"""The ladder of the Build as a picture."""

import pytest

from transformer_course import figures

COURSE = {"table": (3.6, 3.7, 3.65), "one head": (3.3, 3.35, 3.4)}
LEVEL = (6.58, "guessing")


def test_each_value_of_the_learner_is_above_the_courses_median_with_its_range():
    ax = figures.ladder({"one head": 3.5, "table": 3.8}, COURSE, LEVEL)
    yours, theirs, ranges = ax.containers
    assert [bar.get_width() for bar in yours] == [3.5, 3.8]
    assert [bar.get_width() for bar in theirs] == [3.35, 3.65]
    assert all(mine.get_y() < other.get_y() for mine, other in zip(yours, theirs, strict=True))
    ends = [segment[:, 0].tolist() for segment in ranges[2][0].get_segments()]
    assert ends == [pytest.approx([3.3, 3.4]), pytest.approx([3.6, 3.7])]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["one head", "table"]
    assert ax.yaxis_inverted()
    assert ax.get_xlim()[0] == 0
    assert {text.get_text() for text in ax.texts} >= {"3.50", "3.80", "3.35", "3.65", "guessing"}


def test_a_value_without_the_courses_is_refused():
    with pytest.raises(ValueError, match="got none for two heads"):
        figures.ladder({"two heads": 3.0}, COURSE, LEVEL)
