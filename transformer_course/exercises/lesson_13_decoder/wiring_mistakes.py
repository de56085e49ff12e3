"""What goes wrong between the parts of a decoder layer: order, residual connections, norms."""

from dataclasses import replace

from ..exercise import Mistake
from .steps import numbered, post_norm, program


def _pre_norm(p, x):
    x = x + p.own(p.norm(1, x))
    x = x + p.cross(p.norm(2, x))
    return x + p.forward(p.norm(3, x))


def _pre_norm_only(*numbers):
    """The sublayers with these numbers are wired as in pre-norm, the others as in post-norm."""

    def wiring(p, x):
        for number, sublayer in enumerate((p.own, p.cross, p.forward), 1):
            x = x + sublayer(p.norm(number, x)) if number in numbers else p.norm(number, x + sublayer(x))
        return x

    return wiring


def _norm_before_the_sum(p, x):
    x = x + p.norm(1, p.own(x))
    x = x + p.norm(2, p.cross(x))
    return x + p.norm(3, p.forward(x))


def _input_added_once(p, x):
    one = p.norm(1, x + p.own(x))
    two = p.norm(2, x + p.cross(one))
    return p.norm(3, two + p.forward(two))


def _norm_inside(*numbers):
    """The sublayers with these numbers are normalised before they are added, the others after."""

    def wiring(p, x):
        for number, sublayer in enumerate((p.own, p.cross, p.forward), 1):
            made = sublayer(x)
            x = x + p.norm(number, made) if number in numbers else p.norm(number, x + made)
        return x

    return wiring


def _without_residual(*sublayers):
    def wiring(p, x):
        for k, name in enumerate(("own", "cross", "forward"), 1):
            made = getattr(p, name)(x)
            x = p.norm(k, made if name in sublayers else x + made)
        return x

    return wiring


def _input_added_each_time(p, x):
    one = p.norm(1, x + p.own(x))
    two = p.norm(2, x + p.cross(one))
    return p.norm(3, x + p.forward(two))


def _third_sum_with(pick_stream):
    """The third sum adds an earlier stream: the layer's input or the stream after the first sublayer."""

    def wiring(p, x):
        one = p.norm(1, x + p.own(x))
        two = p.norm(2, one + p.cross(one))
        return p.norm(3, pick_stream(x, one) + p.forward(two))

    return wiring


def _in_order(names, norms):
    """The sublayers one after the other in another order, with these norms."""

    def wiring(p, x):
        for name, k in zip(names, norms, strict=True):
            x = p.norm(k, x + getattr(p, name)(x))
        return x

    return wiring


def _side_by_side(p, x):
    x = p.norm(2, p.norm(1, x + p.own(x)) + p.cross(x))
    return p.norm(3, x + p.forward(x))


def _both_added_at_once(p, x):
    x = p.norm(1, x + p.own(x) + p.cross(x))
    return p.norm(3, x + p.forward(x))


def _no_norm_but_the_last(p, x):
    x = x + p.own(x)
    x = x + p.cross(x)
    return p.norm(3, x + p.forward(x))


def _without_norm(*numbers):
    return lambda p, x: post_norm(replace(p, norm=lambda k, y: y if k in numbers else p.norm(k, y)), x)


def _with_norms(*numbers):
    return lambda p, x: post_norm(numbered(p, *numbers), x)


ORDER = (
    Mistake(
        "cross-attention first",
        "You attend to the source before the target's own tokens. There is no error, since all three sublayers take "
        "and return the same shape.",
        "On the map of the layer, which sublayer is the lowest?",
        program(_in_order(("cross", "own", "forward"), (1, 2, 3))),
        variants=(program(_in_order(("cross", "own", "forward"), (2, 1, 3))),),
    ),
    Mistake(
        "the feed-forward network too early",
        "In your layer, the feed-forward network comes before one of the attentions.",
        "On the map of the layer, which sublayer is the highest?",
        program(_in_order(("own", "forward", "cross"), (1, 2, 3))),
        variants=(
            program(_in_order(("own", "forward", "cross"), (1, 3, 2))),
            program(_in_order(("forward", "own", "cross"), (1, 2, 3))),
            program(_in_order(("forward", "own", "cross"), (3, 1, 2))),
        ),
    ),
    Mistake(
        "queries from the layer's input",
        "You computed the queries of cross-attention from the layer's input x, so self-attention has no effect on them.",
        "After the first sublayer and its norm, does anything still need the old x?",
        program(_side_by_side),
        variants=(program(_both_added_at_once),),
    ),
    Mistake(
        "no cross-attention",
        "Your layer never reads the memory. It is an encoder layer with a mask.",
        "There is a third sublayer between self-attention and the feed-forward network.",
        program(_in_order(("own", "forward"), (1, 3))),
        variants=(program(_in_order(("own", "forward"), (1, 2))),),
    ),
    Mistake(
        "no self-attention",
        "Your layer attends only to the source, so the target's tokens never see each other.",
        "Which weights and which mask have you not used?",
        program(_in_order(("cross", "forward"), (2, 3))),
        variants=(program(_in_order(("cross", "forward"), (1, 2))), program(_in_order(("cross", "forward"), (1, 3)))),
    ),
    Mistake(
        "no feed-forward network",
        "The feed-forward network and its norm are missing.",
        "There are three sublayers. Which of them uses w1 and w2?",
        program(_in_order(("own", "cross"), (1, 2))),
        variants=(program(_in_order(("own", "cross"), (1, 3))),),
    ),
)

