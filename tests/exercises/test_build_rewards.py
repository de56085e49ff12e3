"""Stage B12: what learners write in torch, what is trained with it, and what was recorded."""

import copy

import pytest
import torch
from examining import verdict
from torch import nn
from torch.nn import functional as F

from transformer_course import build_parts
from transformer_course._util import folder_record
from transformer_course.embedding import Vocabulary
from transformer_course.exercises import catalogue
from transformer_course.experiments import effort
from transformer_course.experiments import own_rewards as sums
from transformer_course.experiments import rewards as lesson
from transformer_course.experiments.records import recorded

ADVANTAGES, LOSS, PASS = (catalogue()[f"build.{name}"] for name in ("advantages", "policy_loss", "pass_at_k"))


def one_group_at_a_time(rewards, group):
    """Right, with a question in place of a small number."""
    found = [(row - row.mean()) / row.std(correction=0) if row.std() > 0 else 0 * row for row in rewards.split(group)]
    return torch.cat(found)


def where_it_is_clipped(model, reference, ids, written, sampled, advantages, clip, kl_weight):
    """Right, with a maximum of losses, the cross-entropy of torch, and an index in place of a product."""
    now, start = (
        -F.cross_entropy(each(ids)[:, :-1].transpose(1, 2), ids[:, 1:], reduction="none") for each in (model, reference)
    )
    ratio, start = torch.exp(now - sampled.detach()), start.detach()
    a = -advantages.unsqueeze(1).expand_as(ratio)
    cost = torch.maximum(a * ratio, a * torch.clamp(ratio, 1 - clip, 1 + clip))
    cost = cost + kl_weight * (torch.exp(start - now) - 1 - (start - now))
    return torch.stack([row[own].mean() for row, own in zip(cost, written[:, 1:], strict=True)]).mean()


def by_a_product(right, k):
    """Right, after Chen et al. 2021, listing 1."""
    n, found = right.shape[1], []
    for c in right.sum(1).tolist():
        wrong = torch.arange(n - c + 1, n + 1)
        found.append(1.0 if n - c < k else 1 - torch.prod(1 - k / wrong).item())
    return torch.tensor(found)


def test_right_answers_pass_in_every_style():
    right = {one_group_at_a_time: ADVANTAGES, where_it_is_clipped: LOSS, by_a_product: PASS}
    assert {answer for answer, exercise in right.items() if verdict(exercise, answer) != exercise.passed()} == set()


def test_what_is_no_tensor_gets_half():
    seen = verdict(PASS, lambda right, k: build_parts.pass_at_k(right, k).tolist())
    assert (seen.score, seen.message) == (0.5, "The values are right, but you return a list where a tensor is needed.")


def loss(sampled=lambda sampled, now: sampled, held=torch.no_grad):
    """The stage's loss with other old log-probabilities, or with a gradient to the reference."""

    def policy_loss(model, reference, ids, written, old, advantages, clip, kl_weight):
        now = build_parts.log_probs(model, ids)
        with held():
            start = build_parts.log_probs(reference, ids)
        ratio, a, d = (now - sampled(old, now)).exp(), advantages[:, None], start - now
        cost = kl_weight * (d.exp() - d - 1) - torch.minimum(ratio * a, ratio.clamp(1 - clip, 1 + clip) * a)
        return ((cost * written[:, 1:]).sum(1) / written[:, 1:].sum(1)).mean()

    return policy_loss


def test_what_only_a_gradient_shows_is_named():
    assert verdict(LOSS, loss()).passed
    assert verdict(LOSS, loss(lambda old, now: now)).mistake == "the ratio without detach"
    assert verdict(LOSS, loss(lambda old, now: now.detach())).mistake == "the probabilities of now as the old ones"
    assert verdict(LOSS, loss(held=torch.enable_grad)).mistake == "the reference model trained"
    cut = verdict(LOSS, lambda *batch: build_parts.policy_loss(*batch).detach())
    assert (cut.mistake, cut.score) == ("the gradient cut off", 0.0)


def test_the_deviation_of_torch_and_its_nan_are_named():
    def advantages(rewards, group, correction=0, least=1e-6):
        rows = rewards.view(-1, group)
        deviation = rows.std(1, keepdim=True, correction=correction).clamp(min=least)
        return ((rows - rows.mean(1, keepdim=True)) / deviation).flatten()

    assert verdict(ADVANTAGES, advantages).passed
    assert verdict(ADVANTAGES, lambda *given: advantages(*given, correction=1)).mistake == "divided by g − 1"
    assert verdict(ADVANTAGES, lambda *given: advantages(*given, least=0.0)).mistake == "nan for equal rewards"


