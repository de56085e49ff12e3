"""The answers that are judged in lesson 27: what was recorded belongs to this code, and one of them is right."""

import torch

from transformer_course.experiments import judged_answers, rewards
from transformer_course.experiments.records import recorded


def test_what_is_recorded_belongs_to_this_code():
    record = recorded("judged_answers")
    assert record["settings"] == judged_answers.settings()
    assert str(sum(judged_answers.SUM)) in judged_answers.ANSWERS
    assert len(record["log_probs"]) == len(judged_answers.ANSWERS)


def test_a_model_without_a_preference_gives_each_token_the_same_probability():
    model = rewards.new_model(0)
    torch.nn.init.zeros_(model.output.weight)
    each = torch.tensor(1 / (len(rewards.VOCABULARY) - 1)).log().item()  # padding is never chosen
    tokens = [min(len(answer) + 1, rewards.LONG) for answer in judged_answers.ANSWERS]
    with torch.no_grad():
        found = judged_answers.log_probs(model)
    torch.testing.assert_close(torch.tensor(found), each * torch.tensor(tokens), atol=0.01, rtol=0)
