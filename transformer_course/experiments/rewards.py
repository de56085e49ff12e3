"""Learning from rewards: a small GPT adds two numbers of two digits, first by imitation, then for a program's reward.

A sum is written as characters, "37+85=122". The model imitates right answers to 2,000 sums, and stops as soon as about two of
five of its sampled answers are right. Then it samples answers to 2,000 *other* sums, and a program pays for each right one. It
is tested on sums that neither part has. The controls go on imitating for as many more steps.

Shapes: ``b`` prompts, ``g`` answers per prompt, ``r`` = b·g answers, ``n`` tokens of an answer.
"""

import copy
import random
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

from transformer_course._util.progress_bar import progress
from transformer_course.config import TransformerConfig
from transformer_course.embedding import Vocabulary
from transformer_course.experiments.own_evaluation import Estimate
from transformer_course.family import GPT
from transformer_course.rewards import (
    Reward,
    answer_log_probs,
    group_advantages,
    kl_estimate,
    pass_at_k,
    policy_loss,
    sample_answers,
    scored,
)
from transformer_course.training import batches

Sum = tuple[int, int]

VOCABULARY = Vocabulary("0123456789+=")
PROMPT = 6  # characters of "37+85="
LIMIT, LONG = 4, 8  # tokens of an answer; a right one has three or four, with end
GROUP, PROMPTS = 8, 16  # answers per prompt, and prompts per step
UPDATES = 2  # of the model, for each set of sampled answers: in the second one, the ratios are no longer 1
RATE, KL_WEIGHT = 3e-4, 0.04
STEPS = 120
TOGETHER = 5  # steps whose mean is recorded as one number
ENOUGH, WEAK = 0.4, 0.05  # when imitation stops: the fraction of sampled answers that are right


def _sums() -> tuple[list[Sum], list[Sum], list[Sum]]:
    every = [(a, b) for a in range(10, 100) for b in range(10, 100)]
    random.Random(0).shuffle(every)
    return every[:2000], every[2000:4000], every[-300:]


IMITATED, REWARDED, UNSEEN = _sums()


def text(ids: Sequence[int]) -> str:
    """Return the characters of ids; special tokens as <begin>, …"""
    return "".join(VOCABULARY.tokens[i] for i in ids)


def prompt_ids(sums: Sequence[Sum]) -> Tensor:
    """Return the prompts of sums, "37+85=", as ids (b, 6)."""
    return torch.tensor([VOCABULARY.encode(f"{a}+{b}=") for a, b in sums])


def right(prompt: Sequence[int], answer: Sequence[int]) -> float:
    """Return 1 if the answer is the sum that the prompt asks for, else 0."""
    a, b = text(prompt)[:-1].split("+")
    return float(text(answer) == str(int(a) + int(b)))


def right_and_long(prompt: Sequence[int], answer: Sequence[int]) -> float:
    """Return a reward that also pays 0.5 for each character, as if a long answer were a thorough one."""
    return right(prompt, answer) + 0.5 * len(answer)


def new_model(seed: int) -> GPT:
    """Return an untrained GPT of about 103,000 parameters, whose table of embeddings is not multiplied by √d."""
    torch.manual_seed(seed)
    sizes = {"d_model": 64, "num_heads": 4, "num_layers": 2, "d_ff": 256, "max_length": PROMPT + LONG}
    return GPT(
        TransformerConfig(
            **sizes,
            dropout=0.0,
            norm="pre",
            activation="gelu",
            positions="learned",
            vocabulary_size=len(VOCABULARY),
            tied=False,
            scale_embedding=False,
        )
    )


def imitation_loss(model: nn.Module, tokens: Tensor) -> Tensor:
    """Return the mean loss of the answer's tokens, in nats; the prompt has none."""
    answer = tokens[:, PROMPT:] != Vocabulary.pad
    return -(answer_log_probs(model, tokens, PROMPT) * answer).sum() / answer.sum()


