"""Every plot of the course, in one style. Takes tensors, arrays and lists; returns matplotlib's Axes."""

from .architecture import architecture
from .asked import asked
from .attention import heatmap, plane
from .chance import beside_chance
from .clock import clock
from .cloud import cloud
from .counts import counts
from .curves import bars, curves
from .live import live
from .progress import progress
from .readings import readings
from .style import panels

__all__ = ["architecture", "asked", "bars", "beside_chance", "clock", "cloud", "counts", "curves", "heatmap", "live",
           "panels", "plane", "progress", "readings"]  # fmt: skip
