"""Sorters differ only in what they can see."""

import torch

from transformer_course.experiments.sorting import (
    BEGIN,
    DIGITS,
    Sorter,
    generate,
    majority_baseline,
    sorting_data,
    train_sorter,
)


def test_the_sorter_is_asked_for_the_digit_that_comes_next():
    source, shown, wanted = sorting_data(300, seed=2)
    assert sorted(source[5].tolist()) == wanted[5].tolist()
    assert (source != wanted).any()
    assert (shown[:, 0] == BEGIN).all()
    assert torch.equal(shown[:, 1:], wanted[:, :-1])
    assert not torch.equal(sorting_data(300, seed=3)[0], source)
    asked = sorting_data(500, seed=1)[2]
    best = [max((asked[:, place] == digit).float().mean() for digit in range(DIGITS)) for place in range(asked.shape[1])]
    torch.testing.assert_close(majority_baseline(), torch.stack(best))


def test_sorters_differ_in_what_they_may_see_and_in_nothing_else():
    torch.manual_seed(0)
    masked, without = Sorter(causal=True), Sorter(causal=False)
    without.load_state_dict(masked.state_dict())
    source, shown, _ = sorting_data(4, seed=0)
    other = torch.cat([shown[:, :3], (shown[:, 3:] + 1) % DIGITS], dim=1)
    same = [torch.isclose(model(source, shown), model(source, other)).all(-1).all(0) for model in (masked, without)]
    assert same[0].tolist() == [True] * 3 + [False] * 3
    assert not same[1].any()
    assert (masked(source.roll(1, 0), shown) != masked(source, shown)).any()  # and it reads the source
    digits = generate(masked, source)
    for place in range(digits.shape[1]):  # each digit is predicted from those before it
        before = torch.cat([shown[:, :1], digits[:, :place]], dim=1)
        assert torch.equal(masked(source, before)[:, -1].argmax(-1), digits[:, place])


def test_without_its_mask_a_sorter_copies_and_cannot_write():
    masked, without = (train_sorter(causal, seed=0) for causal in (True, False))
    assert masked.free_running.mean() > 0.9
    assert without.teacher_forced.mean() > 0.97
    assert without.free_running.mean() < 0.6
    without.model.causal = True
    source, shown, wanted = sorting_data(500, seed=1)
    assert (without.model(source, shown).argmax(-1) == wanted).float().mean() < 0.65  # only the later tokens are hidden
