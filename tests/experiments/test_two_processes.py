"""Two processes together compute the gradient of one, and report why they fail."""

import pytest
import torch

from transformer_course.experiments import two_processes


@pytest.mark.parametrize(("first", "error"), [(32, 0.26), (44, 0.003)])
def test_the_mean_of_means_errs_by_what_the_lesson_reads_off(first, error):
    model, pairs = two_processes.batch()
    whole = two_processes.gradient(model, pairs)
    parts = [tuple(column[rows] for column in pairs) for rows in (slice(first), slice(first, None))]
    means = [two_processes.gradient(model, part) for part in parts]
    weights = [two_processes.count_tokens(part) / two_processes.count_tokens(pairs) for part in parts]
    weighted = weights[0] * means[0] + weights[1] * means[1]
    off = [((combined - whole).norm() / whole.norm()).item() for combined in (sum(means) / 2, weighted)]
    assert off == pytest.approx([error, 0], abs=0.005)


@pytest.mark.slow
def test_two_processes_make_the_gradient_of_one_when_weighted_by_tokens():
    model, pairs = two_processes.batch()
    alone = two_processes.gradient(model, pairs)
    halves = [two_processes.shard(pairs, rank, 2) for rank in (0, 1)]
    assert sum(map(two_processes.count_tokens, halves)) == two_processes.count_tokens(pairs)
    each = [two_processes.gradient(model, half) for half in halves]
    found = two_processes.launch()
    torch.testing.assert_close(found["one mean"], alone, rtol=1e-4, atol=1e-6)
    torch.testing.assert_close(found["mean of means"], sum(each) / 2, rtol=1e-4, atol=1e-6)
    torch.testing.assert_close(found["DistributedDataParallel"], found["mean of means"])
    torch.testing.assert_close(found["the same, loss scaled"], alone, rtol=1e-4, atol=1e-6)
    for _ in range(two_processes.STEPS):
        two_processes.step(model, two_processes.gradient(model, pairs))
    trained = torch.cat([parameter.detach().flatten() for parameter in model.parameters()])
    torch.testing.assert_close(found["trained"], trained, rtol=1e-4, atol=1e-5)
    parts = found["milliseconds"]
    assert list(parts) == ["forward and backward", "waiting", "exchange", "update"]
    assert min(parts.values()) > 0


def test_steps_of_one_process_have_nothing_to_wait_for(monkeypatch):
    monkeypatch.setattr(two_processes, "STEPS", 1)
    model, pairs = two_processes.batch()
    before = torch.nn.utils.parameters_to_vector(model.parameters()).detach()
    whole = two_processes.gradient(model, pairs)
    assert list(two_processes.timed_steps(model, pairs)) == ["forward and backward", "update"]
    after = torch.nn.utils.parameters_to_vector(model.parameters()).detach()
    torch.testing.assert_close(after, before - two_processes.LR * whole)


@pytest.mark.slow
def test_processes_that_fail_say_why(monkeypatch, tmp_path):
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / "sitecustomize.py").write_text("import torch.distributed as d\nd.init_process_group = lambda *_: 1 / 0\n")
    with pytest.raises(RuntimeError, match=r"(?s)torchrun ended with status 1.*ZeroDivisionError"):
        two_processes.launch()
