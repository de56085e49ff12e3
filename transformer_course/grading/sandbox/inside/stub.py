"""What ``transformer_course.exercises`` is while a notebook is graded: the answers are asked for after its last cell."""


class _NotHere:
    def __repr__(self) -> str:
        return "Not graded here."

    def __bool__(self) -> bool:
        return True  # `assert check(…)` goes on, and tells nothing


def _answer(*_, **__) -> _NotHere:
    return _NotHere()


check = hint = solution = reply = next_lesson = _answer


def my_progress() -> dict:
    return {}
