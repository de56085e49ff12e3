"""Sheet 17: what it says of its exercises is so, and other answers are told why."""

from functools import partial

import numpy as np
import pytest
import torch
from examining import cells_of, solved, told, verdict

from transformer_course.attention import scaled_dot_product_attention
from transformer_course.exercises import catalogue
from transformer_course.experiments import costs
from transformer_course.experiments.costs import attention_in_blocks, multiplications
from transformer_course.family import GPT
from transformer_course.layers import FeedForward
from transformer_course.transformer import TransformerConfig


def in_one(query, key, value):
    return scaled_dot_product_attention(query, key, value)[0]


def in_windows(query, key, value, size=256):
    """Each block of queries attends to its own keys."""
    output = torch.empty_like(query)
    for rows, *block in zip(*(array.split(size) for array in (output, query, key, value)), strict=True):
        rows.copy_(in_one(*block))
    return output


def test_what_sheet_17_says_of_its_exercises_is_so(capsys):
    cells = cells_of("17")
    by_hand, trap, verdict_ = (catalogue()[f"cost.{name}"] for name in ("by_hand", "forgetful", "three_programs"))

    n, d, width = 40, 32, 2  # what is linear or square in a size is measured at a small one
    x, network = torch.ones(n, d), FeedForward(d, 2 * d)
    table = multiplications(lambda: scaled_dot_product_attention(x, x, x))
    assert by_hand.value[0] == pytest.approx(table * (4000 / n) ** 2 * (1024 / d) / 1e9)
    for length, ratio in ((d, 0.5), (2 * d, 1), (4 * d, 2)):
        x = torch.ones(length, d)
        assert multiplications(lambda x=x: scaled_dot_product_attention(x, x, x)) == ratio * multiplications(
            lambda x=x: network(x)
        )
    assert by_hand.value[1] == 2 * 1024
    model = GPT(
        TransformerConfig(vocabulary_size=9, d_model=d, num_heads=2, num_layers=3, d_ff=8, max_length=n, positions="learned")
    )
    caches = model.caches(n)
    with torch.no_grad():
        model(torch.ones(1, n, dtype=torch.int64), caches)
    numbers = sum(part.numel() for cache in caches for part in cache.contents())
    assert by_hand.value[2] == pytest.approx(numbers * width * (24 / 3) * (4000 / n) * (1024 / d) / 1e6)

    names = {"np": np}
    exec(next(cell for cell in cells if cell.startswith("def forgetful(")), names)
    rng = np.random.default_rng(0)
    for given in (solved(trap), *((rng.uniform(-20, 20, 4), rng.uniform(-20, 20, 4)) for _ in range(200))):
        for shown, judged in (("forgetful", trap.faulty), ("right", trap.reference)):
            np.testing.assert_allclose(names[shown](*given), judged(*map(np.array, given)))
    printed = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [left == right for left, right in printed] == [True, True]  # what is shown gives nothing away

    rows = [
        [part.strip(" *") for part in line.split("|")[1:-1]]
        for line in "\n".join(cells).splitlines()
        if line.startswith("|") and "→" in line
    ]
    assert [row[0] for row in rows] == ["A", "B", "C"]
    for length, place in ((1024, 0), (4096, 1)):
        q, k, v = torch.randn(3, length, 64, generator=torch.Generator().manual_seed(0))
        plain = scaled_dot_product_attention(q, k, v)[0]
        for program, (_, megabytes, millions, apart) in zip((in_one, attention_in_blocks, in_windows), rows, strict=True):
            run = partial(program, q, k, v)
            assert float(megabytes.split(" → ")[place]) == pytest.approx(costs.memory(run).working / 1e6, abs=0.06)
            assert float(millions.split(" → ")[place]) == pytest.approx(multiplications(run) / 1e6, abs=0.5)
            differs = (run() - plain).abs().max().item()
            if apart.startswith("below"):
                assert differs < float(apart.split()[1])
            elif length == 4096:
                assert differs == pytest.approx(float(apart), abs=0.005)
    assert verdict_.right["value"] == float(rows[2][3])


def test_other_answers_to_sheet_17_are_told_why(snapshot):
    right = catalogue()["decoding.extend_cache"].reference
    answers = {
        "decoding.extend_cache": {
            "nothing returned": lambda cache, key, value: None,
            "keys only": lambda cache, key, value: {"key": key},
            "an empty mapping": lambda cache, key, value: {},
            "other names": lambda cache, key, value: {"keys": key, "values": value},
            "an array": lambda cache, key, value: key,
            "text": lambda cache, key, value: {"key": "x", "value": value},
            "one sequence": lambda cache, key, value: {"key": key[0], "value": value},
            "a window": lambda cache, key, value: {
                name: both[:, :, key.shape[2] :] for name, both in right(cache, key, value).items()
            },
            "twice as large": lambda *a: {name: 2 * both for name, both in right(*a).items()},
            "only the new key": lambda cache, key, value: cache.update(key=key) or cache,
            "written into": lambda cache, key, value: cache.update(right(cache, key, value)) or cache,
        },
        "cost.forgetful": {
            "two numbers": ([1.0, 2.0], [3.0, 4.0]),
            "two axes": ([[1.0, 2.0, 3.0, 4.0]], [3.0] * 4),
            "three values": ([0.0, 0.0, 5.0, 0.0], [1.0, 2.0, 3.0]),
            "a large score": ([0.0, 0.0, 21.0, 0.0], [1.0, 2.0, 3.0, 4.0]),
            "a large value": ([0.0, 0.0, 5.0, 0.0], [1.0, 2.0, 3.0, -40.0]),
        },
    }
    assert {name: {case: told(name, answer) for case, answer in cases.items()} for name, cases in answers.items()} == snapshot


def test_every_trap_with_the_larger_score_later_passes():
    for trap in (([0, 0, 1, 0], [0, 0, 1, 1]), ([-20, 3, 4, -20], [5, 1, 9, 0]), torch.eye(4)[[2, 3]]):
        assert verdict(catalogue()["cost.forgetful"], trap).passed, trap
