"""Stage B5: an encoder layer, from self-attention, the feed-forward network and two residual connections."""

import numpy as np

from ..families import adapted
from ..families.wiring import wiring
from ..kinds import Module
from ..toolkit import normal
from . import steps
from .steps import encoder_layer as program
from .steps import real_tokens

encoder_layer = Module(
    id="build.encoder_layer",
    answer_name="EncoderLayer",
    prompt="An encoder layer with pre-norm or post-norm: self-attention and a feed-forward network.",
    shapes=steps.encoder_shapes,
    reference=program(),
    draw=lambda rng: [
        (
            {"d_model": 6, "num_heads": 2, "d_ff": 5},
            [[normal(rng, 2, 5, 6), None], [normal(rng, 3, 4, 6), real_tokens(4, 2, 3)]],
        ),
        (steps.POST, [[normal(rng, 3, 4, 6), real_tokens(2, 4, 1)], [normal(rng, 2, 3, 6), None]]),
        (steps.PRE, [[normal(rng, 2, 3, 4), real_tokens(3, 2)], [normal(rng, 2, 5, 4), np.tri(5, dtype=bool)]]),
    ],
    dropped=steps.dropped(program),
    why="Both sublayers use the same `Residual` class, so one argument switches the whole layer between pre-norm "
    "and post-norm.",
    hints=(
        "Start with `Residual`. Pre-norm: normalise x, call the sublayer, apply dropout, and add the result to x. "
        "Post-norm: call the sublayer on x itself, apply dropout, add, and normalise the sum.",
        "`EncoderLayer.__init__` creates four parts with the names in the text. Each of the two residual connections is "
        "a separate `Residual(d_model, dropout, norm)`.",
        "In `forward`, pass x and a function to each residual connection: first `lambda y: self.self_attention(y, y, y, "
        "mask)`, then `self.feed_forward`. Keep what each returns: `x = self.attention_residual(x, …)`.",
    ),
    mistakes={
        "mask ignored": (
            "The mask has no effect, so real tokens also look at padding.",
            "`forward` gets the mask. Where does it have to go?",
            program(mask=lambda mask, x: None),
        ),
        "mask inverted": (
            "You inverted the mask. Here, and in your attention, True means “may attend”.",
            "Pass the mask on as it is.",
            program(mask=lambda mask, x: None if mask is None else ~mask),
        ),
        "always causal": (
            "Your layer hides later tokens. An encoder sees the whole source at once; only the mask that it is given hides "
            "anything.",
            "Use no mask of your own.",
            program(mask=lambda mask, x: np.tri(x.shape[1], dtype=bool) & (True if mask is None else mask)),
            program(mask=lambda mask, x: np.tri(x.shape[1], dtype=bool)),
        ),
        **adapted(wiring(("attention", "the feed-forward network"), **steps.HINTS), lambda wire: program(wire=wire)),
    },
)
