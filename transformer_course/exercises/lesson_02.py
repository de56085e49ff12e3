"""Lesson 02, self-attention by hand: its predictions and the exercises of its sheet."""

from dataclasses import replace

import numpy as np

from .catalogue import Prediction
from .exercise import Mistake
from .kinds import Counterexample, Implement, Law, Number, TwoTier, WriteTest

# -- references, in NumPy float64 -------------------------------------------------------------------------------------


def softmax(scores):
    exponentials = np.exp(scores - scores.max(-1, keepdims=True))
    return exponentials / exponentials.sum(-1, keepdims=True)


def self_attention(x, w_q, w_k, w_v):
    query, key, value = x @ w_q, x @ w_k, x @ w_v
    return softmax(query @ key.swapaxes(-2, -1)) @ value


# -- predictions ------------------------------------------------------------------------------------------------------

PREDICTIONS = [
    Prediction(
        "02.largest",
        right="c",
        replies={
            "a": "A token does not favour itself by rule. Token 1 scores 1 with itself, and just as much with token 3, "
            "which contains everything that token 1 has. Equal scores get equal weights.",
            "b": "Token 3 is longer, and that lifts its scores: with itself it even scores 2. But token 1 sees only the "
            "part of token 3 that points its own way, and there the two are alike.",
            "c": "Tokens 1 and 3 both score 1 with token 1, so they share. What a token gets depends on the dot product "
            "alone; being oneself is no advantage.",
        },
    ),
    Prediction(
        "02.zero",
        right="b",
        replies={
            "a": "A score of 0 would mean no weight if weights were shares of the score. But exp(0) = 1: softmax hands a "
            "little to everyone, and only a score of −∞ would get nothing. Lesson 04 makes use of that.",
            "b": "exp(0) = 1 and exp(1) = 2.718…, so the unrelated token gets 1 part for every 2.718… of the others.",
            "c": "Equal weights come from equal scores. One step down in score costs a factor of e, about 2.7: the "
            "weight is smaller, though not nothing.",
        },
    ),
    Prediction(
        "02.mirror",
        right="a",
        replies={
            "a": "Swapping the two coordinates swaps tokens 1 and 2 and leaves token 3 alone. Nothing in the computation "
            "knows which coordinate is which, so the outputs must swap in the same way.",
            "b": "Token 2 has other scores, so its row is not a copy. But they are the scores of token 1 in another "
            "order, and the values are swapped as well: the output is the mirror image.",
            "c": "It may look as if nothing could be said before computing. Yet the three tokens have a symmetry, and "
            "every step of attention keeps it. That is worth more than a second calculation: it finds slips.",
        },
    ),
    Prediction(
        "02.hull",
        right="b",
        replies={
            "a": "Nothing is added on top of what a token had: its own vector is mixed in with a share, like the others. "
            "The shares sum to 1, so each output is an average, and an average of three points lies in their triangle.",
            "b": "The weights are positive and sum to 1, so every output is a weighted average of the three tokens, and "
            "lies in their triangle.",
            "c": "They would all meet in one point if all weights were equal. Each token has its own scores, so each mixes "
            "with other shares.",
        },
    ),
    Prediction(
        "02.shift",
        right="b",
        replies={
            "a": "Softmax looks at differences, not at proportions: 1001 is still one point above 1000, and one point is "
            "a factor of e. The weights stay as they were.",
            "b": "exp(s + 1000) is exp(s) times exp(1000), for every score alike, so the factor cancels when you divide by "
            "the sum. Only differences of scores count.",
            "c": "exp grows fast, but the three differ by the same single point as before: the ratio is e, as it was. "
            "Multiplying the scores would drive the weights apart; adding does nothing.",
        },
    ),
]

# -- by hand ----------------------------------------------------------------------------------------------------------

