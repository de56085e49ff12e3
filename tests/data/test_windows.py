"""Windows that are cut out of a text."""

import pytest
import torch

from transformer_course.data.windows import random_windows


def test_a_label_is_the_token_after_its_input_and_windows_reach_both_ends():
    ids, generator = torch.arange(10), torch.Generator().manual_seed(0)
    inputs, labels = random_windows(ids, 200, 4, generator)
    assert inputs.shape == labels.shape == (200, 4)
    assert torch.equal(labels, inputs + 1)
    assert torch.equal(inputs[:, 1:], labels[:, :-1])
    assert (inputs.min(), labels.max()) == (0, 9)


def test_a_text_that_is_too_short_is_refused():
    assert random_windows(torch.arange(5), 1, 4, torch.Generator())[1].tolist() == [[1, 2, 3, 4]]
    with pytest.raises(ValueError, match="windows of length 4 need at least 5 ids, got 4"):
        random_windows(torch.arange(4), 1, 4, torch.Generator())
