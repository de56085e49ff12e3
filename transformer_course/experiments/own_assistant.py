"""Stage B11 of the Build: the learner's own model learns to answer, and which of two right answers is preferred.

Half of the answers that it is shown are a word or two, and the others a sentence. Both are right, so afterwards the model can
be taught to prefer one form, and a program can check it. `record` does all of that with the course's own parts, for the model
of a minute of stage B10 and for the shipped model ``prose``, with three seeds: about eight minutes on one thread.
``python -m transformer_course.experiments.records own_assistant`` keeps what came out.
"""

import copy
import random
import tempfile
import textwrap
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path

import torch
from jaxtyping import Bool, Int
from torch import Tensor, nn

from transformer_course import models
from transformer_course._util.progress_bar import progress
from transformer_course.byte_pairs import BytePairs
from transformer_course.data.doc_questions import questions_from_docs
from transformer_course.data.package_docs import package_docs
from transformer_course.data.python_docs import python_docs
from transformer_course.data.questions import Question, Questions, questions
from transformer_course.experiments import effort
from transformer_course.experiments import own_model as own
from transformer_course.experiments.assistant import interval
from transformer_course.experiments.build_prose import weights_by_stage_names
from transformer_course.experiments.stage_models import digest, taught
from transformer_course.experiments.talking import Chat

END, USER, ASSISTANT = 0xFD, 0xFE, 0xFF  # bytes that never occur in UTF-8: no text gives these ids
CHAT = Chat([USER], [ASSISTANT], [END], alone=True)
SHORT, LONG = "{}", "It is {}."
SHIPPED = "prose"
BATCH, WARMUP, LIMIT = 32, 20, 24  # conversations in a batch, steps, tokens of a reply
STEPS, PREFERENCE_STEPS = 240, 40
RANK, ALPHA, BETA = 4, 8.0, 0.1
PEAK, LORA_PEAK, PREFERENCE_PEAK = 2e-3, 1e-2, 1e-4  # learning rates

Row = tuple[list[int], list[bool]]  # the ids of a conversation, and which of them the assistant writes
Batch = tuple[Int[Tensor, "b n"], Bool[Tensor, "b n"]]


@dataclass(frozen=True)
class Start:
    """A model that continues texts, from which everything here begins. ``read`` says what it was trained on."""

    model: nn.Module
    tokenizer: object
    size: own.Size
    read: str
    counts: dict[nn.Module, dict[str, int]] = field(default_factory=dict, repr=False)

    def trained(self, name: str, begin: nn.Module, learn: Callable[[nn.Module], None], *code: Callable) -> nn.Module:
        """Return a copy of ``begin`` after ``learn(copy)``: the one that was kept as ``models/B11-NAME``, or a new one.

        A `LoRALinear` becomes an ordinary layer that computes the same. See `taught`.
        """
        settings = {
            "stage": "B11",
            "model": type(begin).__name__,
            "sizes": {"vocabulary_size": len(self.tokenizer), **self.size.gpt()},
            "tokenizer": [list(pair) for pair in self.tokenizer.merges],
            "chat": asdict(CHAT),
            "read": self.read,
            "steps": effort.count(STEPS),
        }
        return taught(f"B11-{name}", settings, begin, learn, *code, finish=merge_lora).model

    def rows(self, conversations: Sequence[tuple[str, str]], chat_tokens: Callable) -> list[Row]:
        """Return the ids of conversations of one question and its answer, as the learner's ``chat_tokens`` puts them together.

        An answer is encoded with a space in front, as a word inside a text has one. Raises ValueError for a question without
        an answer, and for a conversation that is longer than what the model sees: cut off, it would have lost its end.
        """
        made = []
        for question, answer in conversations:
            if not answer.strip():
                raise ValueError(
                    f"each question must have an answer to learn from, got {answer!r} for {question!r}; leave it out"
                )
            turn = self.tokenizer.encode(question), self.tokenizer.encode(" " + answer)
            ids, written = chat_tokens([turn], USER, ASSISTANT, END)
            if len(ids) > self.size.length:
                raise ValueError(
                    f"a question with its answer must fit into the {self.size.length} tokens that the model sees, got "
                    f"{len(ids)} for {question!r}; leave it out"
                )
            made.append(([*ids], [*written]))
        return made

    def replies(self, model: nn.Module, asked: Sequence[str]) -> list[tuple[str, bool]]:
        """Return the most probable answer to each question, and whether it ended by itself."""
        return replies(model, self.tokenizer, asked, self.size.length)

    def counted(self, model: nn.Module, asked: Sequence[Question] | None = None) -> dict[str, int]:
        """Return how many replies to the unseen questions are right, end by themselves, and are no sentence but the answer."""
        if asked is None and model in self.counts:
            return self.counts[model]
        wanted = data().test[: effort.count(300, short=20)] if asked is None else asked
        said = list(zip(wanted, self.replies(model, [each.text for each in wanted]), strict=True))
        found = {
            "right": sum(
                ended and text in (form.format(each.answer) for form in (SHORT, LONG)) for each, (text, ended) in said
            ),
            "stopped": sum(ended for _, (_, ended) in said),
            "short": sum(ended and not text.startswith(LONG.split("{")[0]) for _, (text, ended) in said),
            "of": len(said),
        }
        if asked is None:
            self.counts[model] = found
        return found

    def table(self, compared: Mapping[str, nn.Module]) -> None:
        """Print what models make of the unseen questions: how many are right, with a 95% interval, and their form."""
        print_table({name: self.counted(model) for name, model in compared.items()})


