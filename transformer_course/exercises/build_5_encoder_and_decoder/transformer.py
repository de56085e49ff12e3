"""Stage B5: a whole Transformer, from two inputs, an encoder, a decoder and an output layer."""

import numpy as np

from ..build_4_a_gpt.block import under
from ..build_4_a_gpt.parts import norm_shapes
from ..kinds import Method, Module
from . import steps, transformer_mistakes
from .transformer_steps import decode, encode, program

PAD = 0


def _roots(config):
    """The parameters that are the same as another one, which comes first."""
    target = "target.embedding.table"
    tied = {"output.weight": target} if config["tied"] else {}
    if config["target_vocabulary_size"] is None:
        tied = {target: "source.embedding.table", **dict.fromkeys(tied, "source.embedding.table")}
    return tied


def _shapes(config):
    d_model, source = config["d_model"], config["vocabulary_size"]
    target = config["target_vocabulary_size"] or source
    sizes = {name: config[name] for name in ("d_model", "num_heads", "d_ff")}
    shapes = {"source.embedding.table": (source, d_model), "target.embedding.table": (target, d_model)}
    for stack, layer_shapes in (("encoder", steps.encoder_shapes), ("decoder", steps.decoder_shapes)):
        for number in range(config["num_layers"]):
            shapes |= under(f"{stack}.layers.{number}", layer_shapes(**sizes))
        if config["norm"] == "pre":
            shapes |= under(f"{stack}.norm", norm_shapes(d_model))
    return {**shapes, "output.weight": (target, d_model)}


def _draw(rng):
    def config(d_model, num_heads, num_layers, d_ff, sizes, **choices):
        given = {"d_model": d_model, "num_heads": num_heads, "num_layers": num_layers, "d_ff": d_ff, "dropout": 0.5}
        source, target = sizes
        given |= {"norm": "pre", "final_norm": None, "max_length": 9}
        return {"config": {**given, "vocabulary_size": source, "target_vocabulary_size": target, "tied": False, **choices}}

    def ids(size, n, lengths):
        """Sequences of these lengths, padded on the right to n tokens."""
        return np.where(np.arange(n) < np.array(lengths)[:, None], rng.integers(1, size, (len(lengths), n)), PAD)

    def call(source, m, lengths, target, n):
        return [ids(source, m, lengths), ids(target, n, [n] * len(lengths))]

    return [
        (config(6, 3, 2, 7, (9, 8)), [call(9, 5, [5, 3], 8, 4), call(9, 4, [2, 4, 3], 8, 4), call(9, 3, [3], 8, 6)]),
        (config(4, 2, 1, 5, (6, 7), tied=True), [call(6, 3, [3, 1], 7, 4)]),
        (config(4, 2, 2, 9, (7, None), norm="post", tied=True), [call(7, 4, [4, 2], 7, 3), call(7, 3, [1, 3], 7, 3)]),
    ]


def _encode(given, source):
    return encode({**given, **given["config"]}, source)


def _decode(given, target, memory, memory_mask):
    return [decode({**given, **given["config"]}, target, memory, memory_mask)]


def _another_memory(given, source, target):
    """A target, with the memory and the mask of the sources in reverse order: not those that were encoded last."""
    return [target, *_encode(given, source[::-1].copy())]


METHODS = (
    Method(
        "encode",
        takes=("source",),
        gives=("the memory", "its mask"),
        used="Decoding calls it once, and hands both to `decode`.",
        inputs=lambda given, source, target: [source],
        reference=_encode,
    ),
    Method(
        "decode",
        takes=("target", "memory", "memory_mask"),
        gives=("the logits",),
        used="Decoding calls it for every new token.",
        inputs=_another_memory,
        reference=_decode,
    ),
)

transformer = Module(
    id="build.transformer",
    answer_name="Transformer",
    prompt="A whole Transformer: it takes a source and a target, and returns logits for the token after each target token.",
    shapes=_shapes,
    tied=_roots,
    reference=program(),
    draw=_draw,
    why="The encoder runs once per source, every decoder layer reads its output, and the masks decide who sees what.",
    hints=(
        "`Stack.forward`: pass x through each layer in turn, with everything in `others`, `x = layer(x, *others)`. Then "
        "apply the norm.",
        "`encode`: the mask is True where the source is not padding, `source != 0`, with an axis for the queries in the "
        "middle: (b, 1, m). The encoder gets the vectors of the source and this mask. Return its output and the mask.",
        "`decode`: the decoder gets the vectors of the target, the memory, a causal mask (n, n) and the memory's mask, in "
        "this order. The output layer turns its result into logits.",
        "`forward` is `self.decode(target, *self.encode(source))`. To tie two modules' parameters, assign one to the other: "
        "`self.output.weight = self.target.embedding.table`.",
    ),
    mistakes=transformer_mistakes.MISTAKES,
    methods=METHODS,
)
