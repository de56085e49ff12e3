import pickle
from functools import partial
from pathlib import Path

import pytest
from built_once import built_once

from transformer_course.workshop import make
from transformer_course.workshop.plans import PLANS


class Contents(dict[str, dict[str, str | bytes]]):
    """The files of each plan's folder, made when a test first asks for them."""

    def __init__(self, factory: pytest.TempPathFactory):
        self._factory = factory

    def __missing__(self, name: str) -> dict[str, str | bytes]:
        self[name] = pickle.loads(built_once(self._factory, f"{name}.pickle", partial(_write, name)).read_bytes())
        return self[name]


def _write(name: str, path: Path) -> None:
    path.write_bytes(pickle.dumps(make.files(PLANS[name])))


@pytest.fixture(scope="session")
def contents(tmp_path_factory) -> Contents:
    return Contents(tmp_path_factory)
