"""Stands in for ``transformer_course.exercises`` during grading: answers are judged elsewhere, after the last cell has run."""


class _NotGradedHere:
    def __repr__(self) -> str:
        return "Not graded here."

    def __bool__(self) -> bool:
        return True  # so that `assert check(…)` lets the cell continue, and reveals nothing


def _answer(*_, **__) -> _NotGradedHere:
    return _NotGradedHere()


check = hint = solution = ask = predict = reveal = next_lesson = my_progress = my_path = choose_path = _answer