by_hand = Number(
    id="attention.by_hand",
    answer="weights_1",
    asks="The attention weights of token 1 among [2, 0], [0, 1], [1, 1].",
    minutes=5,
    value=softmax(np.array([4.0, 0.0, 2.0])),
    atol=1.5e-4,
    hints=(
        "Start with the three scores of token 1: its dot product with each of the three tokens, itself included.",
        "The scores are 4, 0 and 2. Take exp of each, and add the three up.",
        "54.598 + 1 + 7.389 = 62.987. Divide each of the three by this sum.",
    ),
    mistakes=(
        Mistake(
            "shares of the scores",
            "These are the scores divided by their sum. Softmax takes exp of each score first; that is why a score of 0 "
            "still gets a weight, and a negative one would too.",
            "exp(4) = 54.598, exp(0) = 1, exp(2) = 7.389: now make these sum to 1.",
            [4 / 6, 0.0, 2 / 6],
        ),
        Mistake(
            "scaled by √d",
            "You divided the scores by √2. The paper does so, and lesson 03 shows why; this example is unscaled, as the "
            "note's is.",
            "Leave the scores as they are: 4, 0, 2.",
            softmax(np.array([4.0, 0.0, 2.0]) / np.sqrt(2)),
        ),
        Mistake(
            "another token's row",
            "These are right numbers for token 3. Token 1 is [2, 0]; take its dot products.",
            "Token 1 with itself: 2 × 2 + 0 × 0.",
            softmax(np.array([2.0, 1.0, 2.0])),
        ),
        Mistake(
            "not divided by the sum",
            "These are the exponentials themselves. Weights sum to 1.",
            "Add the three numbers up, and divide each by the sum.",
            np.exp([4.0, 0.0, 2.0]),
            recognise=lambda seen: np.allclose(seen, np.exp([4.0, 0.0, 2.0]), rtol=1e-2),
        ),
        Mistake(
            "one factor forgotten",
            "These are the weights for scores 2, 0 and 1. You took the coordinates of the other token, and forgot to "
            "multiply by token 1's own 2.",
            "Token 1 with itself: 2 × 2 + 0 × 0.",
            softmax(np.array([2.0, 0.0, 1.0])),
        ),
        Mistake(
            "another order",
            "The right three numbers, in the wrong order.",
            "First the weight that token 1 gives itself, then that of token 2, then that of token 3.",
            softmax(np.array([0.0, 2.0, 4.0])),
            recognise=lambda seen: np.allclose(np.sort(seen), np.sort(softmax(np.array([4.0, 0.0, 2.0]))), atol=1.5e-4),
        ),
        Mistake(
            "lengths instead of dot products",
            "You compared token 1 with how long each token is. The score is a dot product: multiply coordinate by "
            "coordinate, then add.",
            "Token 1 · token 2 = 2 × 0 + 0 × 1 = 0.",
            softmax(np.array([2.0, 1.0, np.sqrt(2)])),
        ),
    ),
)

zero_token = Number(
    id="attention.zero_token",
    answer="z_4",
    asks="The output of a fourth token [0, 0] that joins the lesson's three.",
    minutes=3,
    value=[0.5, 0.5],
    atol=6e-4,
    hints=(
        "What does [0, 0] score with each of the four tokens?",
        "Four equal scores give four equal weights. How large is each?",
        "A quarter each: average the four values [1, 0], [0, 1], [1, 1], [0, 0], coordinate by coordinate.",
    ),
    mistakes=(
        Mistake(
            "a zero token receives nothing",
            "A zero query scores 0 with everyone, and exp(0) = 1: it is not shut out, it takes a little of everybody in "
            "equal parts.",
            "Four scores of 0 are four equal weights.",
            [0.0, 0.0],
        ),
        Mistake(
            "itself left out",
            "You averaged the three other tokens. A token attends to itself as well, so there are four weights, and its "
            "own value [0, 0] pulls the average down.",
            "Each of the four weights is 1/4.",
            [2 / 3, 2 / 3],
        ),
        Mistake(
            "the weight instead of the output",
            "1/4 is each token's weight. The output is the mixture: each value times its weight, added up.",
            "1/4 × [1, 0] + 1/4 × [0, 1] + 1/4 × [1, 1] + 1/4 × [0, 0].",
            [0.25, 0.25],
        ),
        Mistake(
            "summed, not averaged",
            "You added the values up. The weights sum to 1, so the output is an average.",
            "Multiply each value by 1/4 before adding.",
            [2.0, 2.0],
        ),
    ),
)

