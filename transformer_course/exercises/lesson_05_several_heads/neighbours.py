"""Sheet 05: weights by hand for two heads, one for the left neighbour and one for the right one."""

import numpy as np

from ..kinds import Construct
from ..toolkit import known, softmax

CONTENT, POSITIONS, SHARE = 4, 6, 0.9
INNER = np.arange(1, POSITIONS - 1)  # the tokens that have neighbours on both sides
LEFT, OWN, RIGHT = -1, 0, 1


def _tokens(content):
    return np.hstack([content, np.eye(POSITIONS)])


BARE = _tokens(np.zeros((POSITIONS, CONTENT)))


def _draw(rng):
    signs = np.array([[1 if (row >> column) & 1 else -1 for column in range(CONTENT)] for row in range(POSITIONS)])
    drawn = [rng.standard_normal((POSITIONS, CONTENT)) * spread for spread in (1, 1, 10)]
    return [BARE, *map(_tokens, drawn), _tokens(100.0 * signs), _tokens(100.0 * signs[::-1])]


def _weights(x, w_q, w_k):
    """The weights of both heads, (2, n, n)."""
    query, key = (np.stack(np.split(x @ w, 2, axis=1)) for w in (w_q, w_k))
    return softmax(query @ key.swapaxes(1, 2) / np.sqrt(query.shape[-1]))


def _violation(x, w_q, w_k):
    if w_q.shape[1] % 2:
        return f"Two heads of the same width have an even number of columns together, but you gave {w_q.shape[1]}."
    for head, weights, side in zip(("first", "second"), _weights(x, w_q, w_k), (LEFT, RIGHT), strict=True):
        for token in INNER:
            if not weights[token, token + side] >= SHARE:
                where, most = "left" if side == LEFT else "right", int(weights[token].argmax())
                content = "With a content of zeros" if x is BARE else "With some of the contents"
                instead = f" It gives most weight to token {most}: {weights[token, most]:.3f}." if most != token + side else ""
                instead = " It gives all tokens the same weight." if np.ptp(weights[token]) < 1e-6 else instead
                share = f"{weights[token, token + side]:.3f} of its weight in the {head} head"
                return f"{content}, token {token} gives its {where} neighbour {share}, but it should get {SHARE}.{instead}"
    return None


def _holds(w_q, w_k):
    """Whether they do what is asked where there is no content."""
    return _violation(BARE, w_q, w_k) is None


def _sides(w_q, w_k):
    """For each head, to which side all inner tokens clearly look most, without content; None where they do not agree."""
    if w_q.shape[1] % 2:
        return [None, None]
    found = []
    for weights in _weights(BARE, w_q, w_k):
        sides, ranked = weights[INNER].argmax(-1) - INNER, np.sort(weights[INNER])
        clear = ranked[:, -1] > 1.01 * ranked[:, -2]
        found.append(int(sides[0]) if (sides == sides[0]).all() and clear.all() else None)
    return found


def _both_ways(w_q, w_k):
    if w_q.shape[1] % 2:
        return False
    left, right = (_weights(BARE, w_q, w_k)[:, INNER, INNER + side] for side in (LEFT, RIGHT))
    return (np.isclose(left, right) & (left > 0.25)).all(-1).any()


def _example(first=LEFT, second=RIGHT, strength=20.0, content=0.0):
    """Weights that look to the given sides: token p asks for p, and token p answers to p minus the side."""
    one = np.eye(POSITIONS)
    w_q = np.vstack([np.full((CONTENT, 2 * POSITIONS), content), strength * np.hstack([one, one])])
    w_k = np.vstack(
        [np.full((CONTENT, 2 * POSITIONS), content), np.hstack([np.eye(POSITIONS, k=-first), np.eye(POSITIONS, k=-second)])]
    )
    return w_q, w_k


def _both():
    """In each head, both neighbours answer."""
    (w_q, left), (_, right) = _example(LEFT, LEFT), _example(RIGHT, RIGHT)
    return w_q, left + right


