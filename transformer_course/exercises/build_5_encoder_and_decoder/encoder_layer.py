"""Stage B5: an encoder layer, from self-attention, the feed-forward network and two residual connections."""

import numpy as np

from ..build_4_a_gpt.block import network
from ..kinds import Module
from ..toolkit import mistake, normal
from . import steps
from .steps import encoder_layer as program
from .steps import real_tokens

reference = program()


def _changed_mask(change):
    return program(attention=lambda given, x, mask: steps.self_attention(given, x, change(x, mask)))


def _causal_too(x, mask):
    causal = np.tri(x.shape[1], dtype=bool)
    return causal if mask is None else causal & mask


def _add(given, part, x, sublayer, residual=steps.in_order):
    return residual(given, lambda y: steps.norm_of(given, part, y), x, sublayer)


def _attend(given, x, mask, residual=steps.in_order):
    return _add(given, "attention", x, lambda y: steps.self_attention(given, y, mask), residual)


def _with_network(given, x, residual=steps.in_order):
    return _add(given, "feed_forward", x, lambda y: network(given, y), residual)


def _added_again(given, norm, x, sublayer):
    return x + steps.in_order(given, norm, x, sublayer)


def _reading_x(inputs):
    """A layer whose attention reads inputs(x, y), where y is what the residual connection passes to it."""

    def forward(given, x, mask):
        first = _add(given, "attention", x, lambda y: steps.attend(given, "self_attention", *inputs(x, y), mask))
        return _with_network(given, first)

    return forward


def _draw(rng):
    post = {"d_model": 6, "num_heads": 3, "d_ff": 7, "dropout": 0.5, "norm": "post"}
    pre = {"d_model": 4, "num_heads": 2, "d_ff": 9, "dropout": 0.5, "norm": "pre"}
    return [
        (
            {"d_model": 6, "num_heads": 2, "d_ff": 5},
            [[normal(rng, 2, 5, 6), None], [normal(rng, 3, 4, 6), real_tokens(4, 2, 3)]],
        ),
        (post, [[normal(rng, 3, 4, 6), real_tokens(2, 4, 1)], [normal(rng, 2, 3, 6), None]]),
        (pre, [[normal(rng, 2, 3, 4), real_tokens(3, 2)], [normal(rng, 2, 5, 4), np.tri(5, dtype=bool)]]),
    ]


