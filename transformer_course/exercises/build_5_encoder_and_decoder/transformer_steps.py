"""Stage B5: a Transformer in steps, of which its mistakes replace some."""

import numpy as np

from ..build_2_one_head.causal_head import linear
from ..build_4_a_gpt.block import within
from ..build_4_a_gpt.parts import layer_norm
from . import steps
from .text_input import text_vectors

PAD = 0
LAYERS = {"encoder": steps.encoder_layer(), "decoder": steps.decoder_layer()}


def padding(source):
    return (source != PAD)[:, None, :]


def causal(n):
    return np.tri(n, dtype=bool)


def vectors(given, side, tokens):
    return text_vectors(within(given, side), tokens)


def final_norm(given, stack, x):
    return layer_norm(within(given, f"{stack}.norm"), x) if f"{stack}.norm.gamma" in given else x


def run(given, stack, x, *others, order=range, norm=final_norm):
    """The layers of a stack, one after another, then its final norm."""
    for number in order(given["num_layers"]):
        x = LAYERS[stack](within(given, f"{stack}.layers.{number}"), x, *others)
    return norm(given, stack, x)


def encode(given, source, embed=vectors, mask=padding, **changes):
    """The memory and its mask, with some of the encoder's steps replaced."""
    return run(given, "encoder", embed(given, "source", source), mask(source), **changes), padding(source)


def decode(given, target, memory, memory_mask, embed=vectors, mask=causal, **changes):
    """Logits, with some of the decoder's steps replaced."""
    x = run(given, "decoder", embed(given, "target", target), memory, mask(target.shape[1]), memory_mask, **changes)
    return linear(given, "output", x)


def program(encode=encode, decode=decode, last=lambda logits: logits):
    """A Transformer with some of its steps replaced."""

    def forward(given, source, target):
        given = {**given, **given["config"]}
        return last(decode(given, target, *encode(given, source)))

    return forward
