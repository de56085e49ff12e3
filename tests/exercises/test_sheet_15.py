"""Sheet 15: what it says of its exercises is so, and other answers are told why."""

import numpy as np
import torch
from examining import cells_of, told, verdict

from transformer_course.data import number_pairs
from transformer_course.exercises import catalogue
from transformer_course.family import GPT
from transformer_course.transformer import TransformerConfig


def test_what_sheet_15_says_of_its_exercises_is_so():
    text = "\n".join(cells_of("15"))
    with torch.device("meta"):
        sizes = {"d_model": 256, "num_heads": 4, "num_layers": 4, "d_ff": 1024, "norm": "pre"}
        gpt = GPT(TransformerConfig(**sizes, vocabulary_size=10_000, max_length=128, positions="learned"))
    layer = gpt.stack.layers[0]
    counts = [sum(p.numel() for p in part.parameters()) for part in (layer.self_attention, layer, gpt)]
    assert catalogue()["transformer.parameters"].value == counts

    step, rare = catalogue()["training.step"], catalogue()["training.rare"]
    given, listed = (part.split("\n```")[0] for part in text.split("```python\n")[2:4])
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


def test_a_wrong_exact_match_is_shown_a_batch_of_one_row_in_full():
    exercise = catalogue()["training.exact"]
    names = {"padding recognised by its id", "in any order", "up to the last end", "the position of the end alone"}
    mistakes = [mistake for mistake in exercise.mistakes if mistake.name in names]
    assert len(mistakes) == len(names)
    for mistake in mistakes:
        for answer in (mistake.answer, *mistake.variants):
            seen = verdict(exercise, answer)
            assert "…" not in seen.comparison["question"]
            assert "shape" not in seen.comparison["question"]


def test_whole_models_that_are_off_by_a_few_are_told(snapshot):
    *parts, whole = catalogue()["transformer.parameters"].value
    assert {off: told("transformer.parameters", [*parts, whole + off]) for off in (1, 5)} == snapshot