FUNCTIONS = build_parts.advantages, build_parts.log_probs, build_parts.policy_loss


def test_a_step_is_that_of_lesson_27(monkeypatch):
    """With a reward for answers that begin with 1, which a model soon samples; padding makes a small difference."""
    monkeypatch.setattr(sums, "right", lambda prompt, answer: float(answer[:1] == lesson.VOCABULARY.encode("1")))
    begin = sums.new_model(build_parts.GPT)
    assert sums.imitate(begin, build_parts.answer_loss, steps=20) == 20
    own, other = copy.deepcopy(begin), copy.deepcopy(begin)
    seen = sums.improve(own, *FUNCTIONS, steps=4, rate=3e-3, seed=1)
    history = lesson.learn_from_rewards(other, sums.right, steps=4, lr=3e-3, seed=1)
    assert seen["right"] == pytest.approx(history.reward, abs=0.03)
    assert seen["kl"] == pytest.approx(history.kl, rel=0.1, abs=1e-6)
    assert seen["right"][-1] > seen["right"][0] + 0.1
    assert seen["kl"][-1] > 0.1


class Adds(nn.Module):
    """Always right, or wrong by one if the second number is even."""

    def forward(self, ids):
        logits = torch.zeros(*ids.shape, len(lesson.VOCABULARY))
        for row, given in enumerate(ids.tolist()):
            a, b = map(int, lesson.text(given[: lesson.PROMPT - 1]).split("+"))
            answer = [*lesson.VOCABULARY.encode(str(a + b + (b % 2 == 0))), *[Vocabulary.end] * 9]
            logits[row, -1, answer[len(given) - lesson.PROMPT]] = 100
        return logits


def test_what_is_right_is_counted(monkeypatch):
    monkeypatch.setattr(effort, "setting", lambda: "full")
    found = sums.measured(Adds(), build_parts.pass_at_k)
    odd = sum(b % 2 for _, b in lesson.UNSEEN) / len(lesson.UNSEEN)
    assert [each.value for each in found.values()] == pytest.approx([odd] * 3)
    assert found["pass@8"].low < odd < found["pass@8"].high


def test_the_next_session_opens_the_model_with_what_was_seen(tmp_path, monkeypatch, capsys):
    (tmp_path / "notebooks").mkdir()
    folder_record.write_record(tmp_path, {})
    monkeypatch.chdir(tmp_path / "notebooks")
    begin, called = sums.new_model(build_parts.GPT), []

    def learn(model):
        called.append(model)
        return sums.improve(model, *FUNCTIONS, steps=2)

    first, again = (sums.trained("rewards", begin, learn, *FUNCTIONS) for _ in range(2))
    assert len(called) == 1
    assert capsys.readouterr().out.count("In step 1, the 8 rewards of each prompt are equal (0 for the first), so no") == 1
    assert first.measured == again.measured
    assert all(map(torch.equal, first.model.parameters(), again.model.parameters()))
    assert (tmp_path / "models" / "B12-rewards.safetensors").exists()


def test_the_record_is_of_these_settings_and_says_what_the_stage_says():
    record = recorded("own_rewards")
    assert record["settings"] == sums.settings()

    def of(arm, kind):
        return [round(100 * seed[arm][kind][0]) for seed in record["seeds"].values()]

    def rises(arm, kind):
        return [after - before for before, after in zip(of("before", kind), of(arm, kind), strict=True)]

    rewards, faster, known, new = sums.VERSIONS
    assert (min(rises(rewards, "pass@1")), max(rises(rewards, "pass@1"))) == (13, 22)
    assert rises(rewards, "pass@8") == [6, 7, 7]
    assert [a > b for a, b in zip(of(known, "pass@1"), of(rewards, "pass@1"), strict=True)] == [True, True, False]
    assert (of(rewards, "pass@1")[2], of(known, "pass@1")[2], of(new, "pass@1")[2]) == (66, 63, 51)
    assert (max(rises(faster, "pass@8")), min(rises(faster, "pass@8"))) == (-6, -21)
    times = [seed[faster]["kl"][0] / seed[rewards]["kl"][0] for seed in record["seeds"].values()]
    assert (round(min(times)), round(max(times))) == (6, 11)