encoder_layer = Module(
    id="build.encoder_layer",
    answer_name="EncoderLayer",
    prompt="An encoder layer with pre-norm or post-norm: self-attention and a feed-forward network.",
    shapes=steps.encoder_shapes,
    reference=reference,
    draw=_draw,
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
    mistakes=(
        mistake(
            "always pre-norm",
            'Your layer is pre-norm whatever `norm` says. With "post", the sum should be normalised.',
            "Test `self.order` in `Residual.forward`. Does the layer pass `norm` on to both of its residual connections?",
            program(residual=steps.ALWAYS_PRE),
        ),
        mistake(
            "always post-norm",
            'Your layer is post-norm whatever `norm` says. With "pre", only the sublayer\'s input is normalised, and the '
            "residual stream is never rescaled.",
            "Test `self.order` in `Residual.forward`. Does the layer pass `norm` on to both of its residual connections?",
            program(residual=steps.ALWAYS_POST),
        ),
        mistake(
            "pre and post swapped",
            'The two orders are swapped: you normalise the sum with "pre", and the sublayer\'s input with "post".',
            "Pre means before the sublayer, post means after the sum.",
            program(residual=steps.SWAPPED),
        ),
        mistake(
            "attention without the norm",
            "With pre-norm, your attention reads x itself, at least for queries, keys or values. The residual connection "
            "passes the normalised x to the sublayer; use that.",
            "`lambda y: …` gets the normalised x as `y`. Queries, keys and values are all `y`.",
            _reading_x(lambda x, y: (x, x, x)),
            _reading_x(lambda x, y: (y, x, x)),
            _reading_x(lambda x, y: (y, y, x)),
            _reading_x(lambda x, y: (y, x, y)),
            _reading_x(lambda x, y: (x, y, y)),
        ),
        mistake(
            "the output normalised",
            "With post-norm, you normalise what the sublayer returns, then add. The sum itself is never normalised, so the "
            "residual stream keeps growing.",
            "What is inside the brackets of `self.norm(…)`? With post-norm it should be the whole sum.",
            program(residual=steps.OUTPUT_NORMALISED),
        ),
        mistake(
            "the stream normalised",
            "With pre-norm, you add to the normalised x. The sum should start from x itself, so that the residual stream is "
            "never rescaled.",
            "`x + …`: only the sublayer gets the normalised copy.",
            program(residual=steps.STREAM_NORMALISED),
        ),
        mistake(
            "normalised twice",
            "You normalise both the sublayer's input and the sum. Each order has only one of the two.",
            "With pre-norm, the sum stays as it is. With post-norm, the sublayer gets x itself.",
            program(residual=steps.NORM_TWICE),
            program(residual=steps.POST_WITH_NORMALISED_INPUT),
            program(residual=steps.either(pre=lambda norm, x, sublayer: norm(x + sublayer(norm(x))))),
        ),
        mistake(
            "no residual connections",
            "Your sublayers replace x, and nothing is added to it. Whatever a sublayer does not copy is lost.",
            "Add x to the sublayer's output.",
            program(residual=steps.NO_SUM),
            lambda given, x, mask: _with_network(given, _attend(given, x, mask, steps.NO_SUM)),
            lambda given, x, mask: _with_network(given, _attend(given, x, mask), steps.NO_SUM),
        ),
        mistake(
            "no residual connections with post-norm",
            "With post-norm, your sublayers replace x: you normalise what a sublayer returns, without adding x to it.",
            "The sum belongs inside the brackets of `self.norm(…)`.",
            program(residual=steps.NO_SUM_IN_POST),
        ),
        mistake(
            "norms left out",
            "Nothing is normalised: the LayerNorms exist, but are not used.",
            "Call `self.norm` in `Residual.forward`, in both cases.",
            program(residual=steps.NO_NORM),
        ),
        mistake(
            "x added twice",
            "You add x to what a residual connection returns. That already contains x.",
            "What does `Residual` return? Keep it as it is.",
            program(residual=_added_again),
        ),
        mistake(
            "mask ignored",
            "The mask has no effect, so real tokens also look at padding.",
            "`forward` gets the mask. Where does it have to go?",
            _changed_mask(lambda x, mask: None),
        ),
        mistake(
            "mask inverted",
            "You inverted the mask. Here, and in your attention, True means “may attend”.",
            "Pass the mask on as it is.",
            _changed_mask(lambda x, mask: None if mask is None else ~mask),
        ),
        mistake(
            "always causal",
            "Your layer hides later tokens. An encoder sees the whole source at once; only the mask that it is given hides "
            "anything.",
            "Use no mask of your own.",
            _changed_mask(_causal_too),
            _changed_mask(lambda x, mask: np.tri(x.shape[1], dtype=bool)),
        ),
        mistake(
            "feed-forward network first",
            "The feed-forward network comes first, then attention.",
            "Attention first: the network then works on what attention has found.",
            lambda given, x, mask: _attend(given, _with_network(given, x), mask),
        ),
        mistake(
            "the attention output lost",
            "The second sublayer starts from the layer's input again, so the attention output is lost.",
            "Assign the result of the first residual connection to x.",
            lambda given, x, mask: _with_network(given, x),
        ),
        mistake(
            "one norm used twice",
            "Both sublayers use the same residual connection, and so the same LayerNorm. Each should have its own.",
            "`attention_residual` goes around attention, `feed_forward_residual` around the network.",
            program(norms=("attention", "attention")),
            program(norms=("feed_forward", "feed_forward")),
        ),
        mistake(
            "norms swapped",
            "The two residual connections are swapped, and with them their LayerNorms.",
            "`attention_residual` goes around attention, `feed_forward_residual` around the network.",
            program(norms=("feed_forward", "attention")),
        ),
        mistake(
            "no feed-forward network",
            "Your layer returns the result of the first residual connection. The feed-forward network is never used.",
            "The second residual connection goes around `self.feed_forward`.",
            _attend,
        ),
    ),
)
