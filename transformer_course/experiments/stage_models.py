"""The models of the Build's stages: saved when they have learned, opened in the next session, and heard side by side.

A stage constructs its model, and trains it only if its folder does not hold the result of the same training::

    stage = stage_models.Stage("three blocks", model, train_step, text.train, ladder.STEPS, sizes)
    if not stage.opened():
        …  # train
    own = stage.keep(bits)

What decides a training is the text, the steps, the numbers that the model starts with, and the learners' own code.
"""

import copy
import hashlib
import html
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FunctionType

from torch import nn

from transformer_course._util import paths
from transformer_course._util.folder_record import read_record, update_record
from transformer_course.experiments import build_ladder as ladder
from transformer_course.experiments import kept_models

PROMPT = "\nReturn the"  # what all models of the Build continue: a newline begins a new paragraph
SHOWN = 140  # characters of each in the gallery
STAGES = {  # of the names on the ladder
    "version 0": "Lesson 00",
    "bigram table": "B1",
    "one head, no positions": "B2",
    "one head": "B2",
    "four heads": "B3",
    "one block": "B4",
    "three blocks": "B4",
    "three blocks, no residuals": "B4",
    "byte pairs": "B8",
    "three Llama blocks": "B9",
}
_written: dict[str, dict] = {}


@dataclass
class Stage:
    """A stage's model before its training.

    ``sizes`` are its constructor's, and ``merges`` its tokenizer's, if it has one. The number of layers may be left out.
    """

    name: str
    model: nn.Module
    train_step: Callable
    text: str
    steps: int
    sizes: Mapping[str, int] = field(default_factory=dict)
    merges: Sequence[tuple[str, str]] | None = None
    loaded: kept_models.Kept | None = field(default=None, init=False)

    def __post_init__(self):
        self.settings = {
            "stage": STAGES[self.name],
            "model": type(self.model).__name__,
            "sizes": dict(self.sizes),
            "tokenizer": "characters" if self.merges is None else [list(pair) for pair in self.merges],
            "text": digest(self.text),
            "steps": self.steps,
            "start": digest(*(weight.detach().numpy().tobytes() for weight in self.model.parameters())),
            "code": digest(*code_of(self.model, self.train_step)),
        }

    @property
    def file(self) -> str:
        """The name of its file in ``models/``, such as B4-three-blocks."""
        return f"{STAGES[self.name]}-{self.name.replace(',', '').replace(' ', '-')}"

    def opened(self) -> bool:
        """Copy what an earlier session learned into the model, and say so; return False if it has to be trained."""
        call = f"delete models/{self.file}.json, and run this cell again."
        self.loaded = kept_models.load(self.file, self.settings, call, self.model)
        return self.loaded is not None

    def keep(self, bits: float, writes: str | None = None) -> dict[str, float]:
        """Save the model unless it was opened, with what it scores and ``writes`` after ``PROMPT``; return the ladder.

        Without ``writes``, it is a model of characters, which writes now. In the gallery it has its place from now on.
        """
        if writes is None:  # after a training that ended in NaN, nothing
            writes = ladder.sample(self.model, SHOWN, PROMPT) if math.isfinite(bits) else ""
        if self.loaded is None:
            kept_models.keep(self.file, self.settings, kept_models.Kept(self.model, measured={"bits": bits, "writes": writes}))
        show(STAGES[self.name], self.name, bits, writes)
        return ladder.record(self.name, bits)


def show(stage: str, name: str, bits: float, writes: str) -> None:
    """Put what a model writes after ``PROMPT`` into the `gallery`; outside a learner's folder, until the kernel stops."""
    folder = paths.course_folder(Path.cwd())
    _written.update(_kept(folder))
    _written[name] = {"stage": stage, "bits": bits, "writes": writes}
    if folder:
        try:
            update_record(folder, "gallery", _written)
        except OSError as error:
            print(f"What it writes could not be saved ({error.strerror or error}), so later stages will not show it.")


