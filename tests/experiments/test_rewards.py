"""Learning from rewards on two-digit sums: the task, what a step does, and what was recorded."""

import copy

import numpy as np
import pytest
import torch

from transformer_course.experiments import rewards
from transformer_course.experiments.records import recorded


def test_no_sum_is_in_two_of_the_three_parts():
    parts = [set(part) for part in (rewards.IMITATED, rewards.REWARDED, rewards.UNSEEN)]
    assert [len(part) for part in parts] == [2000, 2000, 300]
    assert len(set.union(*parts)) == 4300
    assert {len(f"{a}+{b}=") for part in parts for a, b in part} == {rewards.PROMPT}


@pytest.mark.parametrize(("answer", "paid"), [("122", 1), ("112", 0), ("0122", 0), ("", 0), ("=+1", 0)])
def test_the_judge_pays_for_the_sum_and_nothing_else(answer, paid):
    prompt = rewards.prompt_ids([(37, 85)])[0].tolist()
    assert rewards.right(prompt, rewards.VOCABULARY.encode(answer)) == paid
    assert rewards.right_and_long(prompt, rewards.VOCABULARY.encode(answer)) == paid + 0.5 * len(answer)


def test_the_model_has_the_size_that_the_lesson_says():
    parameters = sum(p.numel() for p in rewards.new_model(0).parameters())
    assert round(parameters, -3) == 103_000


def test_rewards_make_what_they_pay_for_more_frequent():
    """A reward for the first character 7, which an untrained model already samples sometimes."""
    model = rewards.new_model(0)
    seven = rewards.VOCABULARY.ids["7"]
    history = rewards.learn_from_rewards(model, lambda prompt, answer: answer[:1] == [seven], steps=8, lr=3e-3, kl_weight=0.0)
    assert history.reward[0] < 0.2
    assert np.mean(history.reward[-2:]) > 0.6
    assert history.kl[0] == pytest.approx(0, abs=1e-6)
    assert history.kl[-1] > 0.1


def test_equal_rewards_are_named_once_and_change_nothing():
    model = rewards.new_model(0)
    before = copy.deepcopy(model.state_dict())
    with pytest.warns(UserWarning, match=r"step 1, the 8 rewards of each prompt are equal.*no gradient; try easier") as warned:
        history = rewards.learn_from_rewards(model, lambda prompt, answer: prompt[0], steps=3, kl_weight=0.0)
    assert len(warned) == 1
    assert history.mixed == [0, 0, 0]
    for name, weights in model.state_dict().items():
        torch.testing.assert_close(weights, before[name], rtol=0, atol=0)


def test_imitation_stops_as_soon_as_enough_is_right():
    model = rewards.new_model(0)
    assert rewards.imitate(model, steps=30, until=0.0) == 10
    assert rewards.imitate(model, steps=20, until=1.0) == 20


def test_the_record_is_of_these_settings():
    assert recorded("rewards")["settings"] == rewards.settings()


def test_what_the_lesson_says_of_the_record():
    seeds = recorded("rewards")["seeds"].values()
    assert len(seeds) == 3
    for found in seeds:

        def passes(arm, k, found=found):
            return found[arm]["pass"][str(k)][0]

        for arm in ("rewards", "imitation, same sums as before", "imitation, new sums"):
            assert passes(arm, 1) > passes("before", 1) + 0.15, arm
        assert passes("imitation, same sums as before", 1) > passes("rewards", 1) + 0.1
        assert abs(passes("rewards", 8) - passes("before", 8)) < 0.05
        assert passes("imitation, same sums as before", 8) > passes("rewards", 8) + 0.01
        assert passes("rewards, 5 times the rate", 8) < passes("before", 8) - 0.1
        assert passes("weak, paid for length", 1) < 0.03
        assert np.mean(found["weak, paid for length"]["history"]["reward"][-2:]) > 3.5