neighbours = Construct(
    id="heads.neighbours",
    answer_name="matrices",
    prompt="Matrices for two heads, of which one attends to the left neighbour and one to the right neighbour.",
    shapes={"w_q": (CONTENT + POSITIONS, "2·d_k"), "w_k": (CONTENT + POSITIONS, "2·d_k")},
    draw=_draw,
    violation=_violation,
    why="Rows of zeros in W_Q and W_K remove the content from the scores, so only the position decides where each head looks.",
    hints=(
        "Only rows 4 to 9 concern the position: row 4 + p of a matrix is what position p adds to a query or a key. So what "
        "should be in rows 0 to 3?",
        "Take d_k = 6, one column per position, and begin with one head. Let the query of token p look for p, with np.eye(6) "
        "in its rows of w_q. For the left neighbour, the key of token p − 1 must match it. In which column does its row of "
        "w_k have the 1?",
        "np.eye(6, k=1) has its ones one place to the right of the diagonal, and k=-1 one place to the left. np.hstack "
        "concatenates two heads, and np.vstack puts rows of zeros on top.",
        "For a weight of 0.9 against five others, the neighbour's score must be at least ln(45) = 3.81 higher than theirs, "
        "after the division by √6. So multiply by 10 or more.",
    ),
    mistakes={
        "the heads swapped": known(
            "Your first head looks to the right, and your second to the left. Either you swapped the columns of the two "
            "heads, or both shifts go in the wrong direction, as they do if you swap w_q and w_k.",
            "The first half of the columns belongs to the left neighbour. Which key should match the query of token 2, that "
            "of token 1 or that of token 3?",
            _example(RIGHT, LEFT),
            _example()[::-1],
            _example(RIGHT, LEFT, strength=9.0),
            recognise=lambda w_q, w_k: _sides(w_q, w_k) == [RIGHT, LEFT],
        ),
        "both heads to one side": known(
            "Both of your heads look to the same side. Two heads can do what one cannot: each can give most of its weight to "
            "a different position.",
            "Shift one of the two in the other direction.",
            _example(LEFT, LEFT),
            _example(RIGHT, RIGHT),
            recognise=lambda w_q, w_k: _sides(w_q, w_k) in ([LEFT, LEFT], [RIGHT, RIGHT]),
        ),
        "both ways at once": known(
            "In one or both of your heads, inner tokens look to the left and to the right equally. The weights of a row sum "
            "to 1, so neither neighbour can get 0.9.",
            "Use one head for each side. In which half of the columns does each shift belong?",
            _both(),
            recognise=_both_ways,
        ),
        "its own position": known(
            "In one or both of your heads, every inner token looks mostly at itself. This happens if queries and keys have "
            "the same numbers for each position.",
            "Let each key match the query of a different position. Which one, so that a token finds its left neighbour?",
            _example(OWN, OWN),
            _example(OWN, RIGHT),
            _example(LEFT, OWN),
            recognise=lambda w_q, w_k: OWN in _sides(w_q, w_k),
        ),
        "the content matters": known(
            "Your matrices do what they should if the content is zero. But some numbers in rows 0 to 3 are not zero, and "
            "larger contents outweigh the positions.",
            "What should be in these rows, so that the content has no effect?",
            _example(content=0.5),
            _example(content=1.0),
            recognise=_holds,
        ),
        "too weak": known(
            "Both of your heads look the right way, but not strongly enough. The neighbour should get 0.9 of the weight, and "
            "the scores are still divided by √d_k.",
            "Multiply w_q or w_k by a larger number. How much higher than five other scores must one score be to get 0.9?",
            _example(strength=1.0),
            _example(strength=5.0),
            _example(strength=9.0),
            recognise=lambda w_q, w_k: _sides(w_q, w_k) == [LEFT, RIGHT] and _holds(w_q * 1000, w_k),
        ),
        "columns dealt out in turn": known(
            "Your heads would be right if every second column belonged to the same head. But here each head has consecutive "
            "columns: the first half belongs to the first head.",
            "Use np.hstack to put one head's columns after the other's.",
            tuple(np.stack(np.hsplit(w, 2), axis=-1).reshape(len(w), -1) for w in _example()),
            recognise=lambda *given: _holds(*(np.hstack([w[:, 0::2], w[:, 1::2]]) for w in given)),
        ),
        "the position's rows taken first": known(
            "Your matrices would be right if x began with the position. But it begins with the content: four numbers, rows 0 "
            "to 3 of the matrices.",
            "Use np.vstack to put rows of zeros on top.",
            tuple(np.roll(w, -CONTENT, axis=0) for w in _example()),
            recognise=lambda *given: _holds(*(np.roll(w, CONTENT, axis=0) for w in given)),
        ),
        "an idle head": known(
            "In one or both of your heads, every token gives all tokens the same weight, because all scores are equal. This "
            "happens if the columns of a head in w_q or w_k contain only zeros.",
            "Which columns belong to which head, and what do they contain in rows 4 to 9?",
            tuple(np.hstack([w[:, :POSITIONS], 0 * w[:, POSITIONS:]]) for w in _example()),
            (np.zeros((10, 4)), np.zeros((10, 4))),
            (_example()[0], 0 * _example()[1]),
            recognise=lambda w_q, w_k: (
                w_q.shape[1] % 2 == 0 and any(np.ptp(weights) < 1e-9 for weights in _weights(BARE, w_q, w_k))
            ),
        ),
    },
)
