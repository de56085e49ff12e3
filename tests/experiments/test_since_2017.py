"""What has changed since 2017: the sizes that the comparisons rest on, and what was recorded."""

import pytest
import torch

from transformer_course.experiments import since_2017
from transformer_course.experiments.records import recorded
from transformer_course.experiments.since_2017 import ARMS, LanguageModel, active_parameters, found, parameters


def test_swaps_have_about_as_many_parameters():
    for arm in ("norm in front", "RMSNorm", "SwiGLU", "rotation", "window of 32"):
        assert parameters(ARMS[arm]) == pytest.approx(parameters(ARMS["2017"]), rel=0.005), arm


def test_experts_have_a_control_of_equal_active_and_one_of_equal_total_size():
    experts = ARMS["experts"]
    assert active_parameters(experts) == pytest.approx(parameters(ARMS["today"]), rel=0.015)
    assert parameters(experts) == pytest.approx(parameters(ARMS["dense, total size"]), rel=0.005)
    assert ARMS["experts, balanced"].hidden == experts.hidden


@pytest.mark.parametrize("arm", ARMS)
def test_no_model_sees_the_future(arm):
    model, tokens = LanguageModel(ARMS[arm]).eval(), torch.randint(0, 96, (2, 40), generator=torch.Generator().manual_seed(0))
    other = tokens.clone()
    other[:, -1] = (other[:, -1] + 1) % 96
    before, after = model(tokens), model(other)
    torch.testing.assert_close(before[:, :-1], after[:, :-1])
    assert not torch.allclose(before[:, -1], after[:, -1])


def test_a_cache_shrinks_with_groups_and_stops_growing_with_a_window():
    assert ARMS["2017"].cache() == 2 * 2 * 128 * 64 * 4
    assert ARMS["2 groups"].cache() * 2 == ARMS["1 group"].cache() * 4 == ARMS["2017"].cache()
    assert ARMS["window of 32"].cache(10_000) == ARMS["window of 32"].cache(32) == 2 * 2 * 32 * 64 * 4


def test_every_arm_can_be_trained():
    for arm in ("2017", "today, window of 32", "experts, balanced"):
        model = since_2017.trained(ARMS[arm], "Return the file. " * 40, steps=2)
        assert 0 < since_2017.bits_per_character(model, "Return the file. " * 40) < 12
    assert all(sum(shares) == pytest.approx(1, abs=0.01) for shares in since_2017.shares_of_experts(model, "abc " * 3000))


def test_the_record_is_of_these_settings():
    record = recorded("since_2017")
    assert record["settings"] == since_2017.settings()
    ran = [(run["arm"], run["seed"], run["steps"], run["rate"]) for run in record["runs"]]
    assert ran == since_2017.plan()
    assert all(len(found(arm)) == 3 for arm in ARMS)
