import shutil
from collections.abc import Iterator

import pytest
from browser import Server
from chromium import chromium, needs_chromium, open_page
from playwright.sync_api import Page

from transformer_course.folders.learner_folder import deliver


@pytest.fixture(scope="session")
def jupyterlab(tmp_path_factory) -> Iterator[Server]:
    needs_chromium()
    place = tmp_path_factory.mktemp("learner")
    with Server(place / "my course", place / "home", place / "config") as running:
        yield running


@pytest.fixture(scope="module")
def server(jupyterlab) -> Server:
    """JupyterLab with a new learner: each file of tests finds the folder as it was delivered."""
    jupyterlab.end_kernels()
    for path in jupyterlab.folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    for own in (jupyterlab.home, jupyterlab.folder.parent / "config" / "lab"):  # what was passed, and settings
        shutil.rmtree(own, ignore_errors=True)
    deliver(jupyterlab.folder)
    return jupyterlab


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with chromium() as browser:
        yield open_page(browser)
