"""What has changed since 2017: the sizes that the comparisons rest on, and what was recorded."""

import pytest
import torch

from transformer_course.experiments import since_2017
from transformer_course.experiments.records import recorded
from transformer_course.experiments.since_2017 import VERSIONS, LanguageModel, active_parameters, found, parameters


def test_swaps_have_about_as_many_parameters():
    for version in ("norm in front", "RMSNorm", "SwiGLU", "rotation", "window of 32"):
        assert parameters(VERSIONS[version]) == pytest.approx(parameters(VERSIONS["2017"]), rel=0.005), version


def test_experts_have_a_control_of_equal_active_and_one_of_equal_total_size():
    experts = VERSIONS["experts"]
    assert active_parameters(experts) == pytest.approx(parameters(VERSIONS["today"]), rel=0.015)
    assert parameters(experts) == pytest.approx(parameters(VERSIONS["dense, total size"]), rel=0.005)
    assert VERSIONS["experts, balanced"].hidden == experts.hidden


@pytest.mark.parametrize("version", VERSIONS)
def test_no_model_sees_the_future(version):
    model, tokens = (
        LanguageModel(VERSIONS[version]).eval(),
        torch.randint(0, 96, (2, 40), generator=torch.Generator().manual_seed(0)),
    )
    other = tokens.clone()
    other[:, -1] = (other[:, -1] + 1) % 96
    before, after = model(tokens), model(other)
    torch.testing.assert_close(before[:, :-1], after[:, :-1])
    assert not torch.allclose(before[:, -1], after[:, -1])


def test_a_cache_shrinks_with_groups_and_stops_growing_with_a_window():
    assert VERSIONS["2017"].cache() == 2 * 2 * 128 * 64 * 4
    assert VERSIONS["2 groups"].cache() * 2 == VERSIONS["1 group"].cache() * 4 == VERSIONS["2017"].cache()
    assert VERSIONS["window of 32"].cache(10_000) == VERSIONS["window of 32"].cache(32) == 2 * 2 * 32 * 64 * 4


def test_every_arm_can_be_trained():
    for version in ("2017", "today, window of 32", "experts, balanced"):
        model = since_2017.trained(VERSIONS[version], "Return the file. " * 40, steps=2)
        assert 0 < since_2017.bits_per_character(model, "Return the file. " * 40) < 12
    assert all(sum(shares) == pytest.approx(1, abs=0.01) for shares in since_2017.shares_of_experts(model, "abc " * 3000))


def test_the_record_is_of_these_settings():
    record = recorded("since_2017")
    assert record["settings"] == since_2017.settings()
    ran = [(run["version"], run["seed"], run["steps"], run["rate"]) for run in record["runs"]]
    assert ran == since_2017.plan()
    assert all(len(found(version)) == 3 for version in VERSIONS)


def test_at_no_rate_does_the_norm_in_front_alone_help():
    tried = [bits for rate in (0.006, 0.012, 0.024, 0.048) for bits in found("norm in front", rate=rate)[:1]]
    assert len(tried) == 4
    assert min(tried) > found("2017")[0]
