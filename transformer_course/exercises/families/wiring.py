"""What goes wrong between the sublayers of a layer: the sums, the norms, and the order.

A piece is ``wire(order, norms, sublayers, x)``, where ``order`` is "pre" or "post", and each norm and each sublayer is a
function of vectors. The first sublayer, self-attention, also takes keys and values: ``attend(query, key, value)``. In a
decoder layer, the second one also takes what to do with the memory: ``cross(query, change)``.
"""

from collections.abc import Callable, Sequence
from itertools import combinations, permutations, product

from ..exercise import Mistakes, continued, in_order, listed
from ..toolkit import normalised

RIGHT = {"pre": lambda norm, f, x: x + f(norm(x)), "post": lambda norm, f, x: norm(x + f(x))}
COPY = "Query, key and value are all the normalised copy."
FORMULAS = {"pre": "x + f(norm(x))", "post": "norm(x + f(x))"}

INPUT_ADDED = {  # for any part that has no residual connection of its own: ``add(forward)`` is a wrong forward pass
    "the input added": (
        "You added the input to the output. That sum, the residual connection, is made outside this class, by its caller.",
        "Return only what the last step gives.",
        lambda forward: lambda given, x, *others: x + forward(given, x, *others),
    ),
}

# Wrong ways to go around a sublayer, for the orders in which they are wrong.
OTHER_ORDER = {"pre": RIGHT["post"], "post": RIGHT["pre"]}
NOT_ADDED = {"pre": lambda norm, f, x: f(norm(x)), "post": lambda norm, f, x: norm(f(x))}
ONLY_THE_SUBLAYER = dict.fromkeys(RIGHT, lambda norm, f, x: f(x))
ADDED_TWICE = {"pre": lambda norm, f, x: 2 * x + f(norm(x)), "post": lambda norm, f, x: x + norm(x + f(x))}
MULTIPLIED = {"pre": lambda norm, f, x: x * f(norm(x)), "post": lambda norm, f, x: norm(x * f(x))}
NOT_NORMALISED = dict.fromkeys(RIGHT, lambda norm, f, x: x + f(x))
OUTPUT_NORMALISED = dict.fromkeys(RIGHT, lambda norm, f, x: x + norm(f(x)))
NORMALISED_TWICE = dict.fromkeys(RIGHT, lambda norm, f, x: norm(x + f(norm(x))))
ADDED_TO_THE_COPY = {"pre": lambda norm, f, x: norm(x) + f(norm(x))}
COPY_ADDED_TOO = {"pre": lambda norm, f, x: x + norm(x) + f(norm(x))}
OFTEN = "pre-norm", "the output normalised", "no residual connections", "an earlier stream added"  # beside another slip


def in_turn(order: str, norms: Sequence[Callable], sublayers: Sequence[Callable], x):
    """The right way."""
    for norm, sublayer in zip(norms, sublayers, strict=True):
        x = RIGHT[order](norm, sublayer, x)
    return x


def around(wrong: dict[str, Callable], places: Sequence[int] | None = None) -> Callable:
    """The sublayers at these places, or all, are wired in a wrong way, in the orders that ``wrong`` names."""

    def wire(order, norms, sublayers, x):
        for place, (norm, sublayer) in enumerate(zip(norms, sublayers, strict=True)):
            way = RIGHT if places is not None and place not in places else {**RIGHT, **wrong}
            x = way[order](norm, sublayer, x)
        return x

    return wire


def _arranged(places, norms=None):
    """The sublayers with these numbers, one after the other, with their own norms or with these."""

    def wire(order, all_norms, sublayers, x):
        return in_turn(order, [all_norms[k] for k in norms or places], [sublayers[k] for k in places], x)

    return wire


def _streams(reads, adds, early=None):
    """Each sublayer reads the residual stream as it was before the sublayer with a number, and is added to that of another;
    with post-norm, the one at the place ``early`` reads it before its norm."""

    def wire(order, norms, sublayers, x):
        streams, sums = [x], [x]
        for place, (norm, sublayer, read, added) in enumerate(zip(norms, sublayers, reads, adds, strict=True)):
            found = sublayer(norm(streams[read]) if order == "pre" else (sums if place == early else streams)[read])
            sums.append(streams[added] + found)
            streams.append(sums[-1] if order == "pre" else norm(sums[-1]))
        return streams[-1]

    return wire


