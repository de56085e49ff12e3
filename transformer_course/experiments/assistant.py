"""From a predictor to an assistant: the shipped model ``prose``, trained on 2,000 questions and answers (lesson 26).

`fine_tune` is the training that the lesson runs. `record` runs it with three seeds in each of `VERSIONS`, which takes about
ten minutes on one thread; ``python -m transformer_course.experiments.records assistant`` keeps what came out.
"""

import hashlib
import json
import math
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import torch
from torch import Tensor

from transformer_course import models
from transformer_course._util.progress_bar import progress
from transformer_course.chat import (
    ChatFormat,
    Labelling,
    Reply,
    all_labels,
    answer_labels,
    chat_batch,
    chat_format,
    chat_loss,
    chat_rows,
    reply,
)
from transformer_course.data.python_docs import python_docs
from transformer_course.data.questions import Question, Questions, questions
from transformer_course.data.windows import random_windows
from transformer_course.experiments import effort
from transformer_course.experiments.own_evaluation import Estimate
from transformer_course.family import GPT
from transformer_course.lora import add_lora
from transformer_course.models.recipes import bits_of_a_text
from transformer_course.training import train
from transformer_course.weights import copy_weights

STEPS, BATCH, WARMUP = 240, 32, 20
HELD_OUT = 40_000  # characters of the documentation on which forgetting is measured
SCALE = 2  # alpha / rank of LoRA
SEEDS = range(3)


@dataclass(frozen=True)
class Version:
    """One way to fine-tune.

    The learning rates were chosen with seed 0, on the test: 2e-3 of 1e-3, 2e-3 and 4e-3 (which answered as much and forgot
    more), and for LoRA 1e-2 of 5e-3, 1e-2 and 3e-2. ``everything`` has that of ``answers``; with 1e-3 and 4e-3 it answered 185
    and 209 of 300.
    """

    labelling: Labelling
    lr: float
    rank: int | None = None  # of LoRA; without it, all weights are trained
    rehearses: bool = False  # each step also has windows of the documentation that ``prose`` was trained on


VERSIONS: dict[str, Version] = {
    "answers": Version(answer_labels, 2e-3),
    "everything": Version(all_labels, 2e-3),
    "LoRA, rank 2": Version(answer_labels, 1e-2, 2),
    "LoRA, rank 8": Version(answer_labels, 1e-2, 8),
    "rehearsal": Version(answer_labels, 2e-3, rehearses=True),
}


def predictor() -> tuple[GPT, ChatFormat]:
    """Return the shipped model ``prose`` without its dropout, and the format of a chat with it."""
    shipped, vocabularies = models.load("prose")
    model = GPT(replace(shipped.config, dropout=0.0))
    copy_weights(model, shipped.state_dict())
    return model.eval(), chat_format(vocabularies["text"])


@cache
def data() -> Questions:
    return questions()


def chat_batches(rows: Sequence[tuple[list[int], list[int]]], seed: int, size: int = BATCH) -> Iterator[tuple[Tensor, ...]]:
    """Yield batches of inputs and labels without end, each row once per epoch; rows of similar length share a batch."""
    draw = random.Random(seed)
    while True:
        order = sorted(draw.sample(range(len(rows)), len(rows)), key=lambda row: len(rows[row][0]))
        cuts = [order[start : start + size] for start in range(0, len(order), size)]
        draw.shuffle(cuts)
        for cut in cuts:
            yield chat_batch([rows[row] for row in cut])


def with_prose(chats: Iterator[tuple[Tensor, ...]], chat: ChatFormat, seed: int) -> Iterator[tuple[Tensor, ...]]:
    """Yield each batch of chats with four windows of the documentation, whose inputs and labels follow."""
    ids = torch.tensor(chat.encode(python_docs().train))
    generator = torch.Generator().manual_seed(seed)
    for batch in chats:
        yield *batch, *random_windows(ids, 4, 128, generator)


def loss_of(model: GPT, *batch: Tensor) -> Tensor:
    """Return the loss over the positions that have a label; of two pairs of inputs and labels, the sum of their losses."""
    pairs = zip(batch[::2], batch[1::2], strict=True)
    return torch.stack([chat_loss(model(inputs), labels) for inputs, labels in pairs]).sum()


def fine_tune(
    version: str = "answers", seed: int = 0, steps: int | None = None, after_step: Callable[[int, float], None] | None = None
) -> tuple[GPT, int]:
    """Train ``prose`` on the questions in one of `VERSIONS`; return it, and how many of its parameters were trained.

    Without ``steps``, they are those that `effort` allows. Raises KeyError for a version that there is not.
    """
    chosen = VERSIONS[version]
    model, chat = predictor()
    torch.manual_seed(seed)  # for LoRA's start
    trained = add_lora(model, chosen.rank, SCALE * chosen.rank) if chosen.rank else list(model.parameters())
    conversations = ([(each.text, each.answer)] for each in data().train)
    rows = chat_rows(chat, conversations, model.config.max_length, chosen.labelling)
    steps = effort.steps(STEPS) if steps is None else steps
    batches = chat_batches(rows, seed)
    if chosen.rehearses:
        batches = with_prose(batches, chat, seed)
    train(model, batches, loss_of, steps, lr=chosen.lr, warmup=WARMUP, after_step=after_step)
    return model.eval(), sum(weight.numel() for weight in trained)


