"""Stage B4: a pre-norm block, from attention, a feed-forward network, two LayerNorms and two residual connections."""

import numpy as np

from ..build_3_several_heads.multi_head import apply_mask, multi_head_attention
from ..build_3_several_heads.multi_head import program as attention_with_mask
from ..build_3_several_heads.multi_head import shapes as attention_shapes
from ..kinds import Module
from ..toolkit import mistake, normal, softmax
from .parts import feed_forward, layer_norm, network_shapes, norm_shapes


def within(given, part):
    """The sizes, and the weights of a part of a module under the names that they have inside it."""
    inside = {name.removeprefix(f"{part}."): value for name, value in given.items() if name.startswith(f"{part}.")}
    return {**{name: value for name, value in given.items() if "." not in name}, **inside}


def under(part, shapes):
    """The shapes of a part of a module, under the names that they have outside it."""
    return {f"{part}.{name}": shape for name, shape in shapes.items()}


def attention(given, x, mask=np.tri):
    masked = None if mask is None else mask(x.shape[1]).astype(bool)
    return multi_head_attention(within(given, "attention"), x, x, x, masked)


def network(given, x):
    return feed_forward(within(given, "feed_forward"), x)


def norm(number):
    return lambda given, x: layer_norm(within(given, f"norm_{number}"), x)


first_norm, second_norm = norm(1), norm(2)


def program(first=attention, second=network, norm_1=first_norm, norm_2=second_norm, add_1=True, add_2=True):
    """A pre-norm block with some of its parts replaced."""

    def forward(given, x):
        x = add_1 * x + first(given, norm_1(given, x))
        return add_2 * x + second(given, norm_2(given, x))

    return forward


block_forward = program()


def _no_norm(given, x):
    return x


def _post_norm(given, x):
    x = first_norm(given, x + attention(given, x))
    return second_norm(given, x + network(given, x))


def _normed_stream(given, x):
    """The norm replaces the stream, so what is added is added to its output."""
    x = first_norm(given, x)
    x = x + attention(given, x)
    x = second_norm(given, x)
    return x + network(given, x)


def _first_sum_with_the_copy(given, x):
    y = first_norm(given, x)
    x = y + attention(given, y)
    return x + network(given, second_norm(given, x))


def _second_sum_with_the_copy(given, x):
    x = x + attention(given, first_norm(given, x))
    y = second_norm(given, x)
    return y + network(given, y)


def _copy_added_too(given, x):
    y = first_norm(given, x)
    x = x + y + attention(given, y)
    return x + network(given, second_norm(given, x))


def _copy_added_too_in_both(given, x):
    y = first_norm(given, x)
    x = x + y + attention(given, y)
    y = second_norm(given, x)
    return x + y + network(given, y)


def _partly_normalised(*normalised):
    """Attention with the normalised copy only for those of query, key and value that are True here."""

    def forward(given, x):
        inside, causal = within(given, "attention"), np.tri(x.shape[1], dtype=bool)
        y = first_norm(given, x)
        x = x + multi_head_attention(inside, *(y if each else x for each in normalised), causal)
        return x + network(given, second_norm(given, x))

    return forward


def _second_norm_of(chosen, kept=True):
    """The feed-forward network works on ``chosen(x, copy, attention output)``; ``kept`` if that output is in the last sum."""

    def forward(given, x):
        y = first_norm(given, x)
        found = attention(given, y)
        return x + kept * found + network(given, second_norm(given, chosen(x, y, found)))

    return forward


def _multiplied(given, x):
    x = x * attention(given, first_norm(given, x))
    return x * network(given, second_norm(given, x))


def _output_normalised(given, x):
    x = x + first_norm(given, attention(given, x))
    return x + network(given, second_norm(given, x))


def _outputs_normalised(given, x):
    x = x + first_norm(given, attention(given, x))
    return x + second_norm(given, network(given, x))


def _hidden_is_true(hidden):
    """A mask with True above the diagonal, where attention expects True = may attend, and fills in ``hidden``."""

    def masked(given, x):
        inside, above = within(given, "attention"), ~np.tri(x.shape[1], dtype=bool)
        return attention_with_mask(weigh=lambda scores, _: softmax(apply_mask(scores, above, hidden)))(inside, x, x, x, above)

    return program(first=masked)


