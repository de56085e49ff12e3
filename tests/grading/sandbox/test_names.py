"""A learner's cell finds the same names in the sandbox as in JupyterLab."""

import time

import pytest
from jupyter_client.manager import start_new_kernel

NAMES = "import builtins\nnames = dir(builtins)"
DEBUGGER = {"execfile", "runfile"}  # what ipykernel's debugger adds
HELP = "import numpy as np\nhelp(np.swapaxes)\ncopyright\ncredits()\nlicense\nfinished = True"


@pytest.fixture
def in_the_sandbox(needs_sandbox):
    def ask(name: str, *cells: str) -> tuple[object, list]:
        """Return the value of a name after cells have run in the sandbox, and what went wrong in the last of them."""
        end = time.monotonic() + 300
        with needs_sandbox.supervisor() as supervisor, supervisor.process() as process:
            process.send({"cells": [list(cell) for cell in enumerate(cells)]}, end)
            *_, ended = [process.receive(end) for _ in cells]
            assert process.receive(end) == {"ready": True}
            process.send({"name": name, "backend": "numpy", "questions": None}, end)
            (answer,) = process.receive(end)["answers"]
        return answer["value"], [ended["error"], *ended["remarks"]]

    return ask


@pytest.mark.slow
def test_every_name_of_jupyterlabs_kernel_is_there(in_the_sandbox):
    manager, client = start_new_kernel(startup_timeout=600)
    try:
        reply = client.execute_interactive(NAMES, user_expressions={"names": "names"}, timeout=600)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    kernel = set(eval(reply["content"]["user_expressions"]["names"]["data"]["text/plain"]))
    inside, _ = in_the_sandbox("names", NAMES)
    assert kernel - set(inside) <= DEBUGGER
    assert "help" in kernel


def test_help_can_be_called(in_the_sandbox):
    assert in_the_sandbox("finished", HELP) == (True, [None])


def test_the_last_displayed_value_is_there(in_the_sandbox):
    assert in_the_sandbox("seven", "3 + 4", "seven = _") == (7, [None])


@pytest.mark.parametrize(
    "cell",
    [
        "seven = %eval 3 + 4",
        "if True:\n    seven = %eval 3 + 4",
        "%run_seven",
        "  %run_seven",
        "%%run_seven\nnothing",
        "run_seven?\nseven = 7",
        "# Why?\nseven = 7",
        "  seven = 3\n  seven += 4",
        "\n\n    seven = 7",
        ">>> seven = 3\n>>> seven += 4",
        "In [1]: seven = 3\nIn [2]: seven += 4",
        "seven = 7\n...",
        "seven = (77\n% 10)",
        "async def late(): return 7\nseven = await late()",
        "import asyncio\nasync with asyncio.timeout(9): seven = 7",
        "async def sevens(): yield 7\nseven = [each async for each in sevens()][0]",
    ],
)
def test_a_cell_may_use_ipythons_syntax_and_await(cell, in_the_sandbox):
    magics = """
shell = get_ipython()
shell.register_magic_function(lambda line: eval(line), "line", "eval")
shell.register_magic_function(lambda line, cell=None: globals().update(seven=7), "line_cell", "run_seven")"""
    assert in_the_sandbox("seven", magics, cell) == (7, [None])


def test_copying_files_pairs_of_sockets_pipes_and_threads_work_as_elsewhere(in_the_sandbox):
    cell = """
import asyncio, contextlib, os, shutil, socket, sys, threading
os.makedirs("from/inner")
open("from/inner/file", "w").close()
shutil.copytree("from", "to")
left, right = socket.socketpair()
left.setblocking(False)
again = socket.socket(fileno=left.detach())
again.send(b"seven")
reader, writer = os.pipe()
os.set_blocking(reader, False)
thread = threading.Thread(target=os.write, args=(writer, right.recv(5)))
thread.start()
thread.join()
async def wait(): await asyncio.sleep(0)
with contextlib.suppress(RuntimeError):
    await wait()
os.dup2(reader, 99, inheritable=False)
found = [os.read(99, 5).decode(), again.type == socket.SOCK_STREAM, sorted(os.listdir("to/inner")), sys.stdout.isatty()]"""
    assert in_the_sandbox("found", cell) == (["seven", True, ["file"], False], [None])
