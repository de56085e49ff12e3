"""Stage B4: a pre-norm block, from attention, a feed-forward network, two LayerNorms and two residual connections."""

from functools import partial

from ..build_3_several_heads.multi_head import multi_head_attention
from ..build_3_several_heads.multi_head import program as attention_with
from ..build_3_several_heads.multi_head import shapes as attention_shapes
from ..families import adapted, mask, named
from ..families.wiring import in_turn, wiring
from ..kinds import Module
from ..toolkit import normal
from .parts import feed_forward, layer_norm, network_shapes, norm_shapes


def within(given, part):
    """The sizes, and the weights of a part of a module under the names that they have inside it."""
    prefix = f"{part}."
    return {name.removeprefix(prefix): each for name, each in given.items() if "." not in name or name.startswith(prefix)}


def under(part, shapes):
    """The shapes of a part of a module, under the names that they have outside it."""
    return {f"{part}.{name}": shape for name, shape in shapes.items()}


def part(name, forward):
    """The forward pass of a part, from the weights of the module that it is in."""
    return lambda given, x: forward(within(given, name), x)


network = part("feed_forward", feed_forward)
norms = part("norm_1", layer_norm), part("norm_2", layer_norm)


def to_itself(attention, given, mask):
    """Self-attention, which a mistake may also give other keys and values."""

    def attend(query, key=None, value=None):
        return attention(given, query, query if key is None else key, query if value is None else value, mask)

    return attend


def program(
    wire=in_turn,
    causal=mask.causal_mask,
    attention=multi_head_attention,
    network=network,
    norms=norms,
):
    """A pre-norm block with some of its parts replaced. ``causal`` makes the mask of n tokens."""

    def forward(given, x):
        attend = to_itself(attention, within(given, "attention"), causal(x.shape[1]))
        normalise = [lambda y, norm=norm: norm(given, y) for norm in norms]
        return wire("pre", normalise, (attend, lambda y: network(given, y)), x)

    return forward


block_forward = program()


def _hiding_a_row(name):
    """A block with this wrong mask, which hides all keys from a query, where attention hides them by a low number."""
    (wrong,) = (each.answer for each in named(mask.CAUSAL, name))
    return {name: (program(causal=wrong, attention=attention_with(hide=mask.filled(-1e9))),)}


def shapes(d_model, num_heads, d_ff):
    return {
        **under("norm_1", norm_shapes(d_model)),
        **under("attention", attention_shapes(d_model)),
        **under("norm_2", norm_shapes(d_model)),
        **under("feed_forward", network_shapes(d_model, d_ff)),
    }


in_block = partial(
    wiring,
    ("attention", "the feed-forward network"),
    orders=("pre",),
    norms="`norm_1` comes before attention, `norm_2` before the feed-forward network.",
)

block = Module(
    id="build.block",
    answer_name="Block",
    prompt="A causal pre-norm block: attention and a feed-forward network, each with a LayerNorm and a residual connection.",
    shapes=shapes,
    reference=block_forward,
    draw=lambda rng: [
        ({"d_model": 6, "num_heads": 3, "d_ff": 7}, [[normal(rng, 2, 5, 6)], [normal(rng, 3, 3, 6)], [normal(rng, 2, 7, 6)]]),
        ({"d_model": 4, "num_heads": 2, "d_ff": 9}, [[normal(rng, 3, 4, 4)]]),
    ],
    optional={"dropout": 0.5},
    why="Each sublayer only adds to its input, so gradients have a direct path back through any number of blocks.",
    hints=(
        "In `__init__`, create the four parts with the names from the exercise. You have written all of their classes.",
        "Pre-norm: normalise x, pass the result through attention, and add the output to x itself, not to the normalised x.",
        "Then do the same with `norm_2` and `feed_forward`, starting from that sum. Query, key and value of attention are all "
        "the normalised x, and its mask is `causal`, from the given lines.",
    ),
    mistakes={
        "no causal mask": (
            "The block looks into the future: attention gets no mask. In training the model would see the characters that "
            "it should predict.",
            "Pass `causal`, from the given lines, as the mask.",
            program(causal=lambda n: None),
        ),
        **adapted(
            mask.CAUSAL,
            lambda wrong: program(causal=wrong),
            but=("everything allowed",),
            more=_hiding_a_row("True for what is forbidden")
            | _hiding_a_row("the diagonal excluded")
            | _hiding_a_row("everything forbidden"),
        ),
        **adapted(
            in_block(copy="Query, key and value of attention are all the normalised x."),
            lambda wire: program(wire=wire),
        ),
    },
)
