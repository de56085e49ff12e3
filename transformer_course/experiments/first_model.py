"""Version 0 of the learner's model: a small GPT that learns to continue a text, one character at a time, in about a minute.

Lesson 00 trains it before anything is explained. It is made of the library's parts; the Build beats it with the learner's own.
"""

import hashlib
import math
import random
import re
import textwrap
from collections import Counter
from dataclasses import asdict, dataclass

import torch
from matplotlib.colors import XKCD_COLORS
from torch import Tensor
from torch.nn import functional as F

from transformer_course.config import TransformerConfig
from transformer_course.data.python_docs import python_docs
from transformer_course.data.windows import random_windows
from transformer_course.decoding import next_token_distribution
from transformer_course.embedding import Vocabulary
from transformer_course.experiments import build_ladder, effort, kept_models, stage_models
from transformer_course.family import GPT
from transformer_course.figures import live

LENGTH = 64  # characters that the model sees at once
SAMPLED = {10, 50, 150}  # the steps after which samples are shown, besides the first and the last
SHOWN = ("losses", "samples")  # of a training, in a live figure
TITLE = "It learns to predict the next character"
MIN_CHARACTERS, MAX_CHARACTERS = 1_000, 2_000_000
MAX_ALPHABET = 400  # of Chinese, Japanese or Korean, the most frequent characters
NAME = "version-0"
DOCS = "Python's documentation"
WORD = re.compile(r"[^\W\d_]+")


def train_first_model(text: str = "python", seed: int = 0, again: bool = False) -> "FirstModel":
    """Train on a text, and watch; in a learner's folder, save the result to ``models/version-0.safetensors``.

    What has read something else gets a file of its own, named after it. If the file already holds the result of the same
    training, it is loaded instead and that training shown, unless ``again``.

    ``text`` is a text of at least 1,000 characters, "python" for Python's documentation, or "colours" for 949 names of colours
    (the xkcd survey of 2010). Empty or too short, it reads the documentation. Stopping the cell keeps what was learned.
    """
    train, test, what = _chosen(text)
    steps = effort.steps(400, short=20)
    frequent = [character for character, _ in Counter(train).most_common(MAX_ALPHABET)]
    vocabulary = Vocabulary(sorted(frequent))
    ids = {part: torch.tensor(vocabulary.encode(text)) for part, text in (("train", train), ("test", test))}
    torch.manual_seed(seed)
    sizes = {"d_model": 96, "num_heads": 4, "num_layers": 2, "d_ff": 384, "dropout": 0.0, "norm": "pre"}
    config = TransformerConfig(
        **sizes, positions="learned", max_length=LENGTH, vocabulary_size=len(vocabulary), tied=False, scale_embedding=False
    )
    model = FirstModel(GPT(config), vocabulary, what)
    digest = hashlib.sha256(f"{train}\0{test}".encode()).hexdigest()
    name = NAME if what == DOCS else f"{NAME}-{what.replace(' ', '-')}"
    settings = {"text": digest, "seed": seed, "steps": steps, "config": asdict(config)}
    found = None if again else kept_models.load(name, settings, "train_first_model(own_text, again=True)")
    if found:
        model = FirstModel(found.model, found.vocabularies["text"], what, found.measured["bits"])
        with live(steps, TITLE) as watch:
            watch.losses, watch.samples = (found.measured.get(shown, []) for shown in SHOWN)
    else:
        read = f"{len(train):,} characters, {len(frequent)} of them distinct"
        print(f"Reading {what}: {read}. Another {len(test):,} are kept to test it.")
        try:
            with live(steps, TITLE) as watch:
                _train(model, ids["train"], steps, seed, watch)
        except KeyboardInterrupt:
            print("Stopped. The model keeps what it has learned so far.")
            settings = {}  # so that the next run trains again
        model.bits = _bits(model.gpt, ids["test"])
        measured = {"bits": model.bits} | {shown: getattr(watch, shown) for shown in SHOWN}
        kept_models.keep(name, settings, kept_models.Kept(model.gpt, {"text": vocabulary}, measured), half=True)
    model.record()
    print(_invented(model.write(count=200), train))
    guessing = math.log2(len(frequent))
    print(f"For text that it has not read, it needs {model.bits:.2f} bits per character. Guessing needs {guessing:.1f}.")
    return model


class Written(str):
    """A text that a notebook shows as it is, in lines that fit the page."""

    def __repr__(self) -> str:
        return "\n".join(textwrap.fill(line, 88) for line in self.split("\n"))


