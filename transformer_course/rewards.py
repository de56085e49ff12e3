"""Learning from rewards: sampling answers, advantages within a group, the clipped policy loss, and pass@k.

Shapes: ``b`` prompts, ``g`` answers per prompt (a group), ``r`` = b·g answers, ``m`` tokens of a prompt, ``n`` of an answer.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Generator, Tensor, nn
from torch.nn import functional as F

from transformer_course.embedding import Vocabulary

Reward = Callable[[list[int], list[int]], float]  # of the ids of a prompt and of an answer, without padding and end


@dataclass(frozen=True)
class Answers:
    """Answers that a model sampled, ``g`` to each prompt; those to one prompt are neighbours."""

    tokens: Int[Tensor, "r m+n"]  # the prompt, the answer up to and with ``<end>``, and padding
    log_probs: Float[Tensor, "r n"]  # of the answer's tokens, under the model that sampled them
    mask: Bool[Tensor, "r n"]  # True for the tokens of the answer, with ``<end>``; False for padding
    prompt_length: int  # m

    def prompt(self, row: int) -> list[int]:
        """Return the ids of one answer's prompt."""
        return self.tokens[row, : self.prompt_length].tolist()

    def answer(self, row: int) -> list[int]:
        """Return the ids of one answer, without ``<end>`` and padding."""
        ids = self.tokens[row, self.prompt_length :][self.mask[row]].tolist()
        return ids[:-1] if ids[-1] == Vocabulary.end else ids


def answer_log_probs(model: nn.Module, tokens: Int[Tensor, "r m+n"], prompt_length: int) -> Float[Tensor, "r n"]:
    """Return the model's log-probability of each token after the prompt, given all the tokens before it; 0 for padding.

    The probabilities are those of `sample_answers`, which never chooses padding. Gradients flow to the model.

    Raises ValueError unless the prompt has at least one token and something follows it.
    """
    if not 1 <= prompt_length < tokens.shape[1]:
        raise ValueError(
            f"a prompt needs at least 1 token, with an answer after it, got a prompt of {prompt_length} "
            f"in sequences of {tokens.shape[1]} tokens"
        )
    answers = tokens[:, prompt_length:]
    log_p = _log_probabilities(model(tokens[:, :-1])[:, prompt_length - 1 :])
    chosen = log_p.gather(-1, answers[..., None])[..., 0]
    return chosen.masked_fill(answers == Vocabulary.pad, 0.0)


def _log_probabilities(logits: Float[Tensor, "... v"]) -> Float[Tensor, "... v"]:
    """Return log-probabilities of all tokens but padding, which gets -inf."""
    padding = torch.arange(logits.shape[-1]) == Vocabulary.pad
    return F.log_softmax(logits.masked_fill(padding, -math.inf), dim=-1)


@torch.no_grad()
def sample_answers(
    model: nn.Module, prompts: Int[Tensor, "b m"], group: int, limit: int, generator: Generator | None = None
) -> Answers:
    """Sample ``group`` answers of up to ``limit`` tokens to each prompt, at temperature 1, and keep their log-probabilities.

    All prompts have the same length. An answer ends with ``<end>``, or when it has ``limit`` tokens. The model is set to
    evaluation mode, since dropout would change the probabilities.

    Raises ValueError unless ``prompts`` has two axes and ``group`` and ``limit`` are 1 or more.
    """
    if prompts.ndim != 2 or group < 1 or limit < 1:
        raise ValueError(
            f"sampling needs prompts of shape (b, m), and a group and a limit of 1 or more, "
            f"got {tuple(prompts.shape)}, {group} and {limit}"
        )
    model.eval()
    tokens, log_probs, masks = prompts.repeat_interleave(group, dim=0), [], []
    running = torch.ones(len(tokens), 1, dtype=torch.bool)
    for _ in range(limit):
        log_p = _log_probabilities(model(tokens)[:, -1])
        chosen = log_p.exp().multinomial(1, generator=generator)
        log_probs.append(log_p.gather(-1, chosen).masked_fill(~running, 0.0))
        masks.append(running)
        tokens = torch.cat([tokens, chosen.masked_fill(~running, Vocabulary.pad)], dim=1)
        running = running & (chosen != Vocabulary.end)
        if not running.any():
            break
    return Answers(tokens, torch.cat(log_probs, dim=1), torch.cat(masks, dim=1), prompts.shape[1])


def scored(reward: Reward, answers: Answers) -> Float[Tensor, "r"]:
    """Return the reward of each answer.

    Raises RuntimeError if the reward function fails on an answer, and ValueError if it does not return a finite number.
    """
    rewards = []
    for row in range(len(answers.tokens)):
        prompt, answer = answers.prompt(row), answers.answer(row)
        try:
            given = float(reward(prompt, answer))
        except Exception as error:
            raise RuntimeError(
                f"the reward function must return a number for every answer, however senseless, but raised "
                f"{type(error).__name__} ({error}) for the prompt {prompt} and the answer {answer}; try 0.0 for such answers"
            ) from error
        if not math.isfinite(given):
            raise ValueError(
                f"a reward must be a finite number, got {given} for the prompt {prompt} and the answer {answer}; "
                "try 0.0 for such answers"
            )
        rewards.append(given)
    return torch.tensor(rewards)


