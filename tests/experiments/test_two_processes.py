"""Two processes together compute the gradient of one, and report why they fail."""

import pytest
import torch

from transformer_course.experiments import two_processes


@pytest.mark.slow
def test_two_processes_make_the_gradient_of_one_when_they_weigh_by_tokens():
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
    assert found["step"] > found["exchange"] > 0


@pytest.mark.slow
def test_processes_that_fail_say_why(monkeypatch, tmp_path):
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / "sitecustomize.py").write_text("import torch.distributed as d\nd.init_process_group = lambda *_: 1 / 0\n")
    with pytest.raises(RuntimeError, match=r"(?s)torchrun ended with status 1.*ZeroDivisionError"):
        two_processes.launch()
