"""Stage B12 of the Build: a GPT of the learner's class imitates sums, then learns from rewards with the learner's functions.

The sums, the judge and the plan are those of lesson 27 (`rewards`). `record` does all of it with the course's own parts and
three seeds, in about five minutes on one thread. ``python -m transformer_course.experiments.records own_rewards`` keeps what
came out.

Shapes: ``b`` prompts, ``g`` answers to each, ``r`` = b·g answers, ``n`` tokens of a prompt with its answer.
"""

import copy
from collections.abc import Callable, Mapping, Sequence

import torch
from jaxtyping import Bool, Float, Int
from torch import Generator, Tensor, nn

from transformer_course._util.progress_bar import progress
from transformer_course.embedding import Vocabulary
from transformer_course.experiments import effort, kept_models
from transformer_course.experiments.assistant import interval
from transformer_course.experiments.own_evaluation import Estimate
from transformer_course.experiments.rewards import (
    ENOUGH,
    GROUP,
    IMITATED,
    KL_WEIGHT,
    LIMIT,
    PROMPT,
    PROMPTS,
    RATE,
    REWARDED,
    STEPS,
    TOGETHER,
    UNSEEN,
    UPDATES,
    VOCABULARY,
    Sum,
    prompt_ids,
    right,
    text,
    why_no_gradient,
)
from transformer_course.experiments.rewards import imitate as imitate_with
from transformer_course.experiments.stage_models import taught
from transformer_course.rewards import kl_estimate, sample_answers, scored

SIZES = {"max_length": PROMPT + LIMIT, "d_model": 64, "num_heads": 4, "num_layers": 2, "d_ff": 256}
CLIP, SAMPLES = 0.2, 16
LONGEST = 1500  # steps of imitation, if it never gets enough right


def new_model(make_gpt: Callable, seed: int = 0) -> nn.Module:
    """Return an untrained GPT of the learner's class, with about 103,000 parameters."""
    torch.manual_seed(seed)
    return make_gpt(len(VOCABULARY), **SIZES)


def trained(name: str, begin: nn.Module, learn: Callable[[nn.Module], dict | None], *code: Callable) -> kept_models.Kept:
    """Return a copy of ``begin`` after ``learn(copy)``, and what that returned; see `taught`. It is ``models/B12-NAME``."""
    settings = {
        "stage": "B12",
        "model": type(begin).__name__,
        "sizes": {"vocabulary_size": len(VOCABULARY), **SIZES},
        "characters": "".join(VOCABULARY.tokens[len(VOCABULARY.specials) :]),
        "steps": effort.count(STEPS),
    }
    return taught(f"B12-{name}", settings, begin, learn, *code)


def imitate(
    model: nn.Module,
    answer_loss: Callable[[nn.Module, Tensor, Tensor], Tensor],
    sums: Sequence[Sum] = IMITATED,
    steps: int = LONGEST,
    seed: int = 0,
    until: float | None = None,
) -> int:
    """Train a model on right answers with the loss of stage B11; return the steps taken. See `rewards.imitate`."""
    return imitate_with(
        model, sums, steps, seed, until=until, loss=lambda model, ids: answer_loss(model, ids, written_in(ids))
    )


def written_in(ids: Int[Tensor, "r n"]) -> Bool[Tensor, "r n"]:
    """Return which tokens the model has written: those of the answer, the end among them."""
    written = ids != Vocabulary.pad
    written[:, :PROMPT] = False
    return written


def attempt(model: nn.Module, generator: Generator) -> tuple[Int[Tensor, "r n"], Float[Tensor, "r"]]:
    """Return a model's sampled answers to some sums, those to one sum as neighbours, and the reward of each."""
    chosen = torch.randperm(len(REWARDED), generator=generator)[:PROMPTS]
    answers = sample_answers(model, prompt_ids(REWARDED)[chosen], GROUP, LIMIT, generator)
    return answers.tokens, scored(right, answers)


def improve(
    model: nn.Module,
    advantages: Callable,
    log_probs: Callable,
    policy_loss: Callable,
    steps: int = STEPS,
    rate: float = RATE,
    seed: int = 0,
) -> dict[str, list[float]]:
    """Train a model in place on rewards, with the functions of the stage; return what was seen before each step.

    A step samples ``g`` answers to each of 16 sums, and makes two updates with them. Seen are the fraction of answers that
    are ``right``, and the ``kl`` from the model to what it was at the start, in nats per token. If no reward differs
    from others to the same sum, it says so once.
    """
    start, seen = copy.deepcopy(model).eval(), {"right": [], "kl": []}
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, betas=(0.9, 0.98), weight_decay=0.0)
    generator = Generator().manual_seed(seed)
    why = ""
    for step in progress(range(1, steps + 1), "learning from rewards"):
        ids, rewards = attempt(model, generator)
        if not why and (why := why_no_gradient(rewards.view(-1, GROUP), step)):
            print(f"{why[0].upper()}{why[1:]}.")
        written, better = written_in(ids), torch.as_tensor(advantages(rewards, GROUP))
        with torch.no_grad():
            sampled, first = log_probs(model, ids), log_probs(start, ids)
        for _ in range(UPDATES):
            loss = policy_loss(model, start, ids, written, sampled, better, CLIP, KL_WEIGHT)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        seen["right"].append(rewards.mean().item())
        seen["kl"].append(kl_estimate(sampled, first)[written[:, 1:]].mean().item())
    return seen


