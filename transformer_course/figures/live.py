"""A figure that grows while a model learns, and is one figure when it has."""

import os
import sys
import time
from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import MaxNLocator, ScalarFormatter

from .curves import curves
from .style import panels


class live:
    """The loss of each step, and beside it shares that are measured now and then, as curves over the steps.

    ``with live(450, "title") as watch: train(…, after_step=watch)``; for shares, call ``watch(step, loss, shares)``, with a
    mapping from names to values from 0 to 1, the same names each time. In a notebook one figure is drawn over, at most twice
    a second, and in about a tenth of the time. Where nobody looks (``TRANSFORMER_COURSE_PROGRESS`` is ``off``) it is drawn
    once, at the end. What was seen so far is shown too when the run is interrupted.
    """

    def __init__(self, steps: int, title: str = ""):
        self.steps, self.title = steps, title
        self.losses: list[float] = []
        self.shares: dict[str, list[tuple[int, float]]] = {}
        self.handle, self.due = None, time.monotonic() + 0.5

    def __call__(self, step: int, loss: float, shares: Mapping[str, float] | None = None) -> None:
        self.losses.append(loss)
        for name, share in (shares or {}).items():
            self.shares.setdefault(name, []).append((step, share))
        if time.monotonic() >= self.due and _somebody_looks():
            self._show()

    def __enter__(self) -> "live":
        return self

    def __exit__(self, *error) -> None:
        if self.losses:
            self._show()

    def _show(self) -> None:
        from IPython.display import display

        begun = time.monotonic()
        figure = self.draw()[0].figure
        plt.close(figure)  # or the notebook shows it once more at the end of the cell
        if self.handle is None:
            self.handle = display(figure, display_id=True)
        else:
            self.handle.update(figure)
        now = time.monotonic()
        self.due = now + min(max(0.5, 9 * (now - begun)), 3.0)  # the first drawing may take long, and says nothing of others

    def draw(self) -> np.ndarray:
        """Draw what was seen so far, and return the two panels; the axes are those of the whole run from the start."""
        left, right = panels(2, 5.4, 3.6)
        curves(np.arange(1, len(self.losses) + 1), {"loss": self.losses}, self.title, "step", "loss", log="y", ax=left)
        if self.shares:
            places = [step for step, _ in next(iter(self.shares.values()))]
            lines = {name: [share for _, share in seen] for name, seen in self.shares.items()}
            curves(places, lines, ax=right)
        right.set(xlabel="step", ylabel="share right", ylim=(0, 1.05))
        for ax in (left, right):
            ax.set(xlim=(0, self.steps))
            ax.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
            ax.xaxis.set_major_formatter(ScalarFormatter())
        return np.array([left, right])


def _somebody_looks() -> bool:
    return "ipykernel" in sys.modules and os.environ.get("TRANSFORMER_COURSE_PROGRESS") != "off"