def _at_once(number):
    """The first two sublayers both read x. Post-norm, with the norm of this number after their sum."""

    def wire(order, norms, sublayers, x):
        x = norms[number](x + sublayers[0](x) + sublayers[1](x))
        return in_turn(order, norms[2:], sublayers[2:], x)

    return wire


def _query_from_the_input(order, norms, sublayers, x):
    """The second sublayer gets the layer's input where it should use its argument."""
    return in_turn(order, norms, [sublayers[0], lambda _: sublayers[1](x), *sublayers[2:]], x)


def _partly_normalised(normalised):
    """Self-attention with the normalised copy only for those of query, key and value that are True here."""

    def first(norm, attend, x):
        y = norm(x)
        return x + attend(*(y if each else x for each in normalised))

    return around({"pre": first}, (0,))


def _second_works_on(chosen, kept=True):
    """The second sublayer works on the norm of ``chosen(x, copy, output of the first)``; that output is ``kept`` or not."""

    def wire(order, norms, sublayers, x):
        y = norms[0](x)
        found = sublayers[0](y)
        return x + kept * found + sublayers[1](norms[1](chosen(x, y, found)))

    return wire


def _memory_normalised(norm, only=("pre", "post")):
    """Cross-attention to ``norm(norms, memory)``."""

    def wire(order, norms, sublayers, x):
        own, cross, *rest = sublayers
        read = (lambda y: cross(y, lambda memory: norm(norms, memory))) if order in only else cross
        return in_turn(order, norms, [own, read, *rest], x)

    return wire


def wiring(names: Sequence[str], orders: Sequence[str], norms: str, copy: str = COPY, by_hand: bool = True) -> Mistakes:
    """The mistakes in a layer of these sublayers, pre-norm or post-norm or both, as its config asks.

    ``norms`` and ``copy`` are hints: which norm belongs where, and what gets the normalised copy. If the layer is wired
    ``by_hand``, a fault may concern some of its sublayers; else they share one residual connection.
    """
    count = len(names)
    whole = tuple(range(count))
    some = [places for size in range(1, count) for places in combinations(whole, size)] if by_hand else []
    formula = f"With f for a sublayer, {listed([f'{order}-norm is `{FORMULAS[order]}`' for order in orders])}."
    found: dict[str, tuple] = {}
    _of_sums(found, names, orders, some, formula)
    _of_norms(found, names, orders, some, formula, norms, copy)
    _of_streams(found, names)
    _of_arrangements(found, names)
    if "pre" in orders and by_hand:
        _of_the_second_norm(found, names)
    if count == 3:
        _of_the_memory(found, orders)
    return in_order(found)


def _ways(orders, wrong, *sets) -> list[Callable]:
    """A fault around the sublayers at each of these sets of places, in all orders in which it is a fault."""
    return [around(wrong, places) for places in sets] if set(wrong) & set(orders) else []


def _by_order(found, orders, name, diagnosis, hint, wrong, *sets) -> None:
    """A fault in every order, and, if the layer knows both, in one of them alone."""
    if ways := _ways(orders, wrong, *sets):
        found[name] = (diagnosis, hint, *ways)
    for order in orders if len(set(wrong) & set(orders)) > 1 else ():
        (right,) = set(orders) - {order}
        only = f"With {right}-norm, your layer is right. With {order}-norm, {continued(diagnosis)}"
        found[f"{name}, with {order}-norm"] = (only, hint, *_ways(orders, {order: wrong[order]}, *sets))


