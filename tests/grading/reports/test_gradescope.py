"""Gradescope can read a result."""

import json

from reporting import EXERCISES, graded, learner, missed, write


def test_gradescope_finds_what_it_reads(tmp_path):
    write(tmp_path, [(learner(), graded(missed(0.5, hint="Look."), notes=["A cell failed."]))])
    content = json.loads((tmp_path / "results.json").read_bytes())
    assert content == json.loads((tmp_path / "results" / "anna.json").read_bytes())
    assert content["score"] == 27.5
    assert content["output"] == "27.5 of 28 points\nA cell failed."
    assert content["output_format"] == content["test_output_format"] == "text"
    first, second, *_ = content["tests"]
    assert first == {
        "number": "1",
        "name": f"Other numbers: {EXERCISES[0].prompt}",
        "score": 0.5,
        "max_score": 1.0,
        "status": "failed",
        "output": "Not so.\nHint: Look.",
    }
    assert (second["score"], second["max_score"], second["status"]) == (2.0, 2.0, "passed")
    assert sum(test["score"] for test in content["tests"]) == content["score"]


def test_of_several_submissions_none_is_the_one(tmp_path):
    write(tmp_path, [(learner("anna"), graded()), (learner("bea"), graded())])
    assert not (tmp_path / "results.json").exists()
    assert {path.name for path in (tmp_path / "results").iterdir()} == {"anna.json", "bea.json"}
