"""Sheet 15: what it says of its exercises is so, its references are right, and other answers are told why."""

import numpy as np
import pytest
import torch
from examining import SEEDS, verdict

from transformer_course._util import paths
from transformer_course.authoring import build
from transformer_course.data import number_pairs
from transformer_course.exercises import catalogue
from transformer_course.family import GPT
from transformer_course.transformer import TransformerConfig


def test_what_sheet_15_says_of_its_exercises_is_so():
    (source,) = (source for source in paths.sources("exercises") if source.stem.startswith("15_"))
    text = "\n".join(cell.source for cell in build.notebook_of(source).cells)
    with torch.device("meta"):
        sizes = {"d_model": 256, "num_heads": 4, "num_layers": 4, "d_ff": 1024, "norm": "pre"}
        gpt = GPT(TransformerConfig(**sizes, vocabulary_size=10_000, max_length=128, positions="learned"))
    layer = gpt.stack.layers[0]
    counts = [sum(p.numel() for p in part.parameters()) for part in (layer.self_attention, layer, gpt)]
    assert catalogue()["transformer.parameters"].value == counts

    step, rare = catalogue()["training.step"], catalogue()["training.rare"]
    given, listed = (part.split("\n```")[0] for part in text.split("```python\n")[1:3])
    assert given == step.given.strip()
    assert listed == "\n".join(f"{letter}   {line}" for letter, line in step.lines.items())
    assert (len(step.lines), step.needed) == (8, 5)
    for probe in step.draw(np.random.default_rng(0)):  # the cut has something to do, and the old gradient as well
        x, y, w = probe["x"], probe["y"], probe["w"]
        assert np.linalg.norm(2 * x.T @ (x @ w - y) / len(y)) > 1
        assert probe["grad"].any()
    example = next(line for line in text.splitlines() if line.startswith('{"copies"'))
    assert verdict(rare, [eval(example)]).reason == "mistake"  # its form is right
    assert f"at most {rare.max_runs} runs" in text
    rows = {row[1].strip(" `"): row[2] for row in (line.split("|") for line in text.splitlines()) if len(row) == 5}
    for name in ("copies", "steps", "d_model"):
        assert tuple(map(int, rows[name].split(","))) == rare.fields[name]
    assert sum(len(words) <= 2 for words, _ in number_pairs().train) == 103
    assert "103" in text


def _ended_by_id(written, targets, end):
    pad = targets[:, -1:]
    real = (targets != pad) | (targets == end)
    return ((written == targets) | ~real).all(1).mean()


def _without_order(kept):
    def share(written, targets, end):
        pairs = zip(written.tolist(), targets.tolist(), strict=True)
        return np.mean([end in w and kept(w[: w.index(end)]) == kept(t[: t.index(end)]) for w, t in pairs])

    return share


def _to_the_last_end(written, targets, end):
    count = 0
    for w, t in zip(written.tolist(), targets.tolist(), strict=True):
        if end in w:
            stop = len(w) - 1 - w[::-1].index(end)
            count += w[: stop + 1] == t[: stop + 1]
    return count / len(targets)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (_ended_by_id, "You recognise padding by its id."),
        (_without_order(sorted), "You ignore the order of the tokens."),
        (_without_order(lambda tokens: (len(tokens), set(tokens))), "You ignore the order of the tokens."),
        (_to_the_last_end, "You cut at the last `end` that was written."),
        (lambda w, t, end: ((w == end).argmax(1) == (t == end).argmax(1)).mean(), "You compared only where the two rows end"),
    ],
)
def test_an_exact_match_that_is_none_is_told_and_shown_a_row(answer, words):
    exercise = catalogue()["training.exact"]
    for seed in SEEDS:
        seen = verdict(exercise, answer, seed)
        assert not seen.passed
        assert words in seen.message
        assert "…" not in seen.comparison["question"]
        assert "shape" not in seen.comparison["question"]  # a batch of one row, with all its numbers


@pytest.mark.parametrize(
    ("change", "words"), [(10_000, "a bias for the output"), (-3 * 789_760, "the parameters of one layer only")]
)
def test_a_whole_model_miscounted_is_told(change, words):
    exercise = catalogue()["transformer.parameters"]
    assert words in verdict(exercise, [*exercise.value[:2], exercise.value[2] + change]).message


def test_a_percentage_is_told():
    exercise = catalogue()["training.exact"]
    for seed in SEEDS:
        seen = verdict(exercise, lambda written, targets, end: 100 * exercise.reference(written, targets, end), seed)
        assert "This is a percentage." in seen.message


def test_one_matrix_or_one_head_is_told():
    right = catalogue()["transformer.parameters"].value
    assert "65,792 is one of the four matrices" in verdict(catalogue()["transformer.parameters"], [65_792, *right[1:]]).message
