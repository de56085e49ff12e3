"""Pictures to explore with the mouse or the keyboard, in JupyterLab and on pages, without a kernel or a network."""

from .clock import clock
from .drag_tokens import drag_tokens
from .heads import heads
from .next_token import next_token
from .reward_weights import reward_weights
from .scale import scale

__all__ = ["clock", "drag_tokens", "heads", "next_token", "reward_weights", "scale"]
