import sys
from collections.abc import Iterator

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config


class Kernel:
    """Runs cells in this process, as a notebook does."""

    def __init__(self, shell: InteractiveShell):
        self._shell, self.names = shell, shell.user_ns

    def run(self, *cells: str) -> object:
        """Run cells, also after one that fails; return the value of the last one."""
        values = [self._shell.run_cell(cell, store_history=True).result for cell in cells]
        return values[-1] if values else None


@pytest.fixture
def kernel() -> Iterator[Kernel]:
    config = Config()
    config.HistoryManager.enabled = False
    before = sys.displayhook, sys.excepthook, sys.modules["__main__"]
    shell = InteractiveShell.instance(config=config)
    shell.showtraceback = shell.showsyntaxerror = lambda *_, **__: None
    yield Kernel(shell)
    InteractiveShell.clear_instance()
    sys.displayhook, sys.excepthook, sys.modules["__main__"] = before
