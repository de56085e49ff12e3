"""Stage B10 of the Build: a text of the learner's own, and a run that keeps its best model in one file.

A run named "mine" has two files in ``models/`` of the learner's folder. ``mine.safetensors`` is the model with the lowest
held-out loss so far: its weights, sizes, tokenizer and what was measured. ``mine.checkpoint`` is the newest state of the
training, from which it goes on. Both are written completely or not at all.
"""

import hashlib
import io
import json
import math
import pickle
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

import matplotlib.pyplot as plt
import safetensors
import safetensors.torch
import torch
from jaxtyping import Int
from torch import Tensor, nn

from transformer_course._util import paths
from transformer_course._util.files import write_whole
from transformer_course.data.package_docs import package_docs
from transformer_course.data.python_docs import python_docs
from transformer_course.data.split import Split, held_back
from transformer_course.experiments import effort
from transformer_course.experiments.own_evaluation import paragraphs
from transformer_course.figures import curves

LARGEST, SMALLEST = 20_000_000, 10_000  # characters of a text
SHORT = 60_000  # in tests
ENDINGS = (".txt", ".md", ".rst", ".tex", ".py", ".csv", ".org", ".html")  # the files that are read of a folder
NOTES = "own-model"  # the entry of a file's header that holds everything except the weights
PACKAGES = "packages"  # stands for the documentation of the packages that the course needs


@dataclass(frozen=True)
class Size:
    """How large a model is, and how long it trains. ``merges`` are those of its tokenizer; ``length`` is in tokens."""

    merges: int
    length: int
    d_model: int
    num_heads: int
    num_layers: int
    steps: int
    batch: int = 32
    every: int = 50
    peak: float = 3e-3

    def gpt(self) -> dict[str, int]:
        """Return the sizes that ``GPT`` takes after ``vocabulary_size``."""
        names = ("d_model", "num_heads", "num_layers")
        return {"max_length": self.length, **{name: getattr(self, name) for name in names}, "d_ff": 4 * self.d_model}


SIZES = {
    "one minute": Size(256, 64, 96, 4, 3, 400, batch=16),
    "ten minutes": Size(768, 128, 128, 4, 4, 1200, every=100),
    "overnight": Size(2048, 256, 256, 8, 6, 12_000, every=250, peak=1e-3),
    "a GPU": Size(4096, 512, 512, 8, 8, 20_000, batch=64, every=500, peak=6e-4),
}


def size(name: str) -> Size:
    """Return one of ``SIZES``; in tests, one that trains in seconds. Raises ValueError for any other name."""
    if name not in SIZES:
        raise ValueError(f"size must be one of {', '.join(map(repr, SIZES))}, got {name!r}")
    return Size(20, 16, 16, 2, 1, 6, batch=4, every=2) if effort.setting() == "short" else SIZES[name]


def read_text(source: str | Path = "") -> str:
    """Return a text: of a file, of all text files in a folder, or ``source`` itself if it is long or has several lines.

    Without a source, it is Python's documentation, and for "packages" `package_docs`. Of a text of more than ``LARGEST``
    characters, it takes and announces the first ones. Raises ValueError, in one sentence, for what is no text, or too short
    or too uniform to learn from.
    """
    if not str(source).strip():
        text = "".join(python_docs())[: SHORT if effort.setting() == "short" else None]
    elif source == PACKAGES:
        print("Collecting the documentation of the installed packages takes about a minute the first time.")
        text = "".join(package_docs())
    elif "\n" in str(source) or len(str(source)) > 300:
        text = str(source)
    else:
        text = _of_files(Path(source).expanduser())
    if len(text) > LARGEST:
        print(f"The text is longer than {LARGEST:,} characters, so only the first {LARGEST:,} are used.")
        text = text[:LARGEST]
    if len(text) < SMALLEST:
        raise ValueError(
            f"a model needs a text of at least {SMALLEST:,} characters, got {len(text):,}; add more, such as a book or "
            f"your notes"
        )
    if len({*text}) < 10:
        found = ", ".join(map(repr, sorted({*text})[:9]))
        raise ValueError(f"the text should be written in a language, but consists of {found} alone; choose another one")
    return text


def _of_files(path: Path) -> str:
    if not path.exists():
        raise ValueError(f"there is no file or folder {path}; give its whole path, or paste a text of several lines")
    files = sorted(each for each in path.rglob("*") if each.suffix.lower() in ENDINGS) if path.is_dir() else [path]
    if not files:
        raise ValueError(f"the folder {path} has no text files; they should end in {', '.join(ENDINGS)}")
    if path.is_dir():
        others = Counter(each.suffix or each.name for each in path.rglob("*") if each.is_file() and each not in {*files})
        left_out = ", ".join(f"{count:,} {ending}" for ending, count in others.most_common(5))
        print(f"{len(files):,} files are read{f'; left out, because of their endings: {left_out}' if others else ''}.")
    texts, left = [], 4 * LARGEST  # a character has at most four bytes
    for file in files:
        try:
            with file.open("rb") as opened:
                content = opened.read(left + 1)
        except OSError as error:
            raise ValueError(f"{file} cannot be read: {error.strerror or error}") from None
        texts.append(_decoded(content, file))
        left -= len(content)
        if left <= 0:
            break
    return "\n\n".join(texts).replace("\r\n", "\n")


