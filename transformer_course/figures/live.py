"""A figure that is updated while a model trains, and remains as a single figure at the end."""

import html
import os
import sys
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import LogFormatter, MaxNLocator, ScalarFormatter

from .curves import curves
from .style import panels


class live(AbstractContextManager):
    """Plot the loss of each step, and what is measured now and then: the loss on held-out text, accuracies next to it.

    Use it as ``with live(450, "title") as watch: train(…, after_step=watch)``. To plot accuracies, call
    ``watch(step, loss, accuracies)`` with a mapping from names to values from 0 to 1, with the same names each time. The loss
    on text that is not trained on, ``held_out``, becomes a second curve. A
    mapping from inputs to what the model writes for them, ``samples``, becomes a row of a table below the figure. In a
    notebook, the figure is redrawn at most twice per second, in about a tenth of the running time, and says how much time is
    left. Outside a notebook, or with ``TRANSFORMER_COURSE_PROGRESS=off``, it is drawn once, at the end. An interrupted run
    shows its measurements so far.
    """

    def __init__(self, steps: int, title: str = ""):
        self.steps, self.title = steps, title
        self.losses: list[float] = []
        self.held_out: list[tuple[int, float]] = []
        self.accuracies: dict[str, list[tuple[int, float]]] = {}
        self.samples: list[tuple[int, Mapping[str, str]]] = []
        self.handles: dict[str, object] = {}
        self.started = time.monotonic()
        self.next_update = self.started + 0.5

    def __call__(
        self,
        step: int,
        loss: float,
        accuracies: Mapping[str, float] | None = None,
        samples: Mapping[str, str] | None = None,
        held_out: float | None = None,
    ) -> None:
        self.losses.append(loss)
        if held_out is not None:
            self.held_out.append((step, held_out))
        if samples:
            self.samples.append((step, samples))
        for name, accuracy in (accuracies or {}).items():
            self.accuracies.setdefault(name, []).append((step, accuracy))
        watched = "ipykernel" in sys.modules and os.environ.get("TRANSFORMER_COURSE_PROGRESS") != "off"
        if watched and time.monotonic() >= self.next_update:
            self._show(running=True)

    def __exit__(self, *error) -> None:
        if self.losses:
            self._show()

    def _show(self, running: bool = False) -> None:
        from IPython.display import HTML

        start = time.monotonic()
        axes, done = self.draw(), len(self.losses)
        if running and done >= 10:  # the first steps are slower
            left = (start - self.started) / done * (self.steps - done)
            axes[0].set_xlabel(f"step (about {left:.0f} s left)")
        figure = axes[0].figure
        plt.close(figure)  # or the notebook shows it again at the end of the cell
        self._put("figure", figure)
        if self.samples:
            self._put("samples", HTML(self._table()))
        now = time.monotonic()
        self.next_update = now + min(max(0.5, 9 * (now - start)), 3.0)  # at most 3 s, since the first drawing may be slow

    def _put(self, place: str, content: object) -> None:
        """Show something in the notebook, or replace what the same place shows now."""
        from IPython.display import display

        if place in self.handles:
            self.handles[place].update(content)
        else:
            self.handles[place] = display(content, display_id=True)

    def _table(self) -> str:
        """Return the samples so far as an HTML table, because a browser can draw scripts that matplotlib has no font for."""
        cell = "text-align:left;padding:1px 10px 1px 0"
        rows = [("step", *self.samples[0][1]), *((step, *outputs.values()) for step, outputs in self.samples)]
        body = "".join(
            f"<tr><{tag} style={cell!r}>{row[0]}</{tag}>"
            + "".join(f"<{tag} style='{cell};overflow-wrap:anywhere'>{html.escape(str(text))}</{tag}>" for text in row[1:])
            + "</tr>"
            for tag, row in zip(("th", *["td"] * len(self.samples)), rows, strict=True)
        )
        return f'<table style="margin:0">{body}</table>'

    def draw(self) -> np.ndarray:
        """Draw the measurements so far, and return the panels: the loss and, if they were measured, the accuracies.

        The axes cover the whole run from the start.
        """
        axes = panels(2 if self.accuracies else 1, 5.4, 3.6)
        steps = np.arange(1, len(self.losses) + 1)
        lines: dict[str, object] = {"loss": self.losses}
        if self.held_out:
            between = np.interp(steps, *zip(*self.held_out, strict=True), right=np.nan)
            lines = {"training batches": self.losses, "held-out text": between}
        curves(steps, lines, self.title, "step", "loss (log scale)", log="y", ax=axes[0])
        low, high = axes[0].get_ylim()
        if high < 10 * low:  # 0.6, 1, 2, where the default writes 6 × 10⁻¹ and 10⁰
            axes[0].yaxis.set_major_formatter("{x:g}")
            axes[0].yaxis.set_minor_formatter("{x:g}")
        else:
            axes[0].yaxis.set_minor_formatter(LogFormatter())  # 3, 4, 5, where the default writes 3 × 10⁰
        if self.accuracies:
            steps = [step for step, _ in next(iter(self.accuracies.values()))]
            lines = {name: [accuracy for _, accuracy in points] for name, points in self.accuracies.items()}
            curves(steps, lines, xlabel="step", ylabel="accuracy", ax=axes[1])
            axes[1].set(ylim=(0, 1.05))
        for ax in axes:
            ax.set(xlim=(0, self.steps))
            ax.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
            ax.xaxis.set_major_formatter(ScalarFormatter())
        return axes
