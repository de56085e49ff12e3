import pytest

from transformer_course.workshop import make
from transformer_course.workshop.plans import PLANS


class Contents(dict[str, dict[str, str | bytes]]):
    """The files of each plan's folder, made when a test first asks for them."""

    def __missing__(self, name: str) -> dict[str, str | bytes]:
        self[name] = make.files(PLANS[name])
        return self[name]


@pytest.fixture(scope="session")
def contents() -> Contents:
    return Contents()
