"""Lesson 26: which positions of a chat have a label, and a linear layer with LoRA."""

import numpy as np
from matplotlib.axes import Axes

from ..description import describe
from ..drawing import HOLLOW, arrow, arrows, filled, line, matrix, operation, page, words
from ..style import FAINT, KEY, QUERY, VALUE

INPUTS = ("begin", "user", "Which", "type", "is", "4", "?", "assist.", "int")
LABELS = (*("–",) * 7, "int", "end")


def chat_labels() -> Axes:
    ax = page(306)
    count, cell = len(INPUTS), (60, 24)
    own = np.array([[label != "–" for label in LABELS]])
    inputs = matrix(ax, 120, 34, np.where(own & (np.arange(count) == count - 1), VALUE, FAINT), numbers=[INPUTS], cell=cell)
    words(ax, 12, 34, "inputs, $n$", ha="left")
    operation(ax, inputs.x, 94, "GPT: each position sees itself and what is to its left", inputs.width, 30)
    operation(ax, inputs.x, 150, "a row of logits at each position", inputs.width, 24)
    words(ax, 12, 150, "logits, $n × v$", ha="left")
    labels = matrix(ax, 120, 206, np.where(own, VALUE, HOLLOW), numbers=[LABELS], cell=cell)
    words(ax, 12, 206, "labels, $n$", ha="left")
    for place in range(count):
        x = inputs.x + (place + 0.5) * cell[0]
        arrow(ax, (x, 48), (x, 78))
        arrow(ax, (x, 110), (x, 137))
        if own[0, place]:
            arrow(ax, (x, 163), (x, 191))
    loss = operation(ax, 478, 274, "mean of −log p over the labels", 240, 30, colour=VALUE)
    for place in np.flatnonzero(own[0]):
        x = labels.x + (place + 0.5) * cell[0]
        arrow(ax, (x, 220), (x, loss.y - 1))
    words(ax, 12, 274, "“–”: no label, so no loss (in code −100)", ha="left")
    return describe(
        ax,
        "The labels of a chat",
        "Nine input tokens, from begin to the answer “int”, go through a GPT, which gives a row of logits at each (n × v); "
        "only the last two positions have labels, “int” and “end”, one further on than the inputs; the loss is their mean.",
    )


def lora() -> Axes:
    ax = page(236)
    d_in, d_out, rank, top, low = 6, 8, 2, 70, 176
    x = matrix(ax, 20, 123, filled(3, d_in, FAINT), "x", "$n × d_{in}$")
    weight = matrix(ax, 240, top, filled(d_in, d_out, FAINT), "W (frozen)", "$d_{in} × d_{out}$")
    a = matrix(ax, 190, low, filled(d_in, rank, QUERY), "A", "$d_{in} × r$")
    b = matrix(ax, 280, low, filled(rank, d_out, KEY), "B, 0 at first", "$r × d_{out}$")
    scale = operation(ax, 424, low, "· α / r", 64)
    total = operation(ax, 536, 123, "+", 30)
    y = matrix(ax, 596, 123, filled(3, d_out, VALUE), "output", "$n × d_{out}$")
    start = (140, 123)
    line(ax, x.right, start)
    arrow(ax, start, (140, top), weight.left)
    arrow(ax, start, (140, low), a.left)
    arrows(ax, a, b, scale)
    arrow(ax, weight.right, (total.top[0], top), total.top)
    arrow(ax, scale.right, (total.bottom[0], low), total.bottom)
    arrows(ax, total, y)
    return describe(
        ax,
        "A linear layer with LoRA",
        "x (n × d_in) takes two ways: through the frozen matrix W (d_in × d_out), and through the trained thin matrices A "
        "(d_in × r) and B (r × d_out), scaled by α / r; the results are added; B is 0 at first, so the output is that of W.",
    )
