"""Sheet 17: what it says of its exercises is so, its references are right, and other answers are told why."""

from functools import partial

import numpy as np
import pytest
import torch
from examining import SEEDS, solved, verdict

from transformer_course._util import paths
from transformer_course.attention import scaled_dot_product_attention
from transformer_course.authoring import build
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
    (source,) = (source for source in paths.sources("exercises") if source.stem.startswith("17_"))
    cells = [cell.source for cell in build.notebook_of(source).cells]
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


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda cache, key, value: None, "it returned nothing"),
        (lambda cache, key, value: {"key": key}, "it returned a mapping with `key`"),
        (lambda cache, key, value: {}, "it returned a mapping with nothing in it"),
        (lambda cache, key, value: {"keys": key, "values": value}, "it returned a mapping with `keys`, `values`"),
        (lambda cache, key, value: key, "it returned ndarray"),
        (lambda cache, key, value: {"key": "x", "value": value}, '"key" is not an array of numbers'),
        (lambda cache, key, value: {"key": key[0], "value": value}, '"key" should have shape (1, 2, 4, 4), but has (2, 1, 4)'),
        (
            lambda *a: {name: 2 * both for name, both in catalogue()["decoding.extend_cache"].reference(*a).items()},
            "first at token 0",
        ),
        (lambda cache, key, value: cache.update(key=key) or cache, "should have shape"),
    ],
)
def test_a_cache_that_is_none_is_told(answer, words):
    seen = verdict(catalogue()["decoding.extend_cache"], answer)
    assert not seen.passed
    assert words in seen.message


def test_a_cache_that_was_written_into_is_told():
    def in_place(cache, key, value):
        cache.update(catalogue()["decoding.extend_cache"].reference(cache, key, value))
        return cache

    seen = verdict(catalogue()["decoding.extend_cache"], in_place)
    assert (seen.passed, seen.reason, seen.score) == (False, "mutated", 0.5)
    assert "the caller's mapping" in seen.hint


@pytest.mark.parametrize(
    ("trap", "words"),
    [
        (([1.0, 2.0], [3.0, 4.0]), "`scores` should be a row of 4 numbers"),
        (([[1.0, 2.0, 3.0, 4.0]], [3.0] * 4), "`scores` should be a row of 4 numbers"),
        (([0.0, 0.0, 5.0, 0.0], [1.0, 2.0, 3.0]), "`values` should be a row of 4 numbers"),
        (([0.0, 0.0, 21.0, 0.0], [1.0, 2.0, 3.0, 4.0]), "all scores between −20 and 20"),
        (([0.0, 0.0, 5.0, 0.0], [1.0, 2.0, 3.0, -40.0]), "all values between −20 and 20"),
    ],
)
def test_scores_and_values_that_are_no_trap_are_told(trap, words):
    assert words in verdict(catalogue()["cost.forgetful"], trap).message


@pytest.mark.parametrize("trap", [([0, 0, 1, 0], [0, 0, 1, 1]), ([-20, 3, 4, -20], [5, 1, 9, 0]), torch.eye(4)[[2, 3]]])
def test_every_trap_with_the_larger_score_later_passes(trap):
    assert verdict(catalogue()["cost.forgetful"], trap).passed


@pytest.mark.parametrize("exact", [np.float32, np.float64])
def test_an_online_softmax_of_sheet_17_equals_torchs(exact):
    online = catalogue()["cost.online_softmax"]
    for seed in SEEDS:
        for (blocks,) in online.questions(seed):
            scores = torch.cat([torch.from_numpy(scores.astype(exact)) for scores, _ in blocks], -1)
            values = torch.cat([torch.from_numpy(values.astype(exact)) for _, values in blocks], -2)
            np.testing.assert_allclose(online.reference(blocks), scores.softmax(-1) @ values, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("low", [-200, -500, -999, -1000, -1100])
def test_masked_scores_must_be_lower_than_all_others(low):
    def answer(blocks):
        scores = np.concatenate([np.where(np.isinf(scores), low, scores) for scores, _ in blocks], -1)
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        return weights / weights.sum(-1, keepdims=True) @ np.concatenate([values for _, values in blocks], -2)

    for seed in SEEDS:
        assert verdict(catalogue()["cost.online_softmax"], answer, seed).mistake == "masked scores not low enough"


@pytest.mark.parametrize("exact", [torch.float32, torch.float64])
def test_an_online_softmax_by_logarithms_of_sums_passes(exact):
    def answer(blocks):
        largest, output = -torch.inf, 0
        for scores, values in blocks:
            scores, values = torch.as_tensor(scores, dtype=exact), torch.as_tensor(values, dtype=exact)
            here = scores.logsumexp(-1, keepdim=True)
            both = torch.logaddexp(torch.as_tensor(largest, dtype=exact), here)
            shown = both.nan_to_num(neginf=0)
            output = output * (largest - shown).exp() + (scores - shown).exp() @ values
            largest = both
        return output

    for seed in SEEDS:
        assert verdict(catalogue()["cost.online_softmax"], answer, seed).passed


def _largest(scores):
    return scores.max(axis=-1, keepdims=True)


def _running(start=-np.inf, old=np.maximum, of_total=True, of_mixture=True, end=np.divide):
    """An online softmax as a first attempt writes it: it does not look after rows of −∞."""

    def answer(blocks):
        largest, total, mixture = start, 0.0, 0.0
        for scores, values in blocks:
            new = old(largest, _largest(scores))
            factor, exponentials = np.exp(largest - new), np.exp(scores - new)
            total = (factor if of_total else 1) * total + exponentials.sum(-1, keepdims=True)
            mixture = (factor if of_mixture else 1) * mixture + exponentials @ values
            largest = new
        return end(mixture, total)

    return answer


def _separate(combine):
    def answer(blocks):
        found = []
        for scores, values in blocks:
            exponentials = np.exp(scores - _largest(scores))
            found.append(exponentials / exponentials.sum(-1, keepdims=True) @ values)
        return combine(found)

    return answer


def _here(largest, here):
    return here


@pytest.mark.parametrize(
    ("answer", "mistake"),
    [
        (_running(of_total=False, of_mixture=False), "never rescaled"),
        (_running(old=_here, of_total=False, of_mixture=False), "each block by its own largest"),
        (_running(of_mixture=False), "the weighted sum not rescaled"),
        (_running(of_total=False), "the sum not rescaled"),
        (_running(old=_here), "the block's largest in place of the running one"),
        (_running(end=lambda mixture, total: mixture), "not divided"),
        (_running(end=lambda mixture, total: np.nan_to_num(mixture / total)), "a row that begins with nothing"),
        (_running(start=0.0), "the largest score starts at 0"),
        (_running(start=-100.0), "the largest score starts at 0"),
        (_separate(lambda found: np.mean(found, axis=0)), "the mean of the blocks"),
        (_separate(sum), "the blocks' outputs added"),
        (_separate(lambda found: found[-1]), "only the last block"),
        (_separate(lambda found: found[0]), "only the first block"),
    ],
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_mistake_is_told_even_if_rows_without_a_key_give_nan(answer, mistake):
    for seed in SEEDS:
        assert verdict(catalogue()["cost.online_softmax"], answer, seed).mistake == mistake


@pytest.mark.parametrize("value", [2147, 200.3, 12.3, 1.1])
def test_a_cost_of_another_program_is_told(value):
    seen = verdict(catalogue()["cost.three_programs"], {"claim": "c", "reason": "b", "value": value})
    assert seen.mistake == "a cost of A or B as the value"