class Gallery:
    """What each model of the Build wrote after the same beginning, with its bits per character, in the order of the stages."""

    def __init__(self):
        entries = {**_kept(paths.course_folder(Path.cwd())), **_written}
        order = [*STAGES, *entries]
        self.rows = [
            (entry["stage"], name, f"{entry['bits']:.2f}", _one_line(entry["writes"]))
            for name, entry in sorted(entries.items(), key=lambda each: (_number(each[1]["stage"]), order.index(each[0])))
        ]

    def __repr__(self) -> str:
        return "\n".join(f"{stage:9} {name:28} {bits} bits  {PROMPT.strip()}{text}" for stage, name, bits, text in self.rows)

    def _repr_html_(self) -> str:
        cell = "text-align:left;vertical-align:top;padding:3px 12px 3px 0"
        head = "".join(f'<th style="{cell}">{title}</th>' for title in ("stage", "model", "bits", "what it writes"))
        body = "".join(
            "<tr>"
            + "".join(f'<td style="{cell};white-space:nowrap">{html.escape(part)}</td>' for part in (stage, name, bits))
            + f'<td style="{cell};overflow-wrap:anywhere"><b>{html.escape(PROMPT.strip())}</b>{html.escape(text)}</td></tr>'
            for stage, name, bits, text in self.rows
        )
        return f'<table style="margin:0"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def gallery() -> Gallery:
    """Return the `Gallery` of what has been trained so far. What is missing is left out."""
    return Gallery()


def _number(stage: str) -> int:
    return int("".join(filter(str.isdecimal, stage)) or 99)


def _one_line(text: str) -> str:
    return text[:SHOWN].rstrip("\n").replace("\n", " ⏎ ")


def _kept(folder: Path | None) -> dict[str, dict]:
    """Return the entries of a learner's folder, without what somebody edited so that it cannot be read."""
    kept = read_record(folder).get("gallery") if folder else None
    types = {"stage": str, "bits": float, "writes": str}
    return {
        name: entry
        for name, entry in (kept.items() if isinstance(kept, dict) else ())
        if isinstance(entry, dict) and all(isinstance(entry.get(key), kind) for key, kind in types.items())
    }


def taught(
    file: str,
    settings: Mapping[str, object],
    begin: nn.Module,
    learn: Callable[[nn.Module], Mapping[str, object] | None],
    *code: Callable,
    finish: Callable[[nn.Module], None] = lambda model: None,
) -> kept_models.Kept:
    """Return a copy of ``begin`` after ``learn(copy)``, with what that returned as ``measured``: kept as ``file``, or new.

    What was kept is used if the settings are the same, the same model began, and neither ``learn`` nor the functions and
    classes in ``code`` have changed. ``finish`` gives what ``learn`` has left the form in which it is kept.
    """
    weights = (weight.detach().numpy().tobytes() for weight in begin.parameters())
    settings = {**settings, "start": digest(*weights), "code": digest(*code_of(begin, learn, *code))}
    call = f"delete models/{file}.json, and run this cell again."
    if found := kept_models.load(file, settings, call, copy.deepcopy(begin)):
        return found
    model = copy.deepcopy(begin)
    measured = learn(model) or {}
    finish(model)
    made = kept_models.Kept(model.requires_grad_(True).eval(), measured=measured)
    kept_models.keep(file, settings, made)
    return made


def digest(*parts: str | bytes) -> str:
    """Return 16 characters that stand for these texts and bytes."""
    whole = hashlib.sha256()
    for part in parts:
        whole.update(part if isinstance(part, bytes) else part.encode())
    return whole.hexdigest()[:16]


def code_of(model: nn.Module, *functions: Callable) -> list[str]:
    """Return the code of all classes in a model, except torch's, and of these functions, with the functions that they call."""
    found: dict[object, str] = {}

    def collect(function: FunctionType) -> None:
        if function in found:
            return
        found[function] = f"{function.__qualname__} {_spelled(function.__code__)}"
        for name in function.__code__.co_names:
            called = function.__globals__.get(name)
            if isinstance(called, FunctionType) and not called.__module__.startswith("torch."):
                collect(called)

    for kind in {kind for module in model.modules() for kind in type(module).__mro__}:
        if kind is not object and not kind.__module__.startswith("torch."):
            for value in vars(kind).values():
                if isinstance(value, FunctionType):
                    collect(value)
    for function in functions:
        if isinstance(function, FunctionType):
            collect(function)
    return sorted(found.values())


def _spelled(code: CodeType) -> str:
    constants = [
        _spelled(each) if isinstance(each, CodeType) else repr(sorted(each) if isinstance(each, frozenset) else each)
        for each in code.co_consts
    ]
    return f"{code.co_code.hex()} {code.co_names} {constants}"
