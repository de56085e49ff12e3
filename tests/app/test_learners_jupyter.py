"""How `transformer-course lab` starts JupyterLab: its options, its port, its terminal."""

import json
import os
import socket
import subprocess
import sys
import zlib
from pathlib import Path
from types import SimpleNamespace

from command_line import said

from transformer_course._util.folder_record import write_record
from transformer_course.app.jupyter import server, start


def test_root_may_start_it_in_a_container(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0, raising=False)
    assert "--allow-root" in start.options(tmp_path, None, True)
    monkeypatch.setattr(os, "geteuid", lambda: 1000, raising=False)
    assert "--allow-root" not in start.options(tmp_path, None, True)


def test_the_address_of_an_extension_changes_with_its_content():
    # JupyterLab lets the browser keep the file of such an address for a year.
    for package in (start.HERE / "labextensions").glob("*/package.json"):
        file, _, digest = json.loads(package.read_text())["jupyterlab"]["_build"]["load"].partition("?")
        assert digest == f"{zlib.crc32((package.parent / file).read_bytes()):08x}", package


def test_what_teachers_installed_is_off_in_a_learners_jupyterlab(tmp_path, monkeypatch):
    off = "--ServerApp.jpserver_extensions=nbgrader.server_extensions.formgrader=False"
    monkeypatch.setattr(start, "find_spec", lambda name: None)
    # JupyterLab would warn about an option for an extension that is not installed.
    assert off not in start.options(tmp_path, None, True)
    monkeypatch.setattr(start, "find_spec", lambda name: name)
    assert off in start.options(tmp_path, None, True)


def test_a_thread_that_waits_for_ever_does_not_keep_a_stopped_jupyterlab_alive():
    program = f"""
import threading
from {start.__name__} import leave
threading.Thread(target=threading.Event().wait).start()
print("stopped")
leave()
"""
    ended = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, timeout=600)
    assert (ended.returncode, ended.stdout) == (0, "stopped\n")


def test_each_folder_has_its_own_tabs(tmp_path):
    mine, again, other = (start.workspace(tmp_path / name) for name in ("mine", "mine", "other"))
    assert mine == again != other


def test_a_terminal_of_jupyterlab_has_this_command_and_begins_in_the_learners_folder(home, tmp_path, launched):
    said("lab", "mine")
    assert os.environ["PATH"] == f"{Path(sys.executable).parent}{os.pathsep}/programs"
    assert Path.cwd() == tmp_path / "mine"  # the folder that JupyterLab's file browser shows


def test_a_free_port_is_used_and_a_taken_one_is_told(tmp_path, launched):
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = holder.getsockname()[1]
        output = said("lab", str(tmp_path), "--port", str(port), status=1)
    assert f"Port {port} is in use, perhaps by another JupyterLab. Leave out --port, or try --port {port + 1}." in output
    assert launched == []
    said("lab", str(tmp_path), "--port", str(port), "--no-browser")
    assert {f"--ServerApp.port={port}", "--ServerApp.port_retries=0", "--no-browser"} <= set(launched[0])


def test_what_the_folder_says_cannot_add_a_line_to_the_answer_of_its_address(tmp_path):
    answered: list[str] = []
    handler = SimpleNamespace(folder=tmp_path, base_url="/", redirect=answered.append)
    write_record(tmp_path, {"first": "notebooks/\ud800\r\nSet-Cookie: a=b"})
    server.Course.get.__wrapped__(handler)
    assert answered == [f"/lab/workspaces/{start.workspace(tmp_path)}/tree/notebooks/%3F%0D%0ASet-Cookie%3A%20a%3Db?reset"]