def answers(model: GPT, chat: ChatFormat, asked: Sequence[Question]) -> list[tuple[Question, Reply]]:
    """Return each question with the model's reply."""
    found = reply(model, chat, [each.text for each in asked])
    return list(zip(asked, found, strict=True))


def is_right(question: Question, said: Reply) -> bool:
    """Return whether a reply is the answer, character by character, and ends there."""
    return said.stopped and said.text == question.answer


def exact_match(found: Sequence[tuple[Question, Reply]]) -> Estimate:
    """Return the fraction of right replies, with a 95% interval.

    Raises ValueError for no questions.
    """
    return interval(sum(is_right(*each) for each in found), len(found))


def interval(right: int, count: int) -> Estimate:
    """Return ``right`` / ``count``, with the 95% interval for what it would be on all such questions.

    This is Wilson's interval, which keeps within 0 and 1 and is usable for few questions and for none right.

    Raises ValueError unless 0 <= right <= count and count is 1 or more.
    Source: Wilson 1927, "Probable Inference, the Law of Succession, and Statistical Inference".
    """
    if not 0 <= right <= count or not count:
        raise ValueError(f"right answers must be from 0 to the number of questions, 1 or more, got {right} of {count}")
    z = 1.96
    share, spread = right / count, z * z / count
    middle = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * math.sqrt(share * (1 - share) / count + spread / count / 4)
    return Estimate(share, max(0.0, middle - half), min(1.0, middle + half))


def by_kind(found: Sequence[tuple[Question, Reply]]) -> dict[str, tuple[int, int]]:
    """Return for each kind of question how many replies were right, and how many there are."""
    kinds = dict.fromkeys(question.kind for question, _ in found)
    rows = {kind: [is_right(*each) for each in found if each[0].kind == kind] for kind in kinds}
    return {kind: (sum(right), len(right)) for kind, right in rows.items()}


def prose_bits(model: GPT, chat: ChatFormat) -> float:
    """Return the bits per character of held-out documentation: what is left of what the model could do before."""
    text = python_docs().test[:HELD_OUT]
    return bits_of_a_text(model, chat.encode(text), len(text), model.config.max_length)


@torch.no_grad()
def question_bits(model: GPT, chat: ChatFormat, asked: Sequence[Question]) -> float:
    """Return the bits per character of questions after <user>: whether the model can write questions itself."""
    rows = [[chat.begin, chat.user, *chat.encode(each.text)] for each in asked]
    nats = 0.0
    for start in range(0, len(rows), 100):
        inputs, labels = chat_batch([(row[:-1], [-100, *row[2:]]) for row in rows[start : start + 100]])
        nats += chat_loss(model(inputs), labels).item() * int((labels >= 0).sum())
    return nats / math.log(2) / sum(len(each.text) for each in asked)


def measured(model: GPT, chat: ChatFormat) -> dict[str, object]:
    """Return what the lesson's table holds of a model, as JSON has it."""
    asked = data()
    test, reworded = answers(model, chat, asked.test), answers(model, chat, asked.reworded)
    return {
        "test": [sum(is_right(*each) for each in test), len(test)],
        "reworded": [sum(is_right(*each) for each in reworded), len(reworded)],
        "stopped": [sum(said.stopped for _, said in test), len(test)],
        "kinds": by_kind(test),
        "reworded kinds": by_kind(reworded),
        "prose bits": round(prose_bits(model, chat), 3),
        "question bits": round(question_bits(model, chat, asked.test), 3),
    }


def settings() -> dict[str, object]:
    """Return all that decides the recorded runs, as JSON has it."""
    asked = json.dumps(data()).encode()
    return {
        "steps": STEPS,
        "batch": BATCH,
        "versions": {name: [each.labelling.__name__, each.lr, each.rank, each.rehearses] for name, each in VERSIONS.items()},
        "scale": SCALE,
        "questions": hashlib.sha256(asked).hexdigest()[:16],
    }


def record() -> dict[str, object]:
    """Train every version with every seed, on one thread, and return what is measured, with the seconds of each training."""
    torch.set_num_threads(1)
    model, chat = predictor()
    runs: list[Mapping[str, object]] = []
    before = measured(model, chat)
    for seed in progress(SEEDS, "seeds"):
        for name in VERSIONS:
            start = time.process_time()
            model, trained = fine_tune(name, seed, STEPS)
            seconds = round(time.process_time() - start)
            runs.append({"version": name, "seed": seed, "trained": trained, "seconds": seconds, **measured(model, chat)})
    return {"settings": settings(), "before": before, "runs": runs}
