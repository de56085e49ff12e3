"""The plots of the course, all in one style. They take tensors, arrays or lists, and return matplotlib's Axes."""

from .architecture import architecture
from .attention import heatmap, plane
from .chance import beside_chance
from .clock import clock
from .counts import counts
from .curves import bars, curves
from .differences import differences
from .images import images
from .ladder import ladder
from .live import live
from .logit_lens import logit_lens
from .model_map import progress
from .scatter_hull import scatter_hull
from .schematics import schematic
from .style import panels
from .token_labels import token_labels

__all__ = ["architecture", "bars", "beside_chance", "clock", "counts", "curves", "differences", "heatmap", "images", "ladder",
           "live", "logit_lens", "panels", "plane", "progress", "scatter_hull", "schematic", "token_labels"]  # fmt: skip
