"""Lesson 08: attention with rotary positions."""

from matplotlib.axes import Axes

from ..description import describe
from ..drawing import arrow, arrows, filled, matrix, operation, page, words
from ..style import CYCLE, FAINT, KEY, QUERY, VALUE
from .example import D_K, D_V, SCORES, N, shades, softmax

POSITION = CYCLE[3]  # as in the drawing of lesson 06


def rotary() -> Axes:
    ax = page(338)
    upper, path, lower, low = 62, 122, 182, 282
    query = matrix(ax, 4, upper, filled(N, D_K, QUERY), "Q", "$n × d_k$")
    key = matrix(ax, 4, lower, filled(N, D_K, KEY), "K", "$n × d_k$")
    value = matrix(ax, 4, low, filled(N, D_V, VALUE), "V", "$n × d_v$")
    positions = matrix(ax, 62, path, filled(N, 1, POSITION), numbers=[[i] for i in range(N)], cell=(24, 17))
    words(ax, positions.right[0] + 4, path, "positions", ha="left")
    turned = {}
    for made, y, name, colour in ((query, upper, "Q", QUERY), (key, lower, "K", KEY)):
        turn = operation(ax, 112, y, "rotate", 58, colour=POSITION)
        turned[name] = matrix(ax, 204, y, filled(N, D_K, colour), f"{name} rotated", "$n × d_k$")
        side = positions.top if y < path else positions.bottom
        arrows(ax, made, turn, turned[name])
        arrow(ax, side, (side[0], y + (8 if y < path else -8)), (turn.x, y + (8 if y < path else -8)))
    product = operation(ax, 274, path, "$QK^T$", 46)
    arrow(ax, turned["Q"].right, (product.top[0], upper), product.top)
    arrow(ax, turned["K"].right, (product.bottom[0], lower), product.bottom)
    scores = matrix(ax, 344, path, filled(N, N, FAINT), "scores", "$n × n$")
    normalize = operation(ax, 420, path, "$÷\\sqrt{d_k}$\nsoftmax", 66, 46)
    weights = matrix(ax, 510, path, shades(softmax(SCORES)), "weights", "$n × n$")
    mixing = operation(ax, 586, path, "$· V$", 46)
    output = matrix(ax, 652, path, filled(N, D_V, VALUE), "output", "$n × d_v$")
    arrows(ax, product, scores, normalize, weights, mixing, output)
    arrow(ax, value.right, (mixing.bottom[0], low), mixing.bottom)
    return describe(
        ax,
        "Data flow of attention with rotary positions",
        f"each row of Q and of K (n × d_k) is rotated by its position, here 0 to {N - 1}; the products of the rotated "
        "queries and keys are the scores (n × n), which are divided by √d_k; softmax makes them weights; the values V "
        "(n × d_v) are not rotated, and weights times V are the output (n × d_v).",
    )