# -- attention.softmax ------------------------------------------------------------------------------------------------


def _draw_scores(rng):
    def scores(*shape):
        return rng.standard_normal(shape).astype(np.float32).astype(float)  # exact in float32 too

    return [
        [np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 1.0, 2.0]])],
        [scores(4, 3)],
        [scores(2, 3, 5)],
        [scores(7)],
        # exp overflows from 710 on; beyond 1024, float32 would be too coarse for some right answers
        [np.array([[1000.0, 1001.0, 998.0], [-1000.0, -1001.0, -1003.0]])],
        [np.array([[900.0, 901.0], [1.0, 3.0]])],
        [np.array([[1000.0, -1000.0]])],
    ]


def _softmax_over(axis):
    def over(scores):
        exponentials = np.exp(scores - scores.max(axis, keepdims=True))
        return exponentials / exponentials.sum(axis, keepdims=True)

    def naive(scores):
        return np.exp(scores) / np.exp(scores).sum(axis, keepdims=True)

    return over, naive


def _softmax_minus(shift):
    """Softmax with something else than each row's largest score subtracted."""
    return lambda scores: np.exp(scores - shift(scores)) / np.exp(scores - shift(scores)).sum(-1, keepdims=True)


def _softmax_clipped(limit):
    return lambda scores: softmax(np.clip(scores, -limit, limit))


def _softmax_without_keepdims(of_max, of_sum):
    def without(scores):
        exponentials = np.exp(scores - scores.max(-1, keepdims=of_max))
        return exponentials / exponentials.sum(-1, keepdims=of_sum)

    return without


def _softmax_in_logs(scores):
    return np.exp(scores - np.logaddexp.reduce(scores, -1, keepdims=True))


def _softmax_in_loops(scores):
    rows = [[np.exp(s - max(row)) for s in row] for row in scores.reshape(-1, scores.shape[-1])]
    return np.array([[e / sum(row) for e in row] for row in rows]).reshape(scores.shape)


_over_first, _over_first_naive = _softmax_over(0)
_over_second, _over_second_naive = _softmax_over(1)
_over_queries, _over_queries_naive = _softmax_over(-2)

