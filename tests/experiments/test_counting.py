"""Tables of counts: by hand, and beside the shipped models."""

import numpy as np
import pytest

from transformer_course.experiments.counting import CountTable, NGram, number_bits, prose_bits


def test_a_distribution_holds_the_probability_of_each_token():
    table = NGram([[0, 1, 2, 0, 1, 3, 0, 2]], 5, 3)
    for context in ((), (0,), (0, 1), (3, 0, 1), (4, 1), (4, 4)):
        expected = [table.probabilities(context, token)[-1] for token in range(5)] if len(context) > 1 else None
        found = table.distribution(context)
        np.testing.assert_allclose(found.sum(), 1)
        if expected:
            np.testing.assert_allclose(found, expected)
    assert table.distribution(()).tolist() == table.distribution((4,)).tolist()  # a token that was never seen says nothing


def test_counting_relies_on_shorter_contexts_by_hand():
    table = NGram(["ABx", "ACx"], 4, 2)  # four tokens: A, B, C and x
    p_b = (1 + 4 / 4) / (6 + 4)  # one of six tokens; four distinct ones, each with 1/4 at first
    assert table.probabilities(("A",), "B") == pytest.approx([p_b, (1 + 2 * p_b) / (2 + 2)])
    assert table.probabilities(("never",), "B") == pytest.approx([p_b, p_b])
    for before in ("A", "B", "<begin>"):
        np.testing.assert_allclose(sum(np.array(table.probabilities((before,), token)) for token in "ABCx"), 1)
    steps = (("<begin>", "A"), ("A", "B"), ("B", "x"))
    bits = [-np.log2(table.probabilities((before,), token)) for before, token in steps]
    np.testing.assert_allclose(table.bits("ABx"), bits)
    np.testing.assert_allclose(table.bits_per_token(["ABx"]), np.mean(bits, axis=0))


def test_a_column_is_a_table_of_a_lower_order():
    texts = ["ABCAB", "BCA", "CABBA"]
    bits = NGram(texts, 3, 4).bits("ABBC")
    for in_view in range(4):
        np.testing.assert_allclose(bits[:, in_view], NGram(texts, 3, in_view + 1).bits("ABBC")[:, -1])


def test_a_table_of_arrays_is_the_same_table():
    draw = np.random.default_rng(0)
    train, test = draw.integers(6, size=400).tolist(), draw.integers(7, size=100).tolist()  # 6 is new
    table = CountTable(train, 7, 4)
    np.testing.assert_allclose(table.bits(test), NGram([train], 7, 4).bits(test))
    np.testing.assert_array_equal(table.reader(2)(test), table.bits(test)[1:, 2])


@pytest.mark.slow
def test_the_translator_wins_by_far_on_numbers_and_the_table_is_level_on_documentation():
    tables, translator = number_bits()
    assert translator < 0.01
    assert 1.9 < min(tables) < 2.2
    tables, gpt = prose_bits()
    assert min(tables) < gpt < min(tables) + 0.4