def print_table(rows: Mapping[str, Mapping[str, int]]) -> None:
    """Print one line for each entry of `Start.counted`."""
    width = max(map(len, rows))
    for name, row in rows.items():
        right = interval(row["right"], row["of"])
        print(
            f"{name:{width}}  right {100 * right.value:3.0f}% [{100 * right.low:.0f} to {100 * right.high:.0f}]"
            f"   stops {row['stopped']:3}   short {row['short']:3}   of {row['of']}"
        )


def start(name: str, make_gpt: Callable, make_tokenizer: type) -> Start:
    """Return the model of stage B10 with this name, or the course's own if there is none that can do it, and say which."""
    try:
        if not own.file_of(name).is_file():
            raise ValueError(f"There is no model {name} in your folder yet (stage B10 trains one)")
        model, tokenizer, notes = own.load(name, make_gpt, make_tokenizer)
        found = Start(model, tokenizer, own.Size(**notes["sizes"]), f"a text of {notes.get('characters', 0):,} characters")
        if (needed := longest(tokenizer)) > found.size.length:
            raise ValueError(
                f"{name} sees {found.size.length} tokens at a time, and a question with its answer has up to {needed}"
            )
    except ValueError as error:
        print(textwrap.fill(f"{error}. So the course's model, {SHIPPED}, takes its place.", 100))
        return shipped(make_gpt, make_tokenizer)
    print(f"{name}, saved {notes['saved']}: {_amount(model)} parameters")
    return found


def shipped(make_gpt: Callable, make_tokenizer: type) -> Start:
    """Return the shipped model ``prose`` in the learner's classes."""
    found, vocabularies = models.load(SHIPPED)
    vocabulary, config = vocabularies["text"], found.config
    first = len(vocabulary.specials)
    tokenizer = make_tokenizer([tuple(pair) for pair in BytePairs.from_tokens(vocabulary.tokens[first:]).merges])
    merges = len(tokenizer.merges)
    size = own.Size(merges, config.max_length, config.d_model, config.num_heads, config.num_layers, steps=0)
    model = make_gpt(len(tokenizer), **size.gpt())
    model.load_state_dict(weights_by_stage_names(found, first))
    return Start(model.eval(), tokenizer, size, "the documentation of Python")


def _amount(model: nn.Module) -> str:
    return f"{sum(weight.numel() for weight in model.parameters()):,}"


@cache
def data() -> Questions:
    """Return the questions of lesson 26."""
    return questions()


def docs() -> Questions:
    """Return questions that the docstrings of the installed packages answer; in tests, those of Python's own."""
    return questions_from_docs(python_docs() if effort.setting() == "short" else package_docs())


def longest(tokenizer: object) -> int:
    """Return how many tokens the longest conversation has."""
    return max(
        len(tokenizer.encode(each.text)) + len(tokenizer.encode(" " + LONG.format(each.answer))) + 3
        for part in data()
        for each in part
    )


def demonstrations(asked: Sequence[Question], seed: int = 0) -> list[tuple[str, str]]:
    """Return questions with their answers, half of them short and half as a sentence."""
    chance = random.Random(seed)
    return [(each.text, chance.choice((SHORT, LONG)).format(each.answer)) for each in asked]


def answered(asked: Sequence[Question], form: str) -> list[tuple[str, str]]:
    """Return questions with their answers in one form."""
    return [(each.text, form.format(each.answer)) for each in asked]


def padded(rows: Sequence[Row]) -> Batch:
    """Return some rows as one batch, padded on the right."""
    longest = max(len(ids) for ids, _ in rows)
    ids = torch.tensor([[*ids, *[END] * (longest - len(ids))] for ids, _ in rows])
    written = torch.tensor([[*map(bool, own), *[False] * (longest - len(own))] for _, own in rows])
    return ids, written