attention_softmax = Implement(
    id="attention.softmax",
    answer="softmax",
    asks="Softmax over the last dimension, for scores of any rank and any size.",
    minutes=15,
    reference=softmax,
    draw=_draw_scores,
    styles=(_softmax_in_logs, _softmax_in_loops),
    laws=(
        Law("Along the last axis, the weights must sum to 1.", lambda w, scores: np.allclose(w.sum(-1), 1, atol=1e-3)),
        Law("Every weight must lie between 0 and 1.", lambda w, scores: ((w >= 0) & (w <= 1 + 1e-6)).all()),
        Law(
            "A larger score must get a larger weight.",
            lambda w, scores: (np.argmax(w, -1) == np.argmax(scores, -1)).all(),
        ),
    ),
    hints=(
        "Two steps: take exp of every score, then divide by the sum of its own row. The row is the last axis, -1, "
        "however many axes stand before it.",
        "keepdims=True keeps the summed axis with length 1, so that each row is divided by its own sum.",
        "exp(1000) is too large for any float. Adding the same number to all scores of a row changes nothing, so first "
        "subtract each row's own largest score.",
    ),
    mistakes=(
        Mistake(
            "softmax over the first axis",
            "You normalise over axis 0: the columns sum to 1. Each query has its own row of scores, and it is along the "
            "row, the last axis, that the weights must sum to 1.",
            "Use -1 as the axis, for the largest score and for the sum.",
            _over_first,
            also=(_over_first_naive,),
        ),
        Mistake(
            "axis counted from the front",
            "Axis 1 is the row of a matrix. With a batch in front, (b, n, m), axis 1 holds the queries, and a single row "
            "has no axis 1 at all.",
            "Count from the back: -1 is the last axis for every rank.",
            _over_second,
            also=(_over_second_naive,),
        ),
        Mistake(
            "softmax over the queries",
            "You normalise over the last axis but one: for each key, the weights of all queries sum to 1. It is the "
            "other way: each query shares out its own attention over the keys.",
            "Which axis must sum to 1 for one query? The last, -1.",
            _over_queries,
            also=(_over_queries_naive,),
        ),
        Mistake(
            "without keepdims",
            "Without keepdims, a row's sum (or its largest score) loses its axis and lines up with the columns: each row then "
            "gets the numbers of all rows, element by element. For a square matrix even the shape comes out right.",
            "Write keepdims=True in .max(-1, …) and in .sum(-1, …); torch calls it keepdim.",
            _softmax_without_keepdims(True, False),
            also=(
                _softmax_without_keepdims(False, True),
                _softmax_without_keepdims(False, False),
                lambda scores: np.exp(scores) / np.exp(scores).sum(-1),
            ),
        ),
        Mistake(
            "exp overflows",
            "Right for small scores, but exp(1000) overflows to infinity, and infinity / infinity is NaN. Subtracting a row's "
            "smallest score or its mean is no cure: in a row with 1000 and −1000, exp still sees 1000 or more.",
            "Subtract each row's largest score before exp: the weights stay the same, and exp stays at most 1.",
            _softmax_minus(lambda scores: 0.0),
            also=(
                _softmax_minus(lambda scores: scores.min(-1, keepdims=True)),
                _softmax_minus(lambda scores: scores.mean(-1, keepdims=True)),
            ),
        ),
        Mistake(
            "scores clipped",
            "You cut large scores off, so that 1000, 1001 and 998 become equal, and with them their weights.",
            "Subtract instead of cutting: each row's largest score from the whole row. Differences then stay.",
            _softmax_clipped(700),
            also=(_softmax_clipped(500), _softmax_clipped(100), _softmax_clipped(50)),
        ),
        Mistake(
            "one max for all rows",
            "You subtract the largest score of the whole array. A row that lies far below it becomes exp(−900) = 0 "
            "throughout, and 0 / 0 is NaN.",
            "Subtract each row's own largest score: .max(-1, keepdims=True).",
            _softmax_minus(lambda scores: scores.max()),
        ),
        Mistake(
            "scores divided by their sum",
            "You divide the scores by their sum, without exp. A score of 0 would then get nothing, and a negative one a "
            "negative weight.",
            "Take exp of every score first.",
            lambda scores: scores / scores.sum(-1, keepdims=True),
        ),
        Mistake(
            "not divided by the sum",
            "These are the exponentials. Each row must still be divided by its sum, so that its weights sum to 1.",
            "Divide by .sum(-1, keepdims=True).",
            lambda scores: np.exp(scores - scores.max(-1, keepdims=True)),
            also=(np.exp,),
        ),
        Mistake(
            "divided by the sum of everything",
            "All weights together sum to 1. Each row must do so by itself, since each query shares out its own "
            "attention.",
            "Sum over the last axis only.",
            lambda scores: np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum(),
            also=(
                lambda scores: np.exp(scores) / np.exp(scores).sum(),
                lambda scores: np.exp(scores - scores.max(-1, keepdims=True))
                / np.exp(scores - scores.max(-1, keepdims=True)).sum(),
            ),
        ),
    ),
)

test_softmax = WriteTest(
    id="attention.test_softmax",
    answer="is_softmax",
    asks="A test that accepts every right softmax and refuses the broken ones.",
    minutes=20,
    target=attention_softmax,
    caught={
        "softmax over the first axis": "a matrix in which rows and columns differ, with the sum of each row.",
        "axis counted from the front": "scores with a batch in front, of shape (2, 3, 5), or a single row.",
        "softmax over the queries": "a matrix in which rows and columns differ, with the sum of each row.",
        "without keepdims": "rows whose exponentials have different sums.",
        "exp overflows": "scores near 1000, and a row with 1000 and −1000.",
        "one max for all rows": "a row near 1000 and a row near 0 in one matrix.",
        "scores clipped": "1000 and 1001 must get the weights of 0 and 1.",
        "scores divided by their sum": "compare with weights that you know: scores 0 and 1 give 0.2689 and 0.7311.",
        "not divided by the sum": "the sum of each row.",
        "divided by the sum of everything": "a matrix of two rows, with the sum of each.",
    },
    hints=(
        "Give `f` some scores whose weights you know, and compare with np.allclose. Which scores would a broken one get "
        "right by luck? Square and symmetric ones are the worst.",
        "One input will hardly catch them all. Try a matrix that is not square, one with a batch in front, and a single "
        "row.",
        "Large scores catch what small ones hide: a row near 1000 and, in the same matrix, one near 0.",
    ),
)

