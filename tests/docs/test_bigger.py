"""docs/bigger.md: its code runs on this computer and prints what the page says, and its script runs in two processes."""

import os
import re
import subprocess
import sys
import warnings

import pytest
import torch

from transformer_course._util import paths
from transformer_course.experiments.two_processes import LOOPBACK

TEXT = (paths.ROOT / "docs" / "bigger.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(python|text)\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)


def test_every_example_prints_what_stands_below_it(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    with torch.random.fork_rng(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what the compiler imports is deprecated here and there
        for language, code in BLOCKS:
            if language == "python":
                exec(code, names)
    outputs = [text for language, text in BLOCKS if language == "text"]
    assert capsys.readouterr().out == "".join(outputs)
    assert len(outputs) == 4


@pytest.mark.slow
def test_the_script_keeps_the_copies_of_two_processes_equal(tmp_path):
    [script] = re.findall(r"^```python file=many.py\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
    (tmp_path / "many.py").write_text(script, encoding="utf-8")
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(paths.ROOT)}
    environment |= {"GLOO_SOCKET_IFNAME": LOOPBACK} if LOOPBACK else {}
    run = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2", "many.py"]
    done = subprocess.run(run, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == "2 processes, equal copies: True\n", done.stderr[-2000:]