def imitate(
    model: nn.Module,
    sums: Sequence[Sum] = IMITATED,
    steps: int = 1000,
    seed: int = 0,
    lr: float = 3e-3,
    until: float | None = None,
    after_step: Callable[[int, float], None] | None = None,
    loss: Callable[[nn.Module, Tensor], Tensor] = imitation_loss,
) -> int:
    """Train a model in place on the right answers to ``sums``, 64 per step, at a constant rate; return the steps taken.

    ``until`` stops it as soon as this fraction of its sampled answers is right, out of 400 to 200 other sums.
    """
    written = [[*VOCABULARY.encode(f"{a}+{b}={a + b}"), Vocabulary.end] for a, b in sums]
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr, betas=(0.9, 0.98))
    for step, (tokens,) in zip(progress(range(1, steps + 1), "imitation"), batches(written, seed=seed), strict=False):
        found = loss(model, tokens)
        optimizer.zero_grad()
        found.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if after_step is not None:
            after_step(step, found.item())
        if until is not None and step % 10 == 0 and evaluate(model, 2, REWARDED[:200], ks=(1,))[1].value >= until:
            return step
    return steps


@dataclass
class History:
    """What was seen in each step of learning from rewards, before the step changed the model."""

    reward: list[float] = field(default_factory=list)  # mean over all answers
    right: list[float] = field(default_factory=list)  # fraction of answers that are right, whatever the reward pays
    kl: list[float] = field(default_factory=list)  # from the model to the one at the start, in nats per token
    surprise: list[float] = field(default_factory=list)  # mean −log p of the sampled tokens: an estimate of the entropy
    length: list[float] = field(default_factory=list)  # mean number of characters
    mixed: list[float] = field(default_factory=list)  # fraction of groups whose rewards differ
    clipped: list[float] = field(default_factory=list)  # fraction of tokens beyond the clip, just before the last update


def learn_from_rewards(
    model: nn.Module,
    reward: Reward = right,
    steps: int = STEPS,
    lr: float = RATE,
    seed: int = 0,
    kl_weight: float = KL_WEIGHT,
    sums: Sequence[Sum] = REWARDED,
    limit: int = LIMIT,
    after_step: Callable[[int, History], None] | None = None,
) -> History:
    """Train a model in place: sample answers, score them, and take two steps of AdamW on the policy loss; repeat.

    If the rewards are equal within each group, it says so once: then they give no gradient.
    """
    start, prompts, history = copy.deepcopy(model).eval(), prompt_ids(sums), History()
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr, betas=(0.9, 0.98), weight_decay=0.0)
    generator = torch.Generator().manual_seed(seed)
    for step in progress(range(1, steps + 1), "learning from rewards"):
        chosen = torch.randperm(len(prompts), generator=generator)[:PROMPTS]
        answers = sample_answers(model, prompts[chosen], GROUP, limit, generator)
        rewards = scored(reward, answers).view(-1, GROUP)
        advantages = group_advantages(rewards).flatten()
        if all(history.mixed) and (reason := why_no_gradient(rewards, step)):
            warnings.warn(reason, stacklevel=2)
        with torch.no_grad():
            reference = answer_log_probs(start, answers.tokens, PROMPT)
        for _ in range(UPDATES):
            log_probs = answer_log_probs(model, answers.tokens, PROMPT)
            loss = policy_loss(
                log_probs, answers.log_probs, advantages, answers.mask, reference=reference, kl_weight=kl_weight
            )
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        is_right = rewards if reward is right else scored(right, answers)
        _note(history, answers, rewards, is_right, reference, log_probs.detach())
        if after_step is not None:
            after_step(step, history)
    return history


def why_no_gradient(rewards: Tensor, step: int) -> str:
    """Return a sentence if the rewards (b, g) are equal within each group, so that they give no gradient, or an empty text."""
    if (rewards != rewards[:, :1]).any():
        return ""
    return (
        f"in step {step}, the {rewards.shape[1]} rewards of each prompt are equal ({rewards[0, 0]:g} for the first), so no "
        "answer is better than another and the rewards give no gradient; try easier prompts, more answers per prompt, or a "
        "reward with values in between"
    )


def _note(history: History, answers, rewards, is_right, reference, log_probs) -> None:
    def mean(values: Tensor) -> float:
        return values[answers.mask].mean().item()

    history.reward.append(rewards.mean().item())
    history.right.append(is_right.mean().item())
    history.kl.append(mean(kl_estimate(answers.log_probs, reference)))
    history.surprise.append(-mean(answers.log_probs))
    ended = (answers.tokens[:, PROMPT:] == Vocabulary.end).any(1)
    history.length.append((answers.mask.sum(1) - ended.long()).float().mean().item())
    history.mixed.append((rewards.amax(1) > rewards.amin(1)).float().mean().item())
    history.clipped.append(mean(((log_probs - answers.log_probs).exp() - 1).abs().gt(0.2).float()))