# -- attention.self_attention -----------------------------------------------------------------------------------------


def _draw_tokens(rng):
    def normal(*shape):
        return rng.standard_normal(shape).astype(np.float32).astype(float)

    def whole(largest, *shape):
        return rng.integers(-largest, largest + 1, shape).astype(float)

    x, eye = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), np.eye(2)
    large, w_q, w_k = whole(2, 7, 5), whole(1, 5, 3), whole(1, 5, 3)
    large[0] = 0  # a row of scores far below the largest
    scores = large @ w_q @ (large @ w_k).T
    w_q *= (-1.0 if scores.max() < -scores.min() else 1.0) * (1000 // np.abs(scores).max())  # the largest: 1000 or just below
    return [
        [x, eye, eye, eye],
        [normal(5, 4), normal(4, 3), normal(4, 3), normal(4, 2)],
        [normal(2, 3, 4), normal(4, 5), normal(4, 5), normal(4, 7)],
        [large, w_q, w_k, whole(2, 5, 2)],
        [np.array([[31.0], [30.0], [-31.0]]), np.ones((1, 1)), np.ones((1, 1)), np.array([[1.0, -2.0]])],
    ]


def _attend(weigh=softmax, score=lambda q, k: q @ k.swapaxes(-2, -1), mix=lambda a, v: a @ v):
    """Self-attention with one of its steps replaced."""
    return lambda x, w_q, w_k, w_v: mix(weigh(score(x @ w_q, x @ w_k)), x @ w_v)


def _self_attention_by_einsum(x, w_q, w_k, w_v):
    scores = np.einsum("...nd,dk,ek,...me->...nm", x, w_q, w_k, x)
    return np.einsum("...nm,...md,dv->...nv", softmax(scores), x, w_v)


attention_self = Implement(
    id="attention.self_attention",
    answer="self_attention",
    asks="Unscaled self-attention, with weights, for one sequence or a batch of them.",
    minutes=15,
    reference=self_attention,
    draw=_draw_tokens,
    styles=(_self_attention_by_einsum,),
    hints=(
        "Four lines are enough: queries, keys and values; scores; weights; output.",
        "For a batch, only the last two axes of the keys change places. NumPy: k.swapaxes(-2, -1); torch: "
        "k.transpose(-2, -1).",
        "The output mixes the values x @ w_v, which may have another width than the queries and keys.",
    ),
    mistakes=(
        Mistake(
            "scaled by √d_k",
            "The scores are divided by √d_k. That is what the paper does, and lesson 03 shows why; this exercise asks for "
            "the plain, unscaled form.",
            "Leave the division out here.",
            _attend(lambda s: s, lambda q, k: softmax(q @ k.swapaxes(-2, -1) / np.sqrt(q.shape[-1]))),
        ),
        Mistake(
            "x in place of the values",
            "You mix the tokens themselves. With identity weights nobody can tell; with others the values x @ w_v are what "
            "is mixed, and they may even have another width.",
            "The last line multiplies the weights by x @ w_v.",
            lambda x, w_q, w_k, w_v: softmax((x @ w_q) @ (x @ w_k).swapaxes(-2, -1)) @ x,
        ),
        Mistake(
            "the keys made with w_q",
            "Queries and keys come from the same matrix. With identity weights that is the same; with others it makes all "
            "scores symmetric.",
            "The keys are x @ w_k.",
            lambda x, w_q, w_k, w_v: self_attention(x, w_q, w_q, w_v),
        ),
        Mistake(
            "queries and keys swapped",
            "Your scores are the right ones transposed: row i holds what others seek in token i, not what token i seeks.",
            "Queries come first: q @ k transposed.",
            _attend(score=lambda q, k: k @ q.swapaxes(-2, -1)),
        ),
        Mistake(
            "no softmax",
            "The values are multiplied by the raw scores. The scores must become weights first: positive, summing to 1.",
            "Apply softmax to the scores before mixing the values.",
            _attend(weigh=lambda scores: scores),
        ),
        Mistake(
            "K reshaped, not transposed",
            "Reshaping the keys to (d_k, n) gives the shape of a transpose with the numbers in the wrong places: a reshape "
            "reads on row by row.",
            "Swap the axes: k.swapaxes(-2, -1), in torch k.transpose(-2, -1).",
            _attend(score=lambda q, k: q @ k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])),
        ),
        Mistake(
            "one sequence only",
            "Right for one sequence (n, d); for a batch (b, n, d) it goes wrong. If you wrote `.T`: it turns the batch axis "
            "round as well. If you wrote axis=1, or loop over x: the first axis is now the batch.",
            "Swap only the last two axes, k.swapaxes(-2, -1) (torch: k.transpose(-2, -1)), and count axes from the back.",
            _attend(score=lambda q, k: q @ k.T),
            also=tuple(
                _attend(weigh, score=lambda q, k: q @ k.T)
                for weigh in (_over_second, _over_second_naive, _softmax_minus(lambda s: 0.0), _over_first, _over_first_naive)
            ),
        ),
        Mistake(
            "the weights transposed",
            "Each output mixes the values with a column of the weights. Token i's own weights stand in row i.",
            "weights @ values, with the weights as they are.",
            _attend(mix=lambda a, v: a.swapaxes(-2, -1) @ v),
        ),
        Mistake(
            "the weights returned",
            "These are the weights, (n, n). One step is missing: the mixture of the values.",
            "Return weights @ values.",
            _attend(mix=lambda a, v: a),
        ),
        # whatever can go wrong in softmax can go wrong here
        *(
            replace(mistake, answer=_attend(mistake.answer), also=tuple(map(_attend, mistake.also)))
            for mistake in attention_softmax.mistakes
        ),
    ),
)