RESIDUAL = (
    Mistake(
        "no residual around cross-attention",
        "The output of cross-attention replaces the residual stream. So everything that the target knew about itself "
        "is lost at this point.",
        "The second sublayer is norm(x + the output of cross-attention).",
        program(_without_residual("cross")),
    ),
    Mistake(
        "no residual around self-attention",
        "The output of self-attention replaces the residual stream.",
        "Add the input of self-attention to its output, then normalise.",
        program(_without_residual("own")),
    ),
    Mistake(
        "no residual around the feed-forward network",
        "The output of the feed-forward network replaces the residual stream.",
        "Add the input of the feed-forward network to its output, then normalise.",
        program(_without_residual("forward")),
    ),
    Mistake(
        "no residual connections",
        "Each sublayer passes on only its own output, so its input is lost.",
        "Each sublayer is norm(x + f(x)).",
        program(_without_residual("own", "cross", "forward")),
        variants=(program(_without_residual("own", "cross")),),
    ),
    Mistake(
        "the layer's input added each time",
        "In the second or third sum, or in both, you add an earlier version of the residual stream, so what was added since then is lost.",
        "Give each intermediate result its own name. Which one does each sublayer read?",
        program(_input_added_each_time),
        variants=(
            program(_input_added_once),
            program(_third_sum_with(lambda x, one: x)),
            program(_third_sum_with(lambda x, one: one)),
        ),
    ),
)

NORMS = (
    Mistake(
        "pre-norm",
        "You normalise before each sublayer: x + f(norm(x)). That is pre-norm, which works well, but it is not what the "
        "task asks for.",
        "The task asks for post-norm: each sublayer should be norm(x + f(x)).",
        program(_pre_norm),
    ),
    Mistake(
        "pre-norm in some sublayers",
        "You mix pre-norm and post-norm: at least one sublayer is x + f(norm(x)), and at least one is norm(x + f(x)).",
        "The task asks for post-norm in all three sublayers.",
        program(_pre_norm_only(1)),
        variants=tuple(program(_pre_norm_only(*numbers)) for numbers in ((2,), (3,), (1, 2), (1, 3), (2, 3))),
    ),
    Mistake(
        "norm before the sum",
        "You normalise the sublayer's output and then add it: x + norm(f(x)). That is neither pre-norm nor post-norm.",
        "Each sublayer should be norm(x + f(x)): add first, then normalise.",
        program(_norm_before_the_sum),
        variants=tuple(program(_norm_inside(*numbers)) for numbers in ((1,), (2,), (3,), (1, 2), (1, 3), (2, 3))),
    ),
    Mistake(
        "no norm",
        "Your sums are never normalised.",
        "gamma1 and beta1 belong to the norm after the first sum, and so on.",
        program(_without_norm(1, 2, 3)),
    ),
    Mistake(
        "the last norm missing",
        "You did not normalise the sum after the feed-forward network.",
        "Where should gamma3 and beta3 be used?",
        program(_without_norm(3)),
    ),
    Mistake(
        "a norm too few",
        "Not all of your sums are normalised.",
        "There are three, one after each sublayer. Count the norms in your code.",
        program(_no_norm_but_the_last),
        variants=(program(_without_norm(1)), program(_without_norm(2))),
    ),
    Mistake(
        "one norm for all",
        "You use the same gamma and beta after each sublayer.",
        "Each of the three norms has its own gamma and beta: their names end in 1, 2 and 3.",
        program(_with_norms(1, 1, 1)),
        variants=(program(_with_norms(3, 3, 3)),),
    ),
    Mistake(
        "norms swapped",
        "At least one of your norms uses the gamma and beta of a different norm.",
        "They are numbered in the order of the sublayers: 1 for self-attention, 2 for cross-attention, 3 for the "
        "feed-forward network.",
        program(_with_norms(1, 3, 2)),
        variants=tuple(
            program(_with_norms(*numbers))
            for numbers in (
                (1, 2, 2),
                (1, 1, 2),
                (2, 1, 3),
                (1, 2, 1),
                (1, 1, 3),
                (1, 3, 3),
                (2, 2, 3),
                (2, 3, 1),
                (3, 1, 2),
                (3, 2, 1),
            )
        ),
    ),
)

MISTAKES = (*ORDER, *RESIDUAL, *NORMS)