def _of_sums(found, names, orders, some, formula) -> None:
    add = f"Add x to what each sublayer returns. {formula}"
    pairs = [places for places in some if len(places) > 1]
    _by_order(
        found,
        orders,
        "no residual connections",
        "Your sublayers replace x: nothing adds x to what they return. Whatever a sublayer does not copy is lost, and deep "
        "stacks of such layers hardly learn.",
        add,
        NOT_ADDED,
        None,
        *pairs,
    )
    found["neither sums nor norms"] = (
        "You pass on only what each sublayer returns. Nothing is added to x, and nothing is normalised.",
        formula,
        around(ONLY_THE_SUBLAYER),
    )
    for place, name in enumerate(names):
        found[f"no residual connection around {name}"] = (
            f"What {name} returns replaces x, and is not added to it. So whatever {name} does not copy is lost.",
            add,
            *_ways(orders, NOT_ADDED, (place,)),
        )
    found["the input added twice"] = (
        "You add a sublayer's input to a sum that contains it already.",
        "Each sum has two terms: the residual stream, which holds everything so far, and what a sublayer returns.",
        *_ways(orders, ADDED_TWICE, None, *some),
    )
    found["the layer's input added at the end"] = (
        "You add the layer's input to its output, which contains it already.",
        "Each sum has two terms: the residual stream, which holds everything so far, and what a sublayer returns.",
        lambda order, norms, sublayers, x: x + in_turn(order, norms, sublayers, x),
    )
    found["multiplied in place of added"] = (
        "You multiply x by what a sublayer returns. A residual connection adds.",
        formula,
        *_ways(orders, MULTIPLIED, None, *some),
    )
    if "pre" in orders:
        found["added to the normalised copy"] = (
            "With pre-norm, you add to the normalised copy, not to x itself, so the residual stream is rescaled at every "
            "norm.",
            "What does each `+` start from? With pre-norm, only the sublayer gets the normalised copy.",
            *_ways(orders, ADDED_TO_THE_COPY, None, *some),
        )
        found["the copy added too"] = (
            "You add x, the normalised copy and what the sublayer returns. The copy is only what the sublayer works on; it "
            "does not belong in the residual stream.",
            "Look at the sum: it has two terms, not three.",
            *_ways(orders, COPY_ADDED_TOO, None, *some),
        )


def _of_norms(found, names, orders, some, formula, norms, copy) -> None:
    parts = [places for size in range(1, len(names)) for places in combinations(range(len(names)), size)]
    everywhere = [around(OTHER_ORDER), *(around(OTHER_ORDER, places) for places in some)]
    if len(orders) == 1:
        (order,), (other,) = orders, set(RIGHT) - set(orders)
        when = {"pre": "after each sum, as in the original Transformer", "post": "before each sublayer"}[order]
        found[f"{other}-norm"] = (
            f"You normalise {when}: `{FORMULAS[other]}`. That is {other}-norm. It works too, but it is a different layer.",
            f"The exercise asks for {order}-norm: `{FORMULAS[order]}`.",
            everywhere[0],
        )
        found[f"{other}-norm in some sublayers"] = (
            "You mix pre-norm and post-norm: at least one sublayer is `x + f(norm(x))`, and at least one is `norm(x + f(x))`.",
            f"The exercise asks for {order}-norm around each sublayer: `{FORMULAS[order]}`.",
            *everywhere[1:],
        )
    else:
        found["pre and post swapped"] = (
            'The two orders are swapped: you normalise the sum with "pre", and the sublayer\'s input with "post".',
            "Pre means before the sublayer, post means after the sum.",
            everywhere[0],
        )
        for order, other in (("pre", "post"), ("post", "pre")):
            found[f"always {order}-norm"] = (
                f'At least one sublayer is {order}-norm whatever `norm` says. With "{other}", each should be '
                f"`{FORMULAS[other]}`.",
                "Test `self.order` in `Residual.forward`. Does the layer pass `norm` on to each of its residual connections?",
                *(around({other: RIGHT[order]}, places) for places in (None, *parts)),
            )
    _by_order(
        found,
        orders,
        "the output normalised",
        "You normalise what a sublayer returns, and then add it. That is neither pre-norm nor post-norm: every update is "
        "forced to the same size.",
        f"What belongs inside the brackets of the norm? {formula}",
        OUTPUT_NORMALISED,
        None,
        *some,
    )
    _by_order(
        found,
        orders,
        "normalised twice",
        "You normalise both a sublayer's input and the sum. Each order has only one of the two.",
        formula,
        NORMALISED_TWICE,
        None,
        *some,
    )
    found["norms left out"] = (
        "Nothing is normalised: the norms are never used.",
        f"{formula} {norms}",
        around(NOT_NORMALISED),
    )
    singles = [(place,) for place in range(len(names))]
    found["a norm left out"] = (
        "Not all of your norms are used: at least one sublayer works without its own.",
        f"{copy} {norms}" if "pre" in orders else norms,
        *(around(NOT_NORMALISED, places) for places in some),
        *(() if some else (around({"pre": NOT_NORMALISED["pre"]}, places) for places in (*singles, (0, 1)))),
    )
    if "pre" in orders:
        mixed = [each for each in product((True, False), repeat=3) if len(set(each)) > 1]
        found["not all of attention's inputs normalised"] = (
            "Self-attention gets the normalised copy for some of its three inputs, and x itself for the others. What is not "
            "normalised grows with the residual stream, and so do the scores.",
            copy,
            *(_partly_normalised(each) for each in mixed),
        )
    if "pre" not in orders:
        found["the sum read before its norm"] = (
            "A later sublayer reads the sum before it is normalised. With post-norm, the normalised sum is the residual "
            "stream, and every later step starts from it.",
            "Assign the normalised sum to x, and give the next sublayer that x.",
            *(_streams(range(len(names)), range(len(names)), early) for early in range(1, len(names))),
        )
    count = len(names)
    numbers = [each for each in product(range(count), repeat=count) if each != tuple(range(count))]
    found["norms swapped"] = (
        "At least two of your norms are swapped: a sublayer uses the γ and β of another one.",
        norms,
        *(_arranged(range(count), each) for each in numbers if len(set(each)) == count),
    )
    found["one norm used twice"] = (
        "The same norm is used for more than one sublayer. Each sublayer has its own, with its own γ and β.",
        norms,
        *(_arranged(range(count), each) for each in numbers if len(set(each)) < count),
    )