@dataclass(repr=False)
class FirstModel:
    """A trained model, and how well it predicts: in bits per character, on a tenth of the text that it has not read."""

    gpt: GPT
    vocabulary: Vocabulary
    what: str
    bits: float = math.nan

    @torch.no_grad()
    def write(self, start: str = "\n", count: int = 200, temperature: float = 0.8, seed: int = 0) -> Written:
        """Return ``start``, continued by ``count`` characters that the model draws one after another."""
        specials, generator = len(self.vocabulary.specials), torch.Generator().manual_seed(seed)
        ids = self.vocabulary.encode(start or "\n")
        self.gpt.eval()
        for _ in range(count):
            logits = self.gpt(torch.tensor([ids[-LENGTH:]]))[0, -1, specials:]
            probabilities = next_token_distribution(logits, temperature or 1e-6)  # 0: nearly always the most likely
            ids.append(specials + int(torch.multinomial(probabilities, 1, generator=generator)))
        return Written(start + "".join(self.vocabulary.decode(ids[-count:])))

    def __repr__(self) -> str:
        return f"Version 0, trained on {self.what}, scores {self.bits:.2f} bits per character on held-out text."

    def record(self) -> None:
        """Put it on the learner's ladder, and into their gallery, if it has read what all others there have read."""
        if self.what == DOCS:
            build_ladder.record("version 0", self.bits)
            if not math.isfinite(self.bits):
                return  # a model whose training ended in NaN writes nothing
            written = self.write(stage_models.PROMPT, stage_models.SHOWN).removeprefix(stage_models.PROMPT)
            stage_models.show(stage_models.STAGES["version 0"], "version 0", self.bits, written)


def _chosen(text: object) -> tuple[str, str, str]:
    """Return what to train on, what to hold out, and what it is; say so if the text cannot be used."""
    if isinstance(text, str) and text.strip() == "colours":
        names = [name.removeprefix("xkcd:") for name in XKCD_COLORS]
        random.Random(0).shuffle(names)
        return *("".join(f"{name}\n" for name in part) for part in (names[95:], names[:95])), "names of colours"
    if isinstance(text, str) and text.strip() != "python":
        clean = text.expandtabs(4).replace("\r\n", "\n").strip() + "\n"
        if len(clean) > MAX_CHARACTERS:
            print(f"Your text has {len(clean):,} characters. The first {MAX_CHARACTERS:,} are enough for a minute.")
            clean = clean[:MAX_CHARACTERS]
        if len(clean) >= MIN_CHARACTERS:
            cut = len(clean) * 9 // 10
            return clean[:cut], clean[cut:], "your text"
        print(
            f"Your text has {len(clean) - 1:,} characters, but the model needs at least {MIN_CHARACTERS:,}, "
            f"so it reads {DOCS}."
        )
    elif not isinstance(text, str):
        print(
            f"The text must be a string, in quotes, got {type(text).__name__}. The model reads {DOCS}. "
            'Try own_text = "colours".'
        )
    return *python_docs(), DOCS


def _train(model: FirstModel, ids: Tensor, steps: int, seed: int, watch: live) -> None:
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.AdamW(model.gpt.parameters(), lr=3e-3)
    watch.samples.append((0, _shown(model)))
    for step in range(1, steps + 1):
        optimizer.param_groups[0]["lr"] = 3e-3 * min(1, step / 30, (steps + 1 - step) / (steps - 30 or 1))
        inputs, labels = random_windows(ids, 32, LENGTH, generator)
        model.gpt.train()
        loss = F.cross_entropy(model.gpt(inputs).flatten(0, 1), labels.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        watch(step, round(loss.item(), 4), samples=_shown(model) if step in {*SAMPLED, steps} else None)


def _invented(written: str, read: str) -> str:
    """Say how many of the words that were written do not occur in what was read."""
    known = {*WORD.findall(read)}
    words = WORD.findall(written)[:-1]  # the last one may be cut off
    invented = sum(word not in known for word in words)
    return f"Of {len(words)} words that it then wrote, {invented} are invented: they are not in the text."


def _shown(model: FirstModel) -> dict[str, str]:
    return {"what it writes": " ⏎ ".join(model.write(count=90).strip().split("\n"))}


@torch.no_grad()
def _bits(model: GPT, ids: Tensor) -> float:
    """Bits per character, read in windows of ``LENGTH``."""
    count = (len(ids) - 1) // LENGTH
    inputs, labels = (ids[shift : shift + count * LENGTH].reshape(count, LENGTH) for shift in (0, 1))
    model.eval()
    losses = [
        F.cross_entropy(model(x).flatten(0, 1), y.flatten(), reduction="sum").item()
        for x, y in zip(inputs.split(128), labels.split(128), strict=True)
    ]
    return sum(losses) / labels.numel() / math.log(2)
