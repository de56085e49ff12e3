from pathlib import Path

import pytest
from built_once import built_once

from transformer_course.site.make import make


@pytest.fixture(scope="session")
def built_site(tmp_path_factory) -> Path:
    return built_once(tmp_path_factory, "site", make)