def batches(*lists: Sequence[Row], seed: int) -> Iterator[list[Batch]]:
    """Yield batches without end, one of each list, of the same places; rows of similar length share a batch."""
    draw, count = random.Random(seed), len(lists[0])
    while True:
        order = sorted(draw.sample(range(count), count), key=lambda row: len(lists[0][row][0]))
        cuts = [order[begin : begin + BATCH] for begin in range(0, count, BATCH)]
        draw.shuffle(cuts)
        for cut in cuts:
            yield [padded([rows[row] for row in cut]) for rows in lists]


def tune(
    model: nn.Module,
    loss: Callable[[], Tensor],
    rate: Callable,
    steps: int,
    peak: float,
    after_step: Callable[[int, float], None] = lambda step, loss: None,
) -> None:
    """Train what is not frozen: ``loss()`` is that of the next batch, and ``rate`` the schedule of stage B6."""
    weights = [weight for weight in model.parameters() if weight.requires_grad]
    optimizer = torch.optim.AdamW(weights, lr=peak)
    model.train()
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = rate(step, peak, min(WARMUP, steps // 10 + 1), steps)
        found = loss()
        optimizer.zero_grad()
        found.backward()
        nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()
        after_step(step + 1, found.item())
    model.eval()


def _children(model: nn.Module) -> list[tuple[nn.Module, str, nn.Module]]:
    """Return each module of a model with the one that holds it, and its name there."""
    return [(owner, name, child) for owner in model.modules() for name, child in owner.named_children()]


def add_lora(model: nn.Module, layer: Callable, rank: int = RANK, alpha: float = ALPHA) -> int:
    """Freeze a model, and replace each linear layer by ``layer(linear, rank, alpha)``; return how many numbers it trains."""
    model.requires_grad_(False)
    for owner, name, child in _children(model):
        if isinstance(child, nn.Linear):
            setattr(owner, name, layer(child, rank, alpha))
    return sum(weight.numel() for weight in model.parameters() if weight.requires_grad)


@torch.no_grad()
def merge_lora(model: nn.Module) -> None:
    """Replace each layer around a linear one by a linear layer that computes the same, whatever it computes."""
    for owner, name, child in _children(model):
        if isinstance(base := getattr(child, "base", None), nn.Linear):
            d_out, d_in = base.weight.shape
            merged = nn.Linear(d_in, d_out, base.bias is not None)
            nothing = child(torch.zeros(1, d_in))
            merged.weight.copy_((child(torch.eye(d_in)) - nothing).T)
            if base.bias is not None:
                merged.bias.copy_(nothing[0])
            setattr(owner, name, merged)


@torch.no_grad()
def replies(
    model: nn.Module, tokenizer: object, asked: Sequence[str], length: int, limit: int = LIMIT
) -> list[tuple[str, bool]]:
    """Return what a model answers to each question, the most probable token each time, and whether it ended by itself."""
    rows = [[USER, *tokenizer.encode(each), ASSISTANT] for each in asked]
    begins = [len(row) for row in rows]
    order = sorted(range(len(rows)), key=begins.__getitem__)
    for start in range(0, len(order), 50):
        going = order[start : start + 50]
        for _ in range(limit):
            going = [row for row in going if rows[row][-1] != END and len(rows[row]) < length]
            if not going:
                break
            ids, _ = padded([(rows[row], []) for row in going])
            last = torch.tensor([len(rows[row]) - 1 for row in going])
            for row, chosen in zip(going, model(ids)[range(len(going)), last].argmax(-1).tolist(), strict=True):
                rows[row].append(chosen)
    ended = [row[-1] == END for row in rows]
    said = [row[begin : len(row) - end] for row, begin, end in zip(rows, begins, ended, strict=True)]
    return [(tokenizer.decode(ids).strip(), end) for ids, end in zip(said, ended, strict=True)]


# What was recorded


def _course_parts():
    """The course's own parts. Only the record needs these solutions, which the sandbox of learners' code does not show."""
    from transformer_course import build_parts

    return build_parts


VERSIONS = "before", "answers", "LoRA", "preference", "preference by coin", "short answers"


def of_the_course() -> Start:
    """Return the shipped model ``prose`` in the course's own classes."""
    parts = _course_parts()
    return shipped(parts.GPT, parts.Tokenizer)


def versions(begin: Start, seed: int, wanted: Sequence[str] = VERSIONS) -> Iterator[tuple[str, nn.Module, int, float]]:
    """Yield each of the ``wanted`` `VERSIONS`, its model, how many parameters were trained, and the seconds of processor time.

    "answers" is always trained. The last three begin with its model and take as many steps each: a preference for short
    answers, one that a coin has chosen for each pair, which is the control, and more demonstrations, all of them short.
    """
    parts, asked, timed = _course_parts(), data().train, time.process_time
    rows, short, long = (
        begin.rows(each, parts.chat_tokens) for each in (demonstrations(asked), answered(asked, SHORT), answered(asked, LONG))
    )
    chance = random.Random(seed)
    coins = [chance.random() < 0.5 for _ in asked]
    mixed = [
        [(one if coin == first else other) for one, other, coin in zip(short, long, coins, strict=True)] for first in (1, 0)
    ]

    def tuned(start: nn.Module, loss: Callable, batches: Iterator, steps: int, peak: float, lora: bool = False):
        model, began = copy.deepcopy(start), timed()
        torch.manual_seed(seed)
        trained = add_lora(model, parts.LoRALinear) if lora else sum(weight.numel() for weight in model.parameters())
        tune(model, lambda: loss(model, next(batches)), parts.learning_rate, effort.steps(steps), peak)
        return model, trained, round(timed() - began, 1)

    def answer(model, batch):
        return parts.answer_loss(model, *batch[0])

    def preference(model, batch):
        return parts.dpo_loss(model, whole[0], *batch, BETA)

    whole = tuned(begin.model, answer, batches(rows, seed=seed), STEPS, PEAK)
    plan = PREFERENCE_STEPS, PREFERENCE_PEAK
    made = {
        "before": lambda: (begin.model, 0, 0.0),
        "answers": lambda: whole,
        "LoRA": lambda: tuned(begin.model, answer, batches(rows, seed=seed), STEPS, LORA_PEAK, lora=True),
        "preference": lambda: tuned(whole[0], preference, batches(short, long, seed=seed), *plan),
        "preference by coin": lambda: tuned(whole[0], preference, batches(*mixed, seed=seed), *plan),
        "short answers": lambda: tuned(whole[0], answer, batches(short, seed=seed), *plan),
    }
    for version in wanted:
        yield version, *made[version]()


@torch.no_grad()
def log_probs(begin: Start, model: nn.Module) -> dict[str, float]:
    """Return the mean log-probability, in nats, of the right answers to the unseen questions, in each form."""
    parts, found = _course_parts(), {}
    for name, form in {"log p short": SHORT, "log p long": LONG}.items():
        rows = begin.rows(answered(data().test, form), parts.chat_tokens)
        each = [parts.log_prob(model, *padded(rows[at : at + 50])) for at in range(0, len(rows), 50)]
        found[name] = round(torch.cat(each).mean().item(), 2)
    return found


def of_a_minute() -> Start:
    """Train the model of a minute of stage B10 on Python's documentation, with the course's own parts."""
    parts, text, size = _course_parts(), own.split(own.read_text()), own.SIZES["one minute"]
    tokenizer = parts.Tokenizer.train(text.train[:200_000], size.merges)
    ids = own.encode(tokenizer, text, size)

    def windows(row, seed, count):
        generator = torch.Generator().manual_seed(seed)
        starts = torch.randint(len(row) - size.length, (count,), generator=generator).tolist()
        return parts.get_batch(row, starts, size.length)

    torch.manual_seed(0)
    model = parts.GPT(len(tokenizer), **size.gpt())
    nn.init.normal_(model.tokens.weight, std=1.0)
    optimizer = torch.optim.AdamW(own.decay_groups(model), lr=size.peak)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.safetensors"
        run = own.Run(file, model, optimizer, tokenizer, size, text, ids)
        parts.fit(
            model,
            optimizer,
            lambda step: windows(ids[0], step, size.batch),
            lambda step: parts.learning_rate(step, size.peak, size.steps // 10 + 1, size.steps),
            lambda model: [parts.estimate_loss(model, [windows(row, -1, 128)]) for row in ids],
            run.save,
            size.steps,
            size.every,
        )
        model, tokenizer, _ = own.load(file, parts.GPT, parts.Tokenizer)
    return Start(model, tokenizer, size, "the documentation of Python")


def settings() -> dict[str, object]:
    """Return all that decides the recorded runs, as JSON has it."""
    asked = data()
    return {
        "steps": [STEPS, PREFERENCE_STEPS],
        "peaks": [PEAK, LORA_PEAK, PREFERENCE_PEAK],
        "batch": BATCH,
        "lora": [RANK, ALPHA],
        "beta": BETA,
        "forms": [SHORT, LONG],
        "questions": digest(repr(asked)),
    }


def record() -> dict[str, object]:
    """Run every version with every seed, on one thread, from both models, and return what is counted."""
    torch.set_num_threads(1)
    runs: list[Mapping[str, object]] = []
    for name, begin in {"one minute": of_a_minute(), SHIPPED: of_the_course()}.items():
        for seed in progress(range(3), "seeds"):
            for version, model, trained, seconds in versions(begin, seed):
                found = {"model": name, "version": version, "seed": seed, "trained": trained, "seconds": seconds}
                runs.append(found | begin.counted(model, data().test))
    return {"settings": settings(), "runs": runs}
