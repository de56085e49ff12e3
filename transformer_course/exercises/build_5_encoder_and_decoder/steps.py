"""Stage B5: an encoder layer and a decoder layer in steps, of which their mistakes replace some."""

import numpy as np

from ..build_3_several_heads.multi_head import multi_head_attention
from ..build_3_several_heads.multi_head import shapes as attention_shapes
from ..build_4_a_gpt.block import network, under, within
from ..build_4_a_gpt.parts import layer_norm, network_shapes, norm_shapes
from ..kinds import Dropped


def attend(given, part, query, key, value, mask):
    return multi_head_attention(within(given, part), query, key, value, mask)


def norm_of(given, part, x):
    return layer_norm(within(given, f"{part}_residual.norm"), x)


def pre_norm(norm, x, sublayer):
    return x + sublayer(norm(x))


def post_norm(norm, x, sublayer):
    return norm(x + sublayer(x))


def either(pre=pre_norm, post=post_norm):
    """The order that ``norm`` asks for: pre-norm, which is the default, or post-norm."""
    return lambda given, *rest: (pre if given.get("norm", "pre") == "pre" else post)(*rest)


in_order = either()

# Residual connections with a mistake, each as ``wrong(norm, x, sublayer)``.
ALWAYS_PRE, ALWAYS_POST = either(post=pre_norm), either(pre=post_norm)
SWAPPED = either(pre=post_norm, post=pre_norm)
OUTPUT_NORMALISED = either(post=lambda norm, x, sublayer: x + norm(sublayer(x)))
STREAM_NORMALISED = either(pre=lambda norm, x, sublayer: norm(x) + sublayer(norm(x)))
NORM_TWICE = either(
    post=lambda norm, x, sublayer: norm(x + sublayer(norm(x))), pre=lambda norm, x, sublayer: norm(x + sublayer(norm(x)))
)
POST_WITH_NORMALISED_INPUT = either(post=lambda norm, x, sublayer: norm(x + sublayer(norm(x))))
NO_SUM = either(pre=lambda norm, x, sublayer: sublayer(norm(x)), post=lambda norm, x, sublayer: norm(sublayer(x)))
NO_SUM_IN_POST = either(post=lambda norm, x, sublayer: norm(sublayer(x)))
DROPPED = either(pre=lambda norm, x, sublayer: x, post=lambda norm, x, sublayer: norm(x))  # in training, with a dropout of 1
NO_NORM = either(pre=lambda norm, x, sublayer: x + sublayer(x), post=lambda norm, x, sublayer: x + sublayer(x))


def self_attention(given, x, mask):
    return attend(given, "self_attention", x, x, x, mask)


def cross_attention(given, x, memory, mask):
    return attend(given, "cross_attention", x, memory, memory, mask)


def encoder_layer(residual=in_order, attention=self_attention, second=network, norms=("attention", "feed_forward")):
    """An encoder layer with some of its steps replaced."""

    def forward(given, x, mask):
        first_norm, second_norm = (lambda y, part=part: norm_of(given, part, y) for part in norms)
        x = residual(given, first_norm, x, lambda y: attention(given, y, mask))
        return residual(given, second_norm, x, lambda y: second(given, y))

    return forward


PARTS = ("self_attention", "cross_attention", "feed_forward")


def decoder_layer(residual=in_order, own=self_attention, cross=cross_attention, forward=network, order=PARTS, norms=PARTS):
    """A decoder layer with some of its steps replaced; ``norms`` are those of the sublayers in ``order``."""

    def layer(given, x, memory, mask, memory_mask):
        sublayers = {
            "self_attention": lambda y: own(given, y, mask),
            "cross_attention": lambda y: cross(given, y, memory, memory_mask),
            "feed_forward": lambda y: forward(given, y),
        }
        for part, norm in zip(order, norms, strict=True):
            x = residual(given, lambda y, norm=norm: norm_of(given, norm, y), x, sublayers[part])
        return x

    return layer


def encoder_shapes(d_model, num_heads, d_ff, dropout=0.0, norm="pre"):
    return {
        **under("self_attention", attention_shapes(d_model)),
        **under("feed_forward", network_shapes(d_model, d_ff)),
        **under("attention_residual.norm", norm_shapes(d_model)),
        **under("feed_forward_residual.norm", norm_shapes(d_model)),
    }


def decoder_shapes(d_model, num_heads, d_ff, dropout=0.0, norm="pre"):
    norms = [under(f"{part}_residual.norm", norm_shapes(d_model)) for part in PARTS]
    return {
        **under("self_attention", attention_shapes(d_model)),
        **under("cross_attention", attention_shapes(d_model)),
        **under("feed_forward", network_shapes(d_model, d_ff)),
        **{name: shape for each in norms for name, shape in each.items()},
    }


def dropped(layer):
    """What a layer, which takes its residual connections, gives in training mode if everything is dropped."""
    return Dropped(
        layer(residual=DROPPED),
        "what each sublayer returns should become 0 before it is added",
        "`Residual` applies dropout to what the sublayer returns, `self.dropout(sublayer(…))`. Does the layer pass `dropout` "
        "on to each of its residual connections?",
    )


def real_tokens(*lengths):
    """A padding mask (b, 1, m) for sequences of these lengths, padded to the longest."""
    return np.arange(max(lengths)) < np.array(lengths)[:, None, None]
