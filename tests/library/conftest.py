import pytest
import torch


@pytest.fixture
def doubles():
    """Modules and tensors are made in float64, and drawn from the same seed."""
    torch.manual_seed(0)
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)