# -- attention.hidden_fault -------------------------------------------------------------------------------------------


def _invalid_tokens(x, w_q, w_k, w_v):
    arrays = {"x": x, "w_q": w_q, "w_k": w_k, "w_v": w_v}
    for name, array in arrays.items():
        if array.ndim != 2 or array.size == 0:
            return f"`{name}` should be a matrix (two axes, not empty), and has shape {array.shape}."
    for name in ("w_q", "w_k", "w_v"):
        if len(arrays[name]) != x.shape[1]:
            return f"`{name}` needs one row for each of the {x.shape[1]} columns of x, and has {len(arrays[name])}."
    if w_q.shape != w_k.shape:
        return f"`w_q` and `w_k` need the same shape, or nothing can be scored: they have {w_q.shape} and {w_k.shape}."
    if max(np.abs(array).max() for array in arrays.values()) > 1000:
        return "Please keep all numbers between −1000 and 1000."
    return None


hidden_fault = Counterexample(
    id="attention.hidden_fault",
    answer="trap",
    asks="An input on which a faulty self-attention, right on all of the note's numbers, goes wrong.",
    minutes=5,
    faulty=lambda x, w_q, w_k, w_v: self_attention(x, w_q, w_q, w_v),
    reference=self_attention,
    invalid=_invalid_tokens,
    hints=(
        "Compare the faulty function with the lesson's, line by line: what should become of each of its four inputs?",
        "It never uses w_k. So w_k must differ from w_q, or nobody can notice.",
        "Try the lesson's x, the identity for w_q and w_v, and a w_k that swaps the two coordinates.",
    ),
    mistakes=(
        Mistake(
            "w_q and w_k alike",
            "The fault lies in the scores, and with equal w_q and w_k it cannot show. What you put into w_v makes no "
            "difference to them.",
            "Let w_k differ from w_q.",
            ([[1, 2], [3, 5]], [[1, 2], [0, 1]], [[1, 2], [0, 1]], [[2, 0], [1, 1]]),
            recognise=lambda x, w_q, w_k, w_v: np.array_equal(w_q, w_k),
        ),
        Mistake(
            "a single token",
            "With one token there is one score, and softmax of one number is 1, whatever the keys are.",
            "Give x at least two rows.",
            ([[1, 2]], [[1, 0], [0, 1]], [[0, 1], [1, 0]], [[1, 0], [0, 1]]),
            recognise=lambda x, w_q, w_k, w_v: len(x) == 1,
        ),
        Mistake(
            "all values alike",
            "Your weights may well differ, but all values are the same, and every average of equal things is that thing.",
            "Let the values x @ w_v differ from token to token.",
            ([[1, 0], [0, 1]], [[1, 0], [0, 1]], [[0, 1], [1, 0]], [[0, 0], [0, 0]]),
            recognise=lambda x, w_q, w_k, w_v: np.ptp(x @ w_v, axis=0).max() == 0,
        ),
    ),
)

