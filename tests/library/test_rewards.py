"""Learning from rewards: sampling with log-probabilities, advantages, the clipped policy loss, pass@k."""

import itertools
import math

import pytest
import torch
from decoding_models import BEGIN, gpt
from torch import nn
from torch.nn import functional as F

from transformer_course.embedding import Vocabulary
from transformer_course.rewards import (
    Answers,
    answer_log_probs,
    group_advantages,
    kl_estimate,
    pass_at_k,
    policy_loss,
    sample_answers,
    scored,
    tilted,
)

PAD, END = Vocabulary.pad, Vocabulary.end


class Fixed(nn.Module):
    """Logits that depend only on the token before: row ``t`` of a table."""

    def __init__(self, table: torch.Tensor):
        super().__init__()
        self.table = table

    def forward(self, tokens):
        return self.table[tokens]


def test_samples_have_the_model_s_probabilities_and_keep_them():
    model, prompt = gpt(2).eval(), torch.tensor([[BEGIN, 5]])
    answers = sample_answers(model, prompt, 5000, 1, torch.Generator().manual_seed(0))
    expected = model(prompt)[0, -1].index_fill(0, torch.tensor(PAD), -torch.inf).softmax(-1).detach()
    shares = torch.bincount(answers.tokens[:, 2], minlength=7) / 5000
    torch.testing.assert_close(shares.double(), expected, rtol=0, atol=0.03)
    torch.testing.assert_close(answers.log_probs[:, 0].exp(), expected[answers.tokens[:, 2]])


def test_an_answer_ends_with_end_and_is_scored_again_with_the_same_numbers():
    model, prompts = gpt(2).eval(), torch.tensor([[BEGIN, 5], [BEGIN, 6]])
    answers = sample_answers(model, prompts, 40, 6, torch.Generator().manual_seed(0))
    new = answers.tokens[:, 2:]
    ends = (new == END).int()
    torch.testing.assert_close(answers.mask, ends.cumsum(1) - ends == 0)  # up to the first end, and with it
    assert (new[~answers.mask] == PAD).all()
    assert (new[answers.mask] != PAD).all()
    assert len({int(row.sum()) for row in answers.mask}) > 2  # answers of several lengths
    torch.testing.assert_close(answer_log_probs(model, answers.tokens, 2), answers.log_probs)
    assert answers.tokens[:40, 1].tolist() == [5] * 40  # a prompt's answers are neighbours
    for row in range(80):
        assert END not in answers.answer(row)


def test_log_probabilities_are_those_of_the_token_given_all_before_it():
    table = torch.randn(7, 7, generator=torch.Generator().manual_seed(0))
    table[:, PAD] = -torch.inf
    tokens = torch.tensor([[1, 4, 5, 6, 2]])
    p = table.softmax(-1)
    expected = [p[4, 5].log(), p[5, 6].log(), p[6, 2].log()]
    torch.testing.assert_close(answer_log_probs(Fixed(table), tokens, 2)[0], torch.stack(expected))


def test_a_reward_gets_prompt_and_answer_without_end():
    tokens = torch.tensor([[1, 4, 5, END], [1, 4, 6, 6]])
    answers = Answers(tokens, torch.zeros(2, 2), torch.ones(2, 2, dtype=torch.bool), 2)
    assert scored(lambda prompt, answer: 10 * sum(prompt) + len(answer), answers).tolist() == [51, 52]


def test_a_reward_that_fails_is_named_with_its_answer():
    answers = Answers(torch.tensor([[1, 4, 5]]), torch.zeros(1, 1), torch.ones(1, 1, dtype=torch.bool), 2)
    with pytest.raises(RuntimeError, match=r"raised ZeroDivisionError .*prompt \[1, 4\] and the answer \[5\]; try 0"):
        scored(lambda prompt, answer: 1 / 0, answers)
    with pytest.raises(ValueError, match="finite number, got nan"):
        scored(lambda prompt, answer: math.nan, answers)


def test_advantages_are_standard_scores_of_a_group():
    rewards = torch.tensor([[1.0, 0, 0, 0], [5, 6, 7, 10]])
    first, second = group_advantages(rewards)
    torch.testing.assert_close(first, torch.tensor([3.0, -1, -1, -1]) / math.sqrt(3))
    torch.testing.assert_close(second, torch.tensor([-2.0, -1, 0, 3]) / math.sqrt(3.5))


def test_equal_rewards_have_no_advantage_whatever_their_rounding():
    rewards = torch.tensor([[0.1] * 3, [0.0] * 3, [1e30] * 3, [0.1, 0.1, 0.2]])
    advantages = group_advantages(rewards)
    assert not advantages[:3].any()
    assert advantages[3].all()


