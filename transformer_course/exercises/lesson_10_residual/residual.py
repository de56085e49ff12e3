"""Sheet 10: a residual connection with a norm, in both orders.

Functions cannot be sent to an answer, but names can: the sheet's cell turns them into functions with the table that is here
too.
"""

import numpy as np

from ..exercise import close
from ..families import wiring
from ..kinds import Implement, Property

NAMED = {
    "nothing": lambda x: 0 * x,
    "square": lambda x: x * x,
    "triple and one": lambda x: 3 * x + 1,
    "sum of all tokens": lambda x: 0 * x + x.sum(-2)[..., None, :],
    "halve": lambda x: x / 2,
    "cut off": lambda x: x.clip(-1, 2),
    "less the first": lambda x: x - x[..., :1],
}


def _named(ways):
    """An answer that goes each way around a sublayer by its order: the right one, or one of these. It is given names."""

    def answer(x, sublayer, norm, order):
        return {**wiring.RIGHT, **ways}[order](NAMED[norm], NAMED[sublayer], x)

    return answer


def _in_some_order(wrong):
    """A wrong way in all orders, and in each of them alone."""
    return [_named(wrong), *(_named({order: way}) for order, way in wrong.items() if len(wrong) > 1)]


def _in_both_orders(way):
    return _named(dict.fromkeys(wiring.RIGHT, way))


def _written_into_a_copy(x, sublayer, norm, order):
    total = np.array(x)
    total += NAMED[sublayer](NAMED[norm](x)) if order == "pre" else NAMED[sublayer](x)
    return total if order == "pre" else NAMED[norm](total)


def _draw(rng):
    def tokens(*shape):
        return rng.integers(-4, 5, shape).astype(float) + np.resize([0.0, 0.5, -0.5], shape)  # exact in float32

    return [
        [np.array([[3.0, -2.0, 1.0], [0.0, 4.0, -3.0]]), "triple and one", "halve", "post"],
        [np.array([[3.0, -2.0, 1.0], [0.0, 4.0, -3.0]]), "triple and one", "halve", "pre"],
        [tokens(4, 3), "nothing", "less the first", "pre"],
        [tokens(2, 4, 3), "square", "cut off", "post"],
        [tokens(2, 4, 3), "square", "cut off", "pre"],
        [tokens(1, 5, 2), "sum of all tokens", "less the first", "pre"],
        [tokens(5, 2), "sum of all tokens", "cut off", "post"],
        [tokens(3, 4), "nothing", "cut off", "post"],
    ]


def _passes_what_it_got(result, x, sublayer, norm, order):
    return sublayer != "nothing" or order != "pre" or close(result, x)


residual = Implement(
    id="layers.residual",
    answer_name="residual",
    prompt="A residual connection around any sublayer, with a norm before the sublayer or after the sum.",
    reference=_named({}),
    draw=_draw,
    alternatives=(_written_into_a_copy,),
    properties=(Property('With order "pre", a sublayer that outputs zeros must leave x as it was.', _passes_what_it_got),),
    why="The input is added unchanged, and only the place of the norm differs: before the sublayer, or after the sum.",
    hints=(
        "For each order, say in words what the sublayer reads, what its output is added to, and what happens to the sum.",
        'In "pre", only the sublayer reads norm(x). Its output is added to x itself.',
        'In "post", the sublayer reads x itself, and norm is the very last step.',
    ),
    mistakes={
        "added to the normalised stream": (
            'In "pre", the sum has norm(x) in it, in place of x or beside it. Then every sublayer rescales the stream, so even a '
            "sublayer that outputs zeros would change it.",
            "Only the sublayer should read norm(x). What should its output be added to?",
            _named(wiring.ADDED_TO_THE_COPY),
            _in_both_orders(wiring.ADDED_TO_THE_COPY["pre"]),
            _named(wiring.COPY_ADDED_TOO),
        ),
        "orders swapped": (
            'Your "pre" is post, and your "post" is pre. The word says where norm goes: before the sublayer, or after the '
            "sum.",
            "Which of the two begins with norm?",
            _named(wiring.OTHER_ORDER),
        ),
        "no residual connection": (
            "You return the sublayer's output without adding x to it.",
            "Where is the plus sign?",
            *_in_some_order(wiring.NOT_ADDED),
            *map(_in_both_orders, wiring.NOT_ADDED.values()),
            *_in_some_order(wiring.ONLY_THE_SUBLAYER),
        ),
        "multiplied or subtracted": (
            "You multiply x by the sublayer's output, or subtract one from the other. A residual connection adds.",
            "In each order there is one plus sign.",
            *_in_some_order(wiring.MULTIPLIED),
            *_in_some_order({"pre": lambda norm, f, x: x - f(norm(x)), "post": lambda norm, f, x: norm(x - f(x))}),
        ),
        "norm on the sublayer's output": (
            "You applied norm to the sublayer's output, before adding it. Neither order does that.",
            "Follow x on its way through the formula of each order, and note what each function reads.",
            *_in_some_order(wiring.OUTPUT_NORMALISED),
            _named({"pre": lambda norm, f, x: x + norm(f(norm(x)))}),
        ),
        **{
            f"always {order}": (
                f'Both orders give the "{order}" result.',
                f'How does your function find out which order is asked for? In "{other}", norm comes {where}.',
                _in_both_orders(wiring.RIGHT[order]),
            )
            for order, other, where in (("pre", "post", "last"), ("post", "pre", "before the sublayer"))
        },
        "norm in both places": (
            "In one of the orders, you applied norm twice: before the sublayer and after the sum.",
            'In "pre", nothing happens to the sum. In "post", the sublayer reads x itself.',
            *_in_some_order(wiring.NORMALISED_TWICE),
        ),
        "norm of x instead of the sum": (
            'In "post", you applied norm to x alone and then added the sublayer\'s output.',
            "Put brackets around the sum.",
            _named({"post": lambda norm, f, x: norm(x) + f(x)}),
            _named({"post": lambda norm, f, x: norm(x) + f(norm(x))}),
        ),
        "norm left out": (
            "In at least one of the orders, you never apply norm: your result is x plus the sublayer's output for x.",
            "Each order applies norm exactly once.",
            *_in_some_order(wiring.NOT_NORMALISED),
        ),
        "x added twice": (
            "In at least one of the orders, you add x a second time, to a sum that contains it already.",
            "In each order there is one plus sign.",
            *_in_some_order(wiring.ADDED_TWICE),
        ),
    },
)
