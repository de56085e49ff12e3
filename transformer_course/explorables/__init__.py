"""Pictures to explore with the mouse or the keyboard, in JupyterLab and on pages, without a kernel or a network."""

from .clock import clock
from .drag_tokens import drag_tokens

__all__ = ["clock", "drag_tokens"]