def test_at_the_model_that_sampled_the_gradient_is_that_of_the_plain_policy_gradient():
    log_probs = torch.randn(4, 3, dtype=torch.float64).requires_grad_()
    mask = torch.tensor([[1, 1, 1], [1, 0, 0], [1, 1, 0], [1, 1, 1]]).bool()
    advantages = torch.tensor([1.5, -0.5, 0.0, -1.0], dtype=torch.float64)
    policy_loss(log_probs, log_probs.detach(), advantages, mask).backward()
    expected = -advantages[:, None] * mask / mask.sum(1, keepdim=True) / 4
    torch.testing.assert_close(log_probs.grad, expected)


def test_the_loss_is_a_loop_over_tokens():
    generator = torch.Generator().manual_seed(1)
    now, then, start = (torch.randn(5, 4, generator=generator) for _ in range(3))
    advantages, mask = torch.randn(5, generator=generator), torch.rand(5, 4, generator=generator) < 0.6
    mask[:, 0] = True
    total = 0.0
    for row in range(5):
        tokens = []
        for t in range(4):
            if mask[row, t]:
                ratio, a = math.exp(now[row, t] - then[row, t]), advantages[row].item()
                kl = math.exp(start[row, t] - now[row, t]) - (start[row, t] - now[row, t]).item() - 1
                tokens.append(-min(ratio * a, min(max(ratio, 0.7), 1.3) * a) + 0.1 * kl)
        total += sum(tokens) / len(tokens) / 5
    assert policy_loss(now, then, advantages, mask, 0.3, start, 0.1).item() == pytest.approx(total, rel=1e-5)


@pytest.mark.parametrize(
    ("ratio", "advantage", "moves"), [(1.5, 1, False), (1.5, -1, True), (0.5, 1, True), (0.5, -1, False), (1.1, 1, True)]
)
def test_a_token_that_has_gone_far_enough_gets_no_gradient(ratio, advantage, moves):
    log_probs = torch.tensor([[math.log(ratio)]], requires_grad=True)
    policy_loss(log_probs, torch.zeros(1, 1), torch.tensor([float(advantage)]), torch.ones(1, 1).bool()).backward()
    assert bool(log_probs.grad) == moves


def test_the_kl_estimate_is_right_on_average_and_never_negative():
    p, q = (torch.randn(2, 6, generator=torch.Generator().manual_seed(0))).log_softmax(-1)
    estimate = kl_estimate(p, q)
    assert (estimate >= 0).all()
    torch.testing.assert_close((p.exp() * estimate).sum(), F.kl_div(q, p, log_target=True, reduction="sum"))


def test_no_distribution_gains_more_than_the_tilted_one():
    draws = torch.Generator().manual_seed(0)
    log_p, rewards, beta = torch.randn(5, generator=draws).log_softmax(-1), torch.randn(5, generator=draws), 0.3
    best = tilted(log_p, rewards, beta)
    others = (best.log() + 0.1 * torch.randn(501, 5, generator=draws)).softmax(-1)
    others[0] = best
    gains = others @ rewards - beta * (others * (others.log() - log_p)).sum(-1)
    assert gains.argmax() == 0


@pytest.mark.parametrize(("samples", "right"), [(5, 2), (6, 0), (4, 4), (7, 1)])
def test_pass_at_k_is_the_share_of_all_sets_of_k_answers(samples, right):
    answers = [i < right for i in range(samples)]
    for k in range(1, samples + 1):
        sets = list(itertools.combinations(answers, k))
        assert pass_at_k([right], samples, k).item() == pytest.approx(sum(map(any, sets)) / len(sets))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sample_answers(gpt(), torch.tensor([1]), 2, 2), r"prompts of shape \(b, m\).* got \(1,\)"),
        (lambda: answer_log_probs(gpt(), torch.tensor([[1, 4]]), 2), "an answer after it"),
        (lambda: group_advantages(torch.ones(3)), r"at least 2 answers .*got \(3,\); try rewards.view"),
        (lambda: group_advantages(torch.ones(3, 1)), "at least 2 answers"),
        (lambda: tilted(torch.zeros(2), torch.ones(2), 0.0), "beta must be positive"),
        (lambda: pass_at_k([1], 4, 5), "draw at least k answers"),
        (lambda: pass_at_k([5], 4, 1), "counts 5 … 5"),
        (lambda: _loss(advantages=torch.ones(2, 1)), "try advantages.flatten"),
        (lambda: _loss(mask=torch.zeros(2, 3).bool()), "at least one token of each answer"),
        (lambda: _loss(clip=0.0), "clip must be above 0"),
        (lambda: _loss(kl_weight=0.1), "a kl_weight needs reference"),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def _loss(**changed):
    given = {"log_probs": torch.zeros(2, 3), "sampled": torch.zeros(2, 3), "advantages": torch.ones(2)}
    return policy_loss(**{**given, "mask": torch.ones(2, 3).bool(), **changed})
