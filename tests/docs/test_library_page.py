"""docs/library.md: its examples run, from the top, and print what the page says."""

import re

import torch

from transformer_course._util import paths

TEXT = (paths.ROOT / "docs" / "library.md").read_text(encoding="utf-8")


def test_every_example_prints_what_stands_below_it(capsys):
    blocks = re.findall(r"^```(python|text)\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
    names, printed = {}, []
    with torch.random.fork_rng():
        for language, code in blocks:
            if language == "python":
                exec(code, names)
                printed.append(capsys.readouterr().out)
    assert printed == [text for language, text in blocks if language == "text"]
    assert len(printed) > 10