# -- attention.wrong_row ----------------------------------------------------------------------------------------------

wrong_row = TwoTier(
    id="attention.wrong_row",
    answer="verdict",
    asks="Find the wrong row of a printed table of weights without computing a softmax.",
    minutes=8,
    right={"claim": "b", "reason": "b", "value": 0.8668 / 0.1173},
    choices={"claim": "abcd", "reason": "abcd"},
    atol=0.02,
    hints=(
        "Rounding to four digits can move a sum by 0.0001 or so; no row can be condemned for that.",
        "Compare the scores of rows 1 and 2. What was added to each?",
        "Adding 4 to every score of a row changes no weight, so rows 1 and 2 must be alike and are not: one of the two is "
        "wrong. One point of score is a factor of e = 2.718 in weight: in which of the two is it not?",
    ),
    mistakes=(
        Mistake(
            "the sum must be exactly 1",
            "Three rounded numbers, each off by up to 0.00005, need not sum to exactly 1. Here it is the wrong row that sums "
            "to 1.0000: a right sum proves little.",
            "Look at how the weights within a row compare with each other.",
            {"reason": "a"},
        ),
        Mistake(
            "columns must sum to 1",
            "Each row is divided by its own sum, so the rows sum to 1. Nothing makes the columns do so: in the lesson, the "
            "first column summed to 0.79.",
            "Compare the scores of rows 1 and 2.",
            {"reason": "c"},
        ),
        Mistake(
            "larger scores, sharper weights",
            "Larger differences make weights sharper; larger scores do not. Row 2 has row 1's scores with 4 added to each, "
            "and as in the lesson with 1000, that changes no weight.",
            "So rows 1 and 2 must have equal weights. One of the two is wrong: which?",
            {"reason": "d"},
        ),
        Mistake(
            "the wrong one of the pair",
            "The reason fits: rows 1 and 2 must be alike, and are not. But which of them is wrong? In row 1, the weights of "
            "scores 3 and 2 are 0.6652 and 0.2447: the ratio is 2.72, which is e, as it must be.",
            "Make the same division in row 2.",
            {"claim": "a", "reason": "b"},
        ),
        Mistake(
            "no row suspected",
            "A table in which every row sums to 1, or nearly so, can be wrong all the same.",
            "Compare the scores of rows 1 and 2, and then their weights.",
            {"claim": "d"},
        ),
        Mistake(
            "the ratio upside down",
            "Claim and reason are right. You divided the middle weight by the largest.",
            "The largest weight over the middle one.",
            {"claim": "b", "reason": "b", "value": 0.1173 / 0.8668},
        ),
        Mistake(
            "the ratio as it should be",
            "Claim and reason are right. This is e, the ratio as it should be; the value asked for is the one that the printed "
            "row has.",
            "Divide the two printed weights of row 2.",
            {"claim": "b", "reason": "b", "value": float(np.e)},
        ),
    ),
)

EXERCISES = [by_hand, zero_token, attention_softmax, test_softmax, attention_self, hidden_fault, wrong_row]
