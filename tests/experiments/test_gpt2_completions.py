"""GPT-2's completions: what is recorded of them, and what is shown without a record."""

import json
import runpy

import pytest

from transformer_course import gpt2
from transformer_course._util import paths
from transformer_course.experiments import gpt2_completions, small_gpt2

PROMPTS = ("It's Zoë,", "Python is")


def record(path):
    """What the small model of random numbers writes."""
    gpt2_completions.record(small_gpt2.files(), small_gpt2.sizes(), PROMPTS, 5, path)
    return path


def test_a_record_has_the_texts_with_the_code_and_the_seed_and_repeats(tmp_path):
    found = json.loads(record(tmp_path / "x.json").read_text(encoding="utf-8"))
    assert {"recorded", "code", "model", "torch", "seed", "top_p", "tokens"} < found.keys()
    for text, prompt in zip(found["written"], PROMPTS, strict=True):
        assert text.startswith(prompt)
        assert len(text) > len(prompt)
    assert json.loads(record(tmp_path / "y.json").read_text(encoding="utf-8")) == found


def test_what_is_recorded_is_shown_as_recorded(tmp_path):
    heading, first, *_ = gpt2_completions.recorded(record(tmp_path / "x.json")).split("\n\n")
    assert heading.startswith("Recorded on 20")
    assert "5 tokens each, top-p 0.9, seed 0" in heading
    assert first.startswith(PROMPTS[0])


@pytest.mark.parametrize("content", [None, "", "{", "[]", "{}", '{"recorded": 1, "written": 2}'])
def test_without_a_record_one_sentence_says_what_would_make_it(tmp_path, content):
    if content is not None:
        (tmp_path / "x.json").write_text(content, encoding="utf-8")
    assert "No completions of GPT-2 are recorded" in gpt2_completions.recorded(tmp_path / "x.json")


def test_the_tool_says_in_one_sentence_that_there_is_no_network(monkeypatch, tmp_path):
    monkeypatch.setenv(gpt2.OFFLINE, "1")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match=r"^Nothing was recorded: vocab.json could not be downloaded"):
        runpy.run_path(str(paths.ROOT / "tools" / "gpt2_completions.py"), run_name="__main__")
    assert [*tmp_path.iterdir()] == []
