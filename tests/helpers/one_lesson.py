"""A plugin for `make test LESSON=04`: it keeps the tests about one lesson or one stage of the Build."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--lesson", help="run only the tests about one lesson or stage, such as 04 or B4, with its solved sheet")


def pytest_configure(config: pytest.Config) -> None:
    if (lesson := config.option.lesson) and not [*config.rootpath.glob(f"*/source/{lesson}_*")]:
        raise pytest.UsageError(f"there is no lesson or stage {lesson!r}: give a number such as 04 or B4")


@pytest.hookimpl(trylast=True)  # after syrupy has seen which tests there are
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if lesson := config.option.lesson:
        kept = [item for item in items if _is_about(item, lesson)]
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = kept


def _is_about(item: pytest.Item, lesson: str) -> bool:
    """Whether the test's notebook, its file or one of its parameters belongs to the lesson."""
    if item.path.stem.removeprefix("test_sheet_").startswith(lesson):
        return True
    parameters = item.callspec.params.values() if hasattr(item, "callspec") else ()
    return any(_belongs(value, lesson) for value in parameters)


def _belongs(value: object, lesson: str) -> bool:
    from transformer_course.course import Source
    from transformer_course.course.question import Question
    from transformer_course.exercises.catalogue import by_lesson
    from transformer_course.exercises.exercise import Exercise

    if isinstance(value, Source):
        return value.number == lesson
    if isinstance(value, Exercise):
        return value.id in {exercise.id for exercise in by_lesson().get(lesson, ())}
    if isinstance(value, Question):
        return value.id.startswith(f"{lesson}.")
    return isinstance(value, str) and value == lesson
