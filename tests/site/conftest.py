from pathlib import Path

import pytest

from transformer_course.site.make import make


@pytest.fixture(scope="session")
def built_site(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("reading") / "site"
    make(folder)
    return folder