def _decoded(content: bytes, file: Path) -> str:
    """The text of a file in UTF-8, whose last character may be cut."""
    if b"\0" in content[:100_000]:
        raise ValueError(f"{file} should be plain text, but is binary; save it as plain text, in UTF-8")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if len(content) > 4 * LARGEST and error.start > len(content) - 4:
            return content[: error.start].decode("utf-8-sig")
        raise ValueError(
            f"{file} should be in UTF-8, but byte {error.start} is not; save it again in UTF-8, or pass "
            f'Path("{file.name}").read_text(encoding="latin-1") if it is in Latin-1'
        ) from None


def split(text: str) -> Split:
    """Return about nine tenths of a text to train on, and the rest, held out: whole paragraphs, so that none is in both.

    Paragraphs end with an empty line; if there are few of these, with a line; and without lines, after 500 characters. Raises
    ValueError for a text of one paragraph that is repeated.
    """
    lines, pieces = text.splitlines(keepends=True), [text[at : at + 500] for at in range(0, len(text), 500)]
    parts = next((way for way in (paragraphs(text), lines) if len({*way}) >= 40), pieces)
    for seed in range(10):
        train, test = ("".join(part for part in parts if held_back(part, seed) == held) for held in (False, True))
        if 0.02 < len(test) / len(text) < 0.3:
            return Split(train, test)
    raise ValueError(f"the text should have many different paragraphs, but has {len({*parts})}; choose another one")


def encode(tokenizer: object, text: Split, size: Size) -> list[Int[Tensor, "n"]]:
    """Return the ids of both parts of a text. Raises ValueError if one is shorter than a window of this size."""
    ids = [torch.tensor(tokenizer.encode(part)) for part in text]
    if (short := min(map(len, ids))) <= size.length:
        raise ValueError(
            f"each part of the text needs more than {size.length} tokens, got {short}; choose a smaller size or a longer text"
        )
    return ids


class Run:
    """A training that can be stopped and goes on: ``fit(…, run.save, size.steps, size.every, run.start, run.best)``.

    ``save`` keeps a checkpoint and the best model, draws both losses in bits per character, and shows what ``write()``
    gives. ``ids`` are those of the two parts of the text. With a checkpoint of this name, the model goes on from it.

    Raises ValueError if a model of this name was trained differently.
    """

    def __init__(
        self,
        name: str,
        model: nn.Module,
        optimizer: torch.optim.Optimizer,
        tokenizer: object,
        size: Size,
        text: Split,
        ids: Sequence[Int[Tensor, "n"]],
        write: Callable[[], str] | None = None,
    ):
        self.file = file_of(name)
        self.checkpoint = self.file.with_suffix(".checkpoint")
        self.model, self.optimizer, self.tokenizer, self.write = model, optimizer, tokenizer, write
        self.units = [len(row) / len(part) / math.log(2) for row, part in zip(ids, text, strict=True)]
        text_hash = hashlib.blake2b("".join(text).encode("utf-8", "replace"), digest_size=8).hexdigest()
        self.settings = {"size": asdict(size), "text": text_hash, "tokens": len(tokenizer)}
        self.notes = {"characters": len("".join(text)), "begins": text.train[:80]}
        self.history: list[list[float]] = []  # steps, training loss, held-out loss, in bits per character
        self.start, self.best, self.seconds, self._handles = 0, math.inf, 0.0, {}
        if self.checkpoint.exists():
            self._resume()
        elif self.file.exists():
            raise ValueError(f"{self.file} holds a model already; delete or rename it, or choose another name than {name!r}")
        self._began = time.monotonic()

    def _resume(self) -> None:
        try:
            state = torch.load(self.checkpoint, weights_only=True)
            settings = state["settings"]
        except (OSError, EOFError, KeyError, RuntimeError, ValueError, pickle.UnpicklingError) as error:
            raise ValueError(
                f"{self.checkpoint} cannot be read ({type(error).__name__}); delete it and begin again. The best model so "
                f"far is "
                f"in {self.file.name}"
            ) from None
        if settings != self.settings:
            other = " and ".join(key for key in settings if settings[key] != self.settings.get(key))
            raise ValueError(f"{self.checkpoint.name} belongs to a run with another {other}; choose another name for this one")
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.start, self.best, self.history, self.seconds = (state[key] for key in ("done", "best", "history", "seconds"))
        print(f"Going on after step {self.start:,}. (To begin again, delete {self.checkpoint.name}.)")

    def save(self, done: int, train: float, held_out: float, better: bool) -> None:
        """Keep the state after ``done`` steps, and the model if ``better``. If the disk is full, what was there stays."""
        self.history.append([done, train * self.units[0], held_out * self.units[1]])
        self.seconds, self._began = self.seconds + time.monotonic() - self._began, time.monotonic()
        try:
            self.file.parent.mkdir(exist_ok=True)
            if better:
                measured = {"bits": held_out * self.units[1], "steps": done, "minutes": round(self.seconds / 60, 1)}
                save(self.file, self.model, self.tokenizer, self.settings["size"], **self.notes, **measured)
                self.best = held_out  # that of the model in the file
            state = {name: getattr(self, name) for name in ("settings", "best", "history", "seconds")}
            state |= {"done": done, "model": self.model.state_dict(), "optimizer": self.optimizer.state_dict()}
            buffer = io.BytesIO()
            torch.save(state, buffer)
            write_whole(self.checkpoint, buffer.getvalue())
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            print(f"After {done} steps, the model could not be saved ({reason}). What was saved before stays.")
        self._show()

    def _show(self) -> None:
        """In a notebook, draw the curve and show a text below it, in place of those before; elsewhere, print one line."""
        steps, train, held_out = zip(*self.history, strict=True)
        line = f"step {steps[-1]:,}: {held_out[-1]:.3f} bits, best {min(held_out):.3f}, {self.seconds / 60:.1f} minutes"
        if "ipykernel" not in sys.modules:
            print(line)
            return
        from IPython.display import Pretty, display

        ax = curves(steps, {"training text": train, "held out": held_out}, "", "step", "bits per character")
        plt.close(ax.figure)
        training = self.model.training
        shown = {"curve": ax.figure, "text": Pretty("\n\n".join([line, *([self.write()] if self.write else [])]))}
        self.model.train(training)  # which writing ends
        for place, content in shown.items():
            if handle := self._handles.get(place):
                handle.update(content)
            else:
                self._handles[place] = display(content, display_id=True)


