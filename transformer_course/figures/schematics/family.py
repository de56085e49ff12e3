"""Lesson 18: GPT, BERT and ViT around the same stack."""

import numpy as np
from matplotlib.axes import Axes

from ..description import describe
from ..drawing import HOLLOW, arrows, filled, matrix, operation, page, words
from ..style import FAINT

N, D = 5, 6
PALE = FAINT + "33"  # a token that is not seen
CELL = (12, 16)
WIDE = (66, 16)  # cells with a word
SEES = {"GPT": np.tri(N, dtype=bool), "BERT": np.ones((N, N), bool), "ViT": np.ones((N, N), bool)}
PATTERNS = {"GPT": "itself and the tokens before it", "BERT": "all tokens", "ViT": "all tokens"}
INPUTS = {
    "GPT": ("<begin>", "LATIN", "SMALL", "LETTER", "A"),
    "BERT": ("<begin>", "LATIN", "<mask>", "LETTER", "A"),
    "ViT": ("class", "patch 1", "patch 2", "patch 3", "patch 4"),
}
LABELS = {
    "GPT": ("LATIN", "SMALL", "LETTER", "A", "<end>"),
    "BERT": ("–", "–", "SMALL", "–", "–"),
    "ViT": ("7", "–", "–", "–", "–"),
}
LOOK_UP = "look up,\n+ positions"
ENDS = {"GPT": (LOOK_UP, "$n × v$"), "BERT": (LOOK_UP, "$n × v$"), "ViT": ("matrix,\n+ positions", "$1 × 10$")}


def family() -> Axes:
    ax = page(404)
    for name, middle in zip(SEES, (70, 203, 336), strict=True):
        words(ax, 20, middle, name, 12, weight="bold")
        first, logits = ENDS[name]
        given = matrix(ax, 48, middle, filled(N, 1, FAINT), "input", "$n$", [[token] for token in INPUTS[name]], WIDE)
        embed = operation(ax, 126, middle, first, 86, 44)
        vectors = matrix(ax, 226, middle, filled(N, D, FAINT), "vectors", "$n × d$", cell=CELL)
        stack = operation(ax, 318, middle, "", 110, 92)
        seen = np.where(SEES[name], FAINT, PALE)
        matrix(ax, 333, middle, seen, cell=(16, 16))
        words(ax, stack.top[0], stack.y - 2, "stack", 11, va="bottom", weight="bold")
        words(ax, stack.bottom[0], stack.y + stack.height + 4, "$n × n$", va="top")
        output = matrix(ax, 448, middle, filled(N, D, FAINT), "output", "$n × d$", cell=CELL)
        head = operation(ax, 538, middle, "head", 44, below=logits)
        asked = [[label] for label in LABELS[name]]
        colours = [[HOLLOW if label == "–" else FAINT] for (label,) in asked]
        labels = matrix(ax, 604, middle, colours, "labels", cell=WIDE, numbers=asked)
        arrows(ax, given, embed, vectors, stack, output, head, labels)
    return describe(
        ax,
        "The family",
        "; ".join(
            f"{name}: from {', '.join(INPUTS[name])} to n × d vectors; in the stack, each token sees {PATTERNS[name]}; "
            f"a head gives {ENDS[name][1].strip('$')} logits; labels: "
            + ", ".join(f"{label} at {token}" for token, label in zip(INPUTS[name], LABELS[name], strict=True) if label != "–")
            for name in SEES
        )
        + ".",
    )