def evaluate(
    model: nn.Module,
    samples: int = 16,
    sums: Sequence[Sum] = UNSEEN,
    seed: int = 1000,
    ks: Sequence[int] = (1, 2, 4, 8, 16),
) -> dict[int, Estimate]:
    """Return pass@k for each k, with 95% intervals over the sums."""
    generator = torch.Generator().manual_seed(seed)
    answers = sample_answers(model, prompt_ids(sums), samples, LIMIT, generator)
    counts = scored(right, answers).view(len(sums), samples).sum(1).long()
    found = {}
    for k in ks:
        values = pass_at_k(counts, samples, k)
        mean, margin = values.mean().item(), 1.96 * values.std().item() / len(sums) ** 0.5
        found[k] = Estimate(mean, mean - margin, mean + margin)
    return found


def examples(
    model: nn.Module, sums: Sequence[Sum], group: int = GROUP, limit: int = LIMIT, seed: int = 0
) -> dict[str, list[str]]:
    """Return sampled answers to sums, as text."""
    answers = sample_answers(model, prompt_ids(sums), group, limit, torch.Generator().manual_seed(seed))
    written = [text(answers.answer(row)) for row in range(len(answers.tokens))]
    return {f"{a}+{b}=": written[i * group : (i + 1) * group] for i, (a, b) in enumerate(sums)}


VERSIONS = ("rewards", "rewards, 5 times the rate", "imitation, same sums as before", "imitation, new sums", "paid for length")


def settings() -> dict[str, object]:
    """Return what decides the recorded results."""
    return {
        "right when imitation stops": ENOUGH,
        "steps": STEPS,
        "steps whose mean is recorded": TOGETHER,
        "updates per step": UPDATES,
        "rate": RATE,
        "KL weight": KL_WEIGHT,
        "group": GROUP,
        "prompts per step": PROMPTS,
        "seeds": [0, 1, 2],
        "versions": list(VERSIONS),
    }


def record() -> dict[str, object]:
    """Train every version with three seeds, which takes about six minutes; see `records`."""
    return {"settings": settings(), "seeds": {str(seed): _one_seed(seed) for seed in range(3)}}


def _one_seed(seed: int) -> dict[str, object]:
    base, found = new_model(seed), {}
    steps = imitate(base, seed=seed, until=ENOUGH)
    found["before"] = _measured(base) | {"steps": steps}
    for version in VERSIONS:
        model, history, limit = copy.deepcopy(base), None, LIMIT
        if version.startswith("imitation"):
            imitate(model, IMITATED if "before" in version else REWARDED, STEPS * UPDATES, seed + 10)
        elif version == "paid for length":
            limit = LONG
            history = learn_from_rewards(model, right_and_long, STEPS, seed=seed, limit=limit)
        else:
            history = learn_from_rewards(model, lr=RATE * (5 if "5" in version else 1), seed=seed)
        found[version] = _measured(model, history, limit)
    weak = new_model(seed)
    steps = imitate(weak, seed=seed, until=WEAK)
    found["weak, before"] = _measured(weak) | {"steps": steps}
    fooled = copy.deepcopy(weak)
    history = learn_from_rewards(fooled, right_and_long, STEPS, seed=seed, limit=LONG)
    found["weak, paid for length"] = _measured(fooled, history, LONG)
    found["weak, rewards"] = _measured(weak, learn_from_rewards(weak, seed=seed))
    return found


def _measured(model: nn.Module, history: History | None = None, limit: int = LIMIT) -> dict[str, object]:
    found: dict[str, object] = {"pass": {str(k): [round(x, 4) for x in e] for k, e in evaluate(model).items()}}
    found["examples"] = examples(model, UNSEEN[:2], limit=limit)
    if history is not None:
        found["history"] = {name: _means(values) for name, values in vars(history).items()}
        found["first steps"] = {name: [round(x, 3) for x in getattr(history, name)[:3]] for name in ("kl", "clipped")}
    return found


def _means(values: Sequence[float]) -> list[float]:
    """Return the means of `TOGETHER` steps each."""
    return [round(sum(values[i : i + TOGETHER]) / TOGETHER, 3) for i in range(0, len(values), TOGETHER)]