def _of_streams(found, names) -> None:
    """The residual stream before each sublayer is x, then what the first one made of it, and so on."""
    count = len(names)
    right = tuple(range(count))
    earlier = [each for each in product(*(range(place + 1) for place in right)) if each != right]
    found["an earlier stream added"] = (
        "In a later sum you add an earlier version of the residual stream, so what was added since then is lost.",
        "Give the result of each sublayer's sum a name. Which one does the next sum start from?",
        *(_streams(right, adds) for adds in earlier),
    )
    for place in range(1, count):
        name, before = names[place], listed(names[:place])
        first_wrong = [each for each in earlier if each[:place] == right[:place] and each[place] != place]
        found[f"{name} beside {names[place - 1]}"] = (
            f"In your layer, {name} works on an earlier version of the residual stream, so it never sees what "
            f"{names[place - 1]} has found.",
            f"Assign the sum with the output of {before} to x before you go on. Does anything after that still need the old "
            "x?",
            *(_streams(reads, right) for reads in first_wrong),
            *((_at_once(0), _at_once(1), _query_from_the_input) if place == 1 else ()),
        )


def _of_arrangements(found, names) -> None:
    count = len(names)
    right = tuple(range(count))
    all_of_them = f"There are {('two', 'three')[count - 2]} sublayers: {listed(names)}."
    for place in range(1, count):
        wrong = [each for each in permutations(right) if each != right]
        early = [each for each in wrong if next(seen for seen, own in zip(each, right, strict=True) if seen != own) == place]
        found[f"{names[place]} too early"] = (
            f"In your layer, {names[place]} comes too early. There is no error, since each sublayer takes and returns the "
            "same shape.",
            f"The order is {', then '.join(names)}: each works on what those before it have found.",
            *(_arranged(each) for each in early),
            *(_arranged(each, right) for each in early),
        )
    for place, name in enumerate(names):
        rest = tuple(each for each in right if each != place)
        found[f"{name} left out"] = (
            f"What {name} returns has no effect: it is left out, or its result is not kept.",
            f"{all_of_them} Assign the result of each to x.",
            *(_arranged(rest, used) for used in combinations(right, count - 1)),
        )
        found[f"{name} twice"] = (
            f"Your layer applies {name} twice.",
            f"{all_of_them} Each comes once.",
            *(_arranged((*right[:at], place, *right[at:])) for at in range(count + 1) if at != place),
        )


def _of_the_second_norm(found, names) -> None:
    found["the second norm applied to the wrong tensor"] = (
        f"The norm before {names[1]} should normalise the *sum* of x and what {names[0]} returns. You normalised only one "
        "part of it.",
        "Assign the sum to x, and normalise that.",
        _second_works_on(lambda x, y, found: y),
        _second_works_on(lambda x, y, found: found),
        _second_works_on(lambda x, y, found: y + found),
        _second_works_on(lambda x, y, found: found, kept=False),
    )


def _of_the_memory(found, orders) -> None:
    found["the memory normalised"] = (
        "You normalise the memory before cross-attention. But the norms of this layer belong to the target's residual stream, "
        "and the encoder has finished its output already.",
        "Use `memory` as it is.",
        *(_memory_normalised(lambda norms, memory, number=number: norms[number](memory)) for number in (1, 0, 2)),
        _memory_normalised(lambda norms, memory: normalised(memory)),
        *(_memory_normalised(lambda norms, memory: norms[1](memory), only=(order,)) for order in orders if len(orders) > 1),
    )
