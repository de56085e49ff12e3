"""Sheet 10: a residual connection with a norm, in both orders.

Functions cannot be sent to an answer, but names can: the sheet's cell turns them into functions with the table that is here
too.
"""

import numpy as np

from ..exercise import Mistake, close
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


def by_name(pre, post=None):
    """An answer of ``(x, f, n)`` for the orders "pre" and "post", as one that is given names."""

    def answer(x, sublayer, norm, order):
        return (pre if order == "pre" or post is None else post)(x, NAMED[sublayer], NAMED[norm])

    return answer


def _pre(x, f, n):
    return x + f(n(x))


def _post(x, f, n):
    return n(x + f(x))


def _in_steps(x, sublayer, norm, order):
    f, n = NAMED[sublayer], NAMED[norm]
    total = x + f(n(x) if order == "pre" else x)
    return n(total) if order == "post" else total


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
        [tokens(5, 2), "sum of all tokens", "less the first", "pre"],
        [tokens(5, 2), "sum of all tokens", "cut off", "post"],
        [tokens(3, 4), "nothing", "cut off", "post"],
    ]


def _passes_what_it_got(result, x, sublayer, norm, order):
    return sublayer != "nothing" or order != "pre" or close(result, x)


residual = Implement(
    id="layers.residual",
    answer_name="residual",
    prompt="A residual connection around any sublayer, with a norm before the sublayer or after the sum.",
    reference=by_name(_pre, _post),
    draw=_draw,
    alternatives=(_in_steps, _written_into_a_copy),
    properties=(Property('With order "pre", a sublayer that outputs zeros must leave x as it was.', _passes_what_it_got),),
    why="The input is added unchanged, and only the place of the norm differs: before the sublayer, or after the sum.",
    hints=(
        "For each order, say in words what the sublayer reads, what its output is added to, and what happens to the sum.",
        'In "pre", only the sublayer reads norm(x). Its output is added to x itself.',
        'In "post", the sublayer reads x itself, and norm is the very last step.',
    ),
    mistakes=(
        Mistake(
            "added to the normalised stream",
            'In "pre", you add to norm(x). Then every sublayer rescales the stream, so even a sublayer that outputs '
            "zeros would change it.",
            "Only the sublayer should read norm(x). What should its output be added to?",
            by_name(lambda x, f, n: n(x) + f(n(x)), _post),
            variants=(by_name(lambda x, f, n: n(x) + f(n(x))),),
        ),
        Mistake(
            "orders swapped",
            'Your "pre" is post, and your "post" is pre. The word says where norm goes: before the sublayer, or '
            "after the sum.",
            "Which of the two begins with norm?",
            by_name(_post, _pre),
        ),
        Mistake(
            "no residual connection",
            "You return the sublayer's output without adding x to it.",
            "Where is the plus sign?",
            by_name(lambda x, f, n: f(n(x)), lambda x, f, n: n(f(x))),
            variants=(
                by_name(lambda x, f, n: f(n(x)), _post),
                by_name(_pre, lambda x, f, n: n(f(x))),
                by_name(lambda x, f, n: f(n(x))),
                by_name(lambda x, f, n: n(f(x))),
                by_name(lambda x, f, n: f(x)),
            ),
        ),
        Mistake(
            "norm on the sublayer's output",
            "You applied norm to the sublayer's output, before adding it. Neither order does that.",
            "Follow x on its way through the formula of each order, and note what each function reads.",
            by_name(lambda x, f, n: x + n(f(x))),
            variants=(
                by_name(lambda x, f, n: x + n(f(x)), _post),
                by_name(_pre, lambda x, f, n: x + n(f(x))),
                by_name(lambda x, f, n: x + n(f(n(x))), _post),
            ),
        ),
        Mistake(
            "always pre",
            'Both orders give the "pre" result.',
            'How does your function find out which order is asked for? In "post", norm comes last.',
            by_name(_pre),
        ),
        Mistake(
            "always post",
            'Both orders give the "post" result.',
            'How does your function find out which order is asked for? In "pre", norm comes before the sublayer.',
            by_name(_post),
        ),
        Mistake(
            "norm in both places",
            "In one of the orders, you applied norm twice: before the sublayer and after the sum.",
            'In "pre", nothing happens to the sum. In "post", the sublayer reads x itself.',
            by_name(lambda x, f, n: n(x + f(n(x)))),
            variants=(by_name(lambda x, f, n: n(x + f(n(x))), _post), by_name(_pre, lambda x, f, n: n(x + f(n(x))))),
        ),
        Mistake(
            "norm of x instead of the sum",
            'In "post", you applied norm to x alone and then added the sublayer\'s output.',
            "Put brackets around the sum.",
            by_name(_pre, lambda x, f, n: n(x) + f(x)),
            variants=(by_name(_pre, lambda x, f, n: n(x) + f(n(x))),),
        ),
        Mistake(
            "norm left out",
            "In at least one of the orders, you never apply norm: your result is x plus the sublayer's output for x.",
            "Each order applies norm exactly once.",
            by_name(lambda x, f, n: x + f(x)),
            variants=(by_name(_pre, lambda x, f, n: x + f(x)), by_name(lambda x, f, n: x + f(x), _post)),
        ),
        Mistake(
            "x added twice",
            'In "post", you add x once inside norm, and a second time outside.',
            "In each order there is one plus sign.",
            by_name(_pre, lambda x, f, n: x + n(x + f(x))),
        ),
    ),
)
