"""Two heads that copy: what the models of lesson 19 are given, what they learn, and what is lost without a head."""

import torch

from transformer_course.experiments import induction


def test_each_sequence_is_a_piece_of_different_words_and_the_same_piece_again():
    data, lengths = induction.repeated_pieces(5, seed=0), set()
    for _ in range(50):
        (tokens,) = next(data)
        length = tokens.shape[1] // 2
        lengths.add(length)
        assert torch.equal(tokens[:, :length], tokens[:, length:])
        assert all(len(set(row.tolist())) == length for row in tokens)
        assert len({tuple(row.tolist()) for row in tokens}) == 5
    assert lengths == set(range(induction.SHORTEST, induction.LONGEST + 1))
    assert len(induction.WORDS) == len(set(induction.WORDS)) == 32


def test_only_words_that_can_be_known_are_asked_for_and_none_is_seen_in_advance():
    model = induction.AttentionOnly(num_layers=2, num_heads=1, seed=0).eval()
    (tokens,) = next(induction.repeated_pieces(3, seed=0))
    length = tokens.shape[1] // 2
    logits, labels = induction.copying(model, tokens)
    assert torch.equal(labels, tokens[:, length + 1 :].flatten())
    torch.testing.assert_close(logits, model(tokens)[:, length:-1].flatten(0, 1))  # the last word is not given


def test_two_layers_copy_and_neither_head_can_do_without_the_other():
    two, one = induction.trained(num_layers=2), induction.trained(num_layers=1)
    first, second = induction.patterns(two)
    (before, _), (_, after_copy) = induction.patterns(two).values()
    assert before > 0.8
    assert after_copy > 0.9
    assert induction.copying_accuracy(two) > 0.98
    assert induction.copying_accuracy(two, (first,)) < 0.5
    assert induction.copying_accuracy(two, (second,)) < 0.4
    assert induction.copying_accuracy(two) > 0.98  # the heads are back
    assert induction.copying_accuracy(one) < 0.65