def group_advantages(rewards: Float[Tensor, "b g"]) -> Float[Tensor, "b g"]:
    """Return how much better each answer is than the mean of its group, in standard deviations of its group.

    The deviation divides by g, as for numbers that are all there are. Where all rewards of a group are equal, no answer is
    better than another, and all its advantages are 0.

    Raises ValueError unless the rewards have two axes, with two answers or more in a group.
    Source: Shao et al. 2024, "DeepSeekMath: Pushing the Limits of Mathematical Reasoning in Open Language Models", section
    4.1.2.
    """
    if rewards.ndim != 2 or rewards.shape[1] < 2:
        raise ValueError(
            f"rewards must have shape (b, g), with at least 2 answers per prompt to compare, got {tuple(rewards.shape)}; "
            "try rewards.view(-1, group)"
        )
    difference = rewards - rewards.mean(dim=1, keepdim=True)
    deviation = rewards.std(dim=1, keepdim=True, correction=0)
    equal = rewards.amax(dim=1, keepdim=True) == rewards.amin(dim=1, keepdim=True)  # rounding may leave a deviation above 0
    return torch.where(equal, 0.0, difference / deviation.where(~equal, 1.0))


def policy_loss(
    log_probs: Float[Tensor, "r n"],
    sampled: Float[Tensor, "r n"],
    advantages: Float[Tensor, "r"],
    mask: Bool[Tensor, "r n"],
    clip: float = 0.2,
    reference: Float[Tensor, "r n"] | None = None,
    kl_weight: float = 0.0,
) -> Float[Tensor, ""]:
    """Return the clipped policy loss: the mean over answers of the mean over each answer's tokens.

    ``log_probs`` are those of the model that learns, ``sampled`` those of the model that sampled the answers, and
    ``reference`` those of the model that it may not leave too far, which costs ``kl_weight`` times `kl_estimate`. Only
    ``log_probs`` gets a gradient. A token whose ratio has already moved beyond 1 ± ``clip`` in the direction that its
    advantage asks for gets none.

    Raises ValueError if the shapes do not fit, if ``mask`` leaves an answer without tokens, or if ``clip`` is not above 0.
    Source: Schulman et al. 2017, "Proximal Policy Optimization Algorithms", equation 7; Shao et al. 2024, equation 3.
    """
    shapes = [tuple(x.shape) for x in (log_probs, sampled, mask)]
    if log_probs.ndim != 2 or len({*shapes}) > 1 or advantages.shape != log_probs.shape[:1]:
        raise ValueError(
            "the loss needs log-probabilities and a mask of one shape (r, n), and r advantages, "
            f"got {shapes[0]}, {shapes[1]}, {shapes[2]} and {tuple(advantages.shape)}; try advantages.flatten()"
        )
    if mask.dtype != torch.bool or not mask.any(dim=1).all():
        raise ValueError("the mask must be boolean, and True for at least one token of each answer; it is True for answers")
    if not clip > 0 or (kl_weight and reference is None):
        raise ValueError(f"clip must be above 0, and a kl_weight needs reference, got {clip} and {kl_weight}")
    ratio = (log_probs - sampled.detach()).exp()
    advantage = advantages.detach()[:, None]
    loss = -torch.minimum(ratio * advantage, ratio.clamp(1 - clip, 1 + clip) * advantage)
    if kl_weight:
        loss = loss + kl_weight * kl_estimate(log_probs, reference.detach())
    return ((loss * mask).sum(dim=1) / mask.sum(dim=1)).mean()


def kl_estimate(log_probs: Float[Tensor, "..."], reference: Float[Tensor, "..."]) -> Float[Tensor, "..."]:
    """Return an estimate of the KL divergence from the model to the reference, for each token that the model sampled.

    With q the reference's probability of the token and p the model's, it is q/p − log(q/p) − 1: never negative, 0 where both
    agree, and right on average over tokens drawn from p.

    Source: Schulman 2020, "Approximating KL Divergence"; Shao et al. 2024, equation 4.
    """
    difference = reference - log_probs
    return difference.exp() - difference - 1


def tilted(log_probs: Float[Tensor, "a"], rewards: Float[Tensor, "a"], beta: float) -> Float[Tensor, "a"]:
    """Return the distribution over answers that gains most: the mean reward, minus ``beta`` times the KL from what it was.

    ``log_probs`` are those of the model before. Each probability is proportional to p · exp(reward / beta).

    Raises ValueError unless beta is positive.
    Source: Rafailov et al. 2023, "Direct Preference Optimization", section 4, equation 4.
    """
    if beta <= 0:
        raise ValueError(f"beta must be positive, got {beta}; the smaller it is, the more the rewards decide")
    return F.softmax(log_probs + rewards / beta, dim=-1)


def pass_at_k(correct: Sequence[int] | Int[Tensor, "b"], samples: int, k: int) -> Float[Tensor, "b"]:
    """Return, for each prompt, the probability that at least one of ``k`` answers is right.

    ``correct`` says how many of ``samples`` answers were right. The estimate is the fraction of all sets of k of these answers
    that hold a right one. It is right on average; 1 − (1 − correct/samples)ᵏ would be too low.

    Raises ValueError unless 1 ≤ k ≤ samples and every count is from 0 to samples.
    Source: Chen et al. 2021, "Evaluating Large Language Models Trained on Code", equation 1.
    """
    counts = [int(count) for count in correct]
    if not 1 <= k <= samples or any(not 0 <= count <= samples for count in counts):
        raise ValueError(
            f"pass@k needs 1 ≤ k ≤ samples and counts from 0 to samples, got k = {k}, {samples} samples and counts "
            f"{min(counts, default=0)} … {max(counts, default=0)}; draw at least k answers per prompt"
        )
    return torch.tensor([1 - math.comb(samples - count, k) / math.comb(samples, k) for count in counts])