def _parallel(given, x):
    return x + attention(given, first_norm(given, x)) + network(given, second_norm(given, x))


def _from_the_input(given, x):
    return x + network(given, second_norm(given, x + attention(given, first_norm(given, x))))


def shapes(d_model, num_heads, d_ff):
    return {
        **under("norm_1", norm_shapes(d_model)),
        **under("attention", attention_shapes(d_model)),
        **under("norm_2", norm_shapes(d_model)),
        **under("feed_forward", network_shapes(d_model, d_ff)),
    }


def _draw(rng):
    return [
        ({"d_model": 6, "num_heads": 3, "d_ff": 7}, [[normal(rng, 2, 5, 6)], [normal(rng, 3, 3, 6)], [normal(rng, 2, 7, 6)]]),
        ({"d_model": 4, "num_heads": 2, "d_ff": 9}, [[normal(rng, 3, 4, 4)]]),
    ]


block = Module(
    id="build.block",
    answer_name="Block",
    prompt="A causal pre-norm block: attention and a feed-forward network, each with a LayerNorm and a residual connection.",
    shapes=shapes,
    reference=block_forward,
    draw=_draw,
    optional={"dropout": 0.5},
    why="Each sublayer only adds to its input, so gradients have a direct path back through any number of blocks.",
    hints=(
        "In `__init__`, create the four parts with the names from the exercise. You have written all of their classes.",
        "Pre-norm: normalise x, pass the result through attention, and add the output to x itself, not to the normalised x.",
        "Then do the same with `norm_2` and `feed_forward`, starting from that sum. Query, key and value of attention are all "
        "the normalised x, and its mask is `causal`, from the given lines.",
    ),
    mistakes=(
        mistake(
            "no causal mask",
            "The block looks into the future: attention gets no mask. In training the model would see the characters that "
            "it should predict.",
            "Pass `causal`, from the given lines, as the mask.",
            program(first=lambda given, x: attention(given, x, None)),
        ),
        mistake(
            "mask upside down",
            "Each token attends to itself and to later tokens: the mask is the wrong way round.",
            "`tril` keeps True on and below the diagonal: these are the tokens that each token may see.",
            program(first=lambda given, x: attention(given, x, lambda n: np.tri(n).T)),
        ),
        mistake(
            "True hides",
            "In your mask, True means “hide”, but here it means “may attend”. So each token sees only later ones, and the "
            "last token sees nothing.",
            "Use `tril()`: True on the diagonal and below it.",
            _hidden_is_true(-np.inf),
            _hidden_is_true(-1e9),
        ),
        mistake(
            "only the query normalised",
            "Attention gets the normalised copy as its query only. The keys and values grow with the residual stream, and "
            "so do the scores.",
            "Query, key and value are all the normalised copy.",
            _partly_normalised(True, False, False),
        ),
        mistake(
            "not all three normalised",
            "Attention gets the normalised copy for some of its three inputs, and x itself for the others.",
            "Query, key and value are all the normalised copy.",
            _partly_normalised(True, True, False),
            _partly_normalised(True, False, True),
            _partly_normalised(False, True, True),
            _partly_normalised(False, False, True),
            _partly_normalised(False, True, False),
        ),
        mistake(
            "the second norm applied to the wrong tensor",
            "The feed-forward network should work on the normalised *sum* of x and the attention output. You normalised only "
            "one part of it.",
            "Assign the sum to x, then normalise x with `norm_2`.",
            _second_norm_of(lambda x, y, found: y),
            _second_norm_of(lambda x, y, found: found),
            _second_norm_of(lambda x, y, found: y + found),
        ),
        mistake(
            "only the attention output normalised",
            "The feed-forward network sees only the attention output, and its result is added to the block's input. The "
            "attention output itself is lost.",
            "Assign the first sum to x, and go on with x.",
            _second_norm_of(lambda x, y, found: found, kept=False),
        ),
        mistake(
            "the input added twice",
            "You add the block's input a second time in the second sum, although the first sum contains it already.",
            "The second sum has two terms: x, which is now the first sum, and the output of the network.",
            lambda given, x: x + block_forward(given, x),
        ),
        mistake(
            "multiplied in place of added",
            "You multiply x by the output of a sublayer. A residual connection adds.",
            "Write `x = x + …`.",
            _multiplied,
        ),
        mistake(
            "the output normalised",
            "You normalise what the sublayer returns. Its input grows with the residual stream, and every update is forced "
            "to the same size.",
            "The norm comes before the sublayer: normalise x, and pass on the copy.",
            _output_normalised,
            _outputs_normalised,
        ),
        mistake(
            "the copy added too",
            "You add x, the normalised copy and the output of the sublayer. The copy is only what the sublayer works on; it "
            "does not belong in the residual stream.",
            "Look at the sum: it has two terms, not three.",
            _copy_added_too,
            _copy_added_too_in_both,
        ),
        mistake(
            "one sum with the copy",
            "In one of the two sums you add to the normalised copy, not to x itself, which rescales the residual stream.",
            "What does each `+` start from? Both start from x.",
            _first_sum_with_the_copy,
            _second_sum_with_the_copy,
        ),
        mistake(
            "post-norm",
            "You normalise after each sum, as in the original Transformer. That is post-norm; this block is pre-norm, "
            "which leaves the residual stream untouched.",
            "Normalise what goes into attention and into the feed-forward network, not the sums.",
            _post_norm,
        ),
        mistake(
            "the stream normalised",
            "You add to the normalised x, not to x itself, so the residual stream is rescaled at every norm.",
            "`x = x + self.attention(…)`, with the norm only inside the brackets.",
            _normed_stream,
        ),
        mistake(
            "no residual connection around attention",
            "You pass on what attention returns, without adding it to x. Whatever attention does not copy is lost.",
            "Add the result to x.",
            program(add_1=False),
        ),
        mistake(
            "no residual connection around the feed-forward network",
            "You pass on what the feed-forward network returns, without adding it. Whatever it does not copy is lost.",
            "Add the result to x.",
            program(add_2=False),
        ),
        mistake(
            "no residual connections",
            "The block passes on only what its parts return; x itself is never added. Deep stacks of such blocks hardly "
            "learn.",
            "Add the result of each part to its input.",
            program(add_1=False, add_2=False),
        ),
        mistake(
            "norms left out",
            "The norms exist, but are not used.",
            "Normalise what goes into each part.",
            program(norm_1=_no_norm, norm_2=_no_norm),
        ),
        mistake(
            "a norm left out",
            "One of the two norms is not used.",
            "`norm_1` comes before attention, `norm_2` before the feed-forward network.",
            program(norm_1=_no_norm),
            program(norm_2=_no_norm),
        ),
        mistake(
            "one norm used twice",
            "Both parts use the same norm. Each has its own gamma and beta.",
            "`norm_1` comes before attention, `norm_2` before the feed-forward network.",
            program(norm_2=first_norm),
            program(norm_1=second_norm),
        ),
        mistake(
            "norms swapped",
            "The two norms are swapped.",
            "`norm_1` comes before attention, `norm_2` before the feed-forward network.",
            program(norm_1=second_norm, norm_2=first_norm),
        ),
        mistake(
            "feed-forward network first",
            "The feed-forward network comes first, then attention.",
            "Attention first: the network then works on what attention has found.",
            program(first=network, second=attention),
            program(first=network, second=attention, norm_1=second_norm, norm_2=first_norm),
        ),
        mistake(
            "both parts from the input",
            "Both parts get the block's input, in parallel. Some models do that, but here the feed-forward network gets "
            "the sum that includes the attention output.",
            "Assign the first sum to x before you go on.",
            _parallel,
        ),
        mistake(
            "the attention output not kept",
            "The feed-forward network sees the sum with the attention output, but its result is added to the block's "
            "input, so the attention output itself is lost.",
            "Assign the first sum to x, and add to that.",
            _from_the_input,
        ),
    ),
)