def save(path: str | Path, model: nn.Module, tokenizer: object, sizes: Mapping[str, int], **measured: object) -> None:
    """Write a model whole, in one file: weights, sizes, its tokenizer's JSON, and what was ``measured``.

    Raises ValueError for weights that are not finite, and OSError if the file cannot be written; the old file stays.
    """
    weights = {name: weight.detach().cpu().contiguous() for name, weight in model.state_dict().items()}
    if not all(weight.isfinite().all() for weight in weights.values()):
        raise ValueError("some weights are not finite")
    notes = {"sizes": dict(sizes), "tokenizer": tokenizer.to_json(), "saved": date.today().isoformat(), **measured}
    write_whole(Path(path), safetensors.torch.save(weights, {NOTES: json.dumps(notes)}))


def file_of(name: str | Path) -> Path:
    """The file of a model: a path as it is, and a name in ``models/`` of the learner's folder, or of this one."""
    if Path(name).suffix == ".safetensors":
        return Path(name).expanduser()
    return (paths.course_folder(Path.cwd()) or Path.cwd()) / "models" / f"{name}.safetensors"


def load(name: str | Path, make_gpt: Callable, make_tokenizer: type) -> tuple[nn.Module, object, dict[str, object]]:
    """Return the model of a run or a file, in evaluation mode, its tokenizer, and its notes: its sizes, and what was measured.

    Raises ValueError, in one sentence, for a file that is missing, cut short, of other sizes, or with another tokenizer.
    """
    path = file_of(name)
    if not path.is_file():
        raise ValueError(f"there is no model {path}; train one, or look into the folder {path.parent}")
    try:
        with safetensors.safe_open(path, "pt") as opened:
            notes = json.loads((opened.metadata() or {})[NOTES])
            weights: dict[str, Tensor] = {name: opened.get_tensor(name) for name in opened.keys()}  # noqa: SIM118
        made = Size(**notes["sizes"])
        tokenizer = make_tokenizer.from_json(notes["tokenizer"])
    except (safetensors.SafetensorError, KeyError, TypeError, ValueError, OSError) as error:
        raise ValueError(
            f"{path.name} should be a model that this stage saved, but is cut short or something else "
            f"({type(error).__name__}); "
            "use a copy, or train it again"
        ) from None
    rows = len(weights.get("tokens.weight", ()))
    if len(tokenizer) != rows:
        raise ValueError(
            f"{path.name} holds a tokenizer of {len(tokenizer):,} tokens, but a model of {rows:,}; they do not belong together"
        )
    model = make_gpt(rows, **made.gpt())
    found, wanted = ({name: (*weight.shape,) for name, weight in part.items()} for part in (weights, model.state_dict()))
    if wrong := sorted(name for name in found.keys() | wanted.keys() if found.get(name) != wanted.get(name)):
        shapes = " in the file, and ".join(str(part.get(wrong[0], "missing")) for part in (found, wanted))
        raise ValueError(f"{path.name} was saved from another GPT: {wrong[0]} is {shapes} in yours; use that GPT")
    model.load_state_dict(weights)
    return model.eval(), tokenizer, notes


def decay_groups(model: nn.Module, weight_decay: float = 0.1) -> Sequence[dict[str, object]]:
    """Return two groups for AdamW: matrices, whose numbers decay, and biases and norms, which do not."""
    parts = list(model.parameters())
    return [
        {"params": [each for each in parts if each.ndim > 1], "weight_decay": weight_decay},
        {"params": [each for each in parts if each.ndim < 2], "weight_decay": 0.0},
    ]