def answers_right(
    model: nn.Module, sums: Sequence[Sum] = UNSEEN, samples: int = SAMPLES, seed: int = 1000
) -> Bool[Tensor, "b g"]:
    """Return which of a model's sampled answers to sums are right."""
    answers = sample_answers(model, prompt_ids(sums), samples, LIMIT, Generator().manual_seed(seed))
    return scored(right, answers).view(len(sums), samples) > 0


@torch.no_grad()
def most_probable(model: nn.Module, sums: Sequence[Sum]) -> list[str]:
    """Return the answers that a model gives if it chooses the most probable token each time."""
    ids = prompt_ids(sums)
    for _ in range(LIMIT):
        ids = torch.cat([ids, model(ids)[:, -1:].argmax(-1)], dim=1)
    return [text(row).partition(VOCABULARY.tokens[Vocabulary.end])[0] for row in ids[:, PROMPT:].tolist()]


def measured(model: nn.Module, pass_at_k: Callable) -> dict[str, Estimate]:
    """Return how many unseen sums are right by the most probable tokens, and pass@1 and pass@8, with 95% intervals."""
    sums = UNSEEN[: effort.count(len(UNSEEN), short=10)]
    table, said = answers_right(model, sums), most_probable(model, sums)
    found = {"greedy": interval(sum(str(a + b) == each for (a, b), each in zip(sums, said, strict=True)), len(sums))}
    for k in (1, 8):
        each = torch.as_tensor(pass_at_k(table, k), dtype=torch.float64)
        middle, margin = each.mean().item(), 1.96 * each.std().item() / len(sums) ** 0.5
        found[f"pass@{k}"] = Estimate(middle, middle - margin, middle + margin)
    return found


def print_table(models: Mapping[str, nn.Module], pass_at_k: Callable) -> None:
    """Print one line for each model, with what `measured` finds, in percent."""
    for name, model in models.items():
        columns = (
            f"{kind} {100 * x.value:3.0f}% [{100 * x.low:.0f} to {100 * x.high:.0f}]"
            for kind, x in measured(model, pass_at_k).items()
        )
        print(f"{name:{max(map(len, models))}}", *columns, sep="   ")


# What was recorded

FASTER = 5
VERSIONS = "rewards", "rewards, 5 times the rate", "imitation, same sums as before", "imitation, new sums"


def settings() -> dict[str, object]:
    """Return what decides the recorded results, as JSON has it."""
    return {
        "sizes": SIZES,
        "right when imitation stops": ENOUGH,
        "steps": STEPS,
        "updates per step": UPDATES,
        "rates": [RATE, RATE * FASTER],
        "clip and KL weight": [CLIP, KL_WEIGHT],
        "group and prompts per step": [GROUP, PROMPTS],
        "seeds": [0, 1, 2],
        "versions": list(VERSIONS),
    }


def record() -> dict[str, object]:
    """Train every version with three seeds; see `records`."""
    torch.set_num_threads(1)
    return {"settings": settings(), "seeds": {str(seed): _one_seed(seed) for seed in range(3)}}


def _one_seed(seed: int) -> dict[str, object]:
    from transformer_course import build_parts as parts  # which the sandbox of learners' code does not show

    base = new_model(parts.GPT, seed)
    steps = imitate(base, parts.answer_loss, seed=seed, until=ENOUGH)
    found: dict[str, object] = {"before": _noted(base, parts) | {"steps": steps}}
    for version in VERSIONS:
        model, seen = copy.deepcopy(base), {}
        if version.startswith("imitation"):
            imitate(model, parts.answer_loss, IMITATED if "before" in version else REWARDED, STEPS * UPDATES, seed + 10)
        else:
            rate = RATE * (FASTER if "5" in version else 1)
            seen = improve(model, parts.advantages, parts.log_probs, parts.policy_loss, rate=rate, seed=seed)
        found[version] = _noted(model, parts) | {name: means(values) for name, values in seen.items()}
    return found


def _noted(model: nn.Module, parts) -> dict[str, object]:
    return {name: [round(each, 4) for each in found] for name, found in measured(model, parts.pass_at_k).items()}


def means(values: Sequence[float], together: int = TOGETHER) -> list[float]:
    """Return the means of some values ``together`` each."""
    return [round(sum(some) / len(some), 3) for some in (values[i : i + together] for i in range(0, len(values), together))]
