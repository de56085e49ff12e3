"""The sources' errors about attention (docs/sources.md): each test computes both versions."""

import numpy as np
import pytest
import torch
from by_hand import WEIGHTS, X, attention, prints_as

from transformer_course import models
from transformer_course.attention import scaled_dot_product_attention
from transformer_course.exercises.lesson_02_self_attention.softmax import softmax
from transformer_course.experiments.alternative_weights import alternative_weights, logits_with_weights
from transformer_course.experiments.costs import attention_in_blocks, memory, multiplications
from transformer_course.experiments.neighbours import train_reporter
from transformer_course.experiments.spare_heads import heads_of, last_cross_attention


def test_e1_second_row_of_weights():
    printed = [0.2119, 0.3940, 0.3940]
    assert prints_as(softmax(np.array([0.0, 1.0, 1.0]))) == [0.1554, 0.4223, 0.4223] != printed
    assert round(sum(printed), 4) == 0.9999  # its sum does not give it away; the ratio of its weights does
    assert not np.isclose(printed[1] / printed[0], np.e, atol=0.1)
    assert np.isclose(WEIGHTS[1, 1] / WEIGHTS[1, 0], np.e)


def test_e2_last_weight_of_the_third_row():
    assert round(WEIGHTS[2, 2], 5) == 0.57612
    assert round(WEIGHTS[2, 2], 4) == 0.5761 != 0.5762


def test_e3_second_and_third_row_of_the_output():
    printed = [[0.7880, 0.7880], [0.7880, 0.9999]]
    assert prints_as(WEIGHTS @ X)[1:] == [[0.5777, 0.8446], [0.7881, 0.7881]] != printed
    mirror = np.array([1, 0, 2])
    np.testing.assert_allclose((WEIGHTS @ X)[mirror, ::-1], WEIGHTS @ X)  # the symmetry that the printed rows break


def test_e5_the_output_matrix_is_as_high_as_all_heads_are_wide():
    x, heads, d_v = np.array([[1.0, 0, 1], [0, 1, 0], [1, 1, 0]]), 2, 2
    together = np.concatenate([x @ np.ones((3, d_v)) for _ in range(heads)], axis=1)
    with pytest.raises(ValueError, match="mismatch"):
        together @ np.ones((3, 3))  # d_model × d_model, as it says
    assert (together @ np.ones((heads * d_v, 3))).shape == x.shape
    assert x.shape[1] % heads  # nor does d_k = d_model / h hold in its example


def test_e6_the_output_is_as_wide_as_the_values():
    rng = np.random.default_rng(0)
    x = rng.standard_normal((3, 6))
    narrow, same = (attention(x, x, x @ rng.standard_normal((6, d_v)))[2] for d_v in (5, 6))
    assert narrow.shape == (3, 5) != x.shape
    assert same.shape == x.shape


def test_e8_each_row_sums_to_1_and_all_rows_to_their_number():
    x = np.random.default_rng(0).standard_normal((4, 3))
    weights = attention(x, x, x)[1]
    np.testing.assert_allclose(weights.sum(axis=1), 1)
    assert np.isclose(weights.sum(), 4)  # not 1


def test_e18_scores_come_before_softmax_and_the_output_is_no_score():
    rng = np.random.default_rng(0)
    scores, weights, output = attention(rng.standard_normal((2, 4)), rng.standard_normal((3, 4)), rng.standard_normal((3, 5)))
    assert scores.shape == weights.shape == (2, 3) != output.shape
    assert scores.min() < 0 <= weights.min()


def test_e16_other_weights_give_the_same_output_so_a_weight_alone_is_no_reason():
    weights, values = np.array([0.2, 0.6, 0.2]), np.array([[0.0], [1.0], [2.0]])
    assert prints_as(alternative_weights(weights, values)) == [0.5, 0.0, 0.5]
    assert (alternative_weights(weights, values) @ values).item() == pytest.approx((weights @ values).item())
    model, vocabularies = models.load("gpt-pre")
    name = "RIGHTWARDS HARPOON WITH BARB UP ABOVE RIGHTWARDS HARPOON WITH BARB DOWN"
    tokens = torch.tensor([vocabularies["text"].begin, *vocabularies["text"].encode(name)])
    plain = model.double()(tokens[None])[0, -1].detach()
    torch.testing.assert_close(logits_with_weights(model, tokens, alternative_weights), plain, atol=1e-9, rtol=0)
    shuffled = logits_with_weights(model, tokens, lambda weights, values: weights[::-1])
    assert (shuffled - plain).abs().max() > 1  # it is contested, not refuted: weights do matter


@pytest.mark.slow
def test_e29_heads_change_places_with_the_seed_and_can_go_without_loss():
    sides = []
    for seed in range(2):
        inner = train_reporter(num_heads=4, seed=seed, steps=300).maps[:, 1:-1]
        left, right = (inner.diagonal(k, 1, 2).mean(-1) for k in (0, 2))
        sides.append((left > right).tolist())
    assert sides[0] != sides[1]
    assert all(any(side) and not all(side) for side in sides)
    assert len(heads_of(models.load("translator")[0])) == 24
    assert last_cross_attention("silenced", "working", "unseen", seed=0) > 0.97
    assert last_cross_attention("silenced", "silenced", "unseen", seed=0) < 0.2


def test_e23_the_table_of_weights_need_not_exist_and_its_multiplications_remain():
    grown = {}
    for n in (1024, 2048):
        q, k, v = torch.randn(3, n, 64, generator=torch.Generator().manual_seed(0))
        ways = lambda: scaled_dot_product_attention(q, k, v)[0], lambda: attention_in_blocks(q, k, v)  # noqa: B023
        grown[n] = [(memory(way).working, multiplications(way)) for way in ways]
        torch.testing.assert_close(ways[1](), ways[0](), rtol=1e-4, atol=1e-5)
    (plain, blocks), (plain_twice, blocks_twice) = grown.values()
    assert plain_twice[0] / plain[0] == pytest.approx(4, abs=0.1)  # as it says
    assert blocks_twice[0] == blocks[0] < plain[0] / 5  # and need not be
    assert plain_twice[1] == blocks_twice[1] == 4 * blocks[1]  # but the work is the same
