"""Sheet 16: the fewest tokens that together have at least the probability p."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Implement, Property


def ranked(probabilities):
    """Return the indices from the most probable token to the least, and the probabilities in that order."""
    order = np.argsort(-probabilities, axis=-1, kind="stable")
    return order, np.take_along_axis(probabilities, order, -1)


def back(values, order):
    found = np.zeros(values.shape)
    np.put_along_axis(found, order, values, -1)
    return found


def renormalised(kept):
    return kept / kept.sum(axis=-1, keepdims=True)


def cut(keep, place=back, finish=renormalised, rank=ranked):
    """Return an answer that keeps what ``keep(sorted probabilities, sums before them, p)`` says."""

    def answer(probabilities, p):
        order, values = rank(probabilities)
        before = values.cumsum(-1) - values
        return finish(place(np.where(keep(values, before, p), values, 0.0), order))

    return answer


def _few(values, before, p):
    return before < p


def _without_the_last(values, before, p):
    return before + values <= p


def _without_the_last_at_p(values, before, p):
    return before + values < p


def _or_the_first(keep):
    return lambda values, before, p: keep(values, before, p) | (before == 0)


def _zeros_stay(kept):
    """Divide each row by its sum; a row of zeros stays as it is."""
    total = kept.sum(axis=-1, keepdims=True)
    return kept / np.where(total == 0, 1, total)


def one_more(values, before, p):
    """All that are kept, and one more."""
    return np.concatenate([np.ones_like(before[..., :1], bool), before[..., :-1] < p], axis=-1)


def _share(values, before, p):
    return np.broadcast_to(np.arange(values.shape[-1]) < np.ceil(p * values.shape[-1]), values.shape)


def _ascending(probabilities):
    order = np.argsort(probabilities, axis=-1, kind="stable")
    return order, np.take_along_axis(probabilities, order, -1)


def _unsorted(probabilities):
    order = np.broadcast_to(np.arange(probabilities.shape[-1]), probabilities.shape)
    return order, probabilities


def _whole_batch(probabilities, p):
    flat = probabilities.reshape(-1)
    order, values = ranked(flat)
    kept = back(np.where(values.cumsum() - values < p * len(flat) / probabilities.shape[-1], values, 0.0), order)
    return renormalised(kept.reshape(probabilities.shape))


def _one_sum(finish):
    """Sort and add up all rows as if they were one."""

    def answer(probabilities, p):
        order, values = ranked(probabilities.reshape(-1))
        kept = back(np.where(values.cumsum() - values < p, values, 0.0), order)
        return finish(kept.reshape(probabilities.shape))

    return answer


def _one_sum_of_sorted_rows(probabilities, p):
    """Sort each row by itself, but add up all rows as one."""

    def keep(values, before, p):
        return (values.reshape(-1).cumsum() - values.reshape(-1) < p).reshape(values.shape)

    return cut(keep)(probabilities, p)


def _sorted_along_axis_1(probabilities, p):
    order = np.argsort(-probabilities, axis=min(1, probabilities.ndim - 1), kind="stable")
    values = np.take_along_axis(probabilities, order, -1)
    return renormalised(back(np.where(values.cumsum(-1) - values < p, values, 0.0), order))


def _one_count(pick):
    """Keep the same number of tokens in each row: the one that ``pick`` takes from the numbers of the rows."""

    def answer(probabilities, p):
        order, values = ranked(probabilities)
        count = pick((values.cumsum(-1) - values < p).sum(-1))
        return renormalised(back(np.where(np.arange(values.shape[-1]) < count, values, 0.0), order))

    return answer


def _divided_by_p(probabilities, p):
    return cut(_few, finish=lambda kept: kept)(probabilities, p) / p


def _sum_of_all(probabilities, p):
    kept = cut(_few, finish=lambda kept: kept)(probabilities, p)
    return kept / kept.sum()


def _softmax_of(kept):
    exponentials = np.exp(kept)
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def _softmax_of_kept(kept):
    exponentials = np.where(kept > 0, np.exp(kept), 0)
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def _wrong_way(values, order):
    return np.take_along_axis(values, order, -1)


def _stay(values, order):
    return values


def _sorted_mask(probabilities, p):
    _, values = ranked(probabilities)
    return renormalised(np.where(values.cumsum(-1) - values < p, probabilities, 0.0))


top_p_by_hand = cut(_few)


def _by_a_loop(probabilities, p):
    found = np.zeros(probabilities.shape)
    for place in np.ndindex(probabilities.shape[:-1]):
        row, total = probabilities[place], 0.0
        for token in sorted(range(len(row)), key=lambda k, row=row: -row[k]):
            if total >= p:
                break
            found[(*place, token)] = row[token]
            total += row[token]
        found[place] /= total
    return found


def _by_the_smallest_kept(probabilities, p):
    _, values = ranked(probabilities)
    count = (values.cumsum(-1) < p).sum(-1, keepdims=True)
    least = np.take_along_axis(values, np.minimum(count, values.shape[-1] - 1), -1)
    return renormalised(np.where(probabilities >= least, probabilities, 0.0))


def _row(rng, v, first=None):
    """Draw different multiples of 1/1024 that sum to 1, in any order: their sums are exact in float32."""
    while True:
        parts = rng.permutation(np.arange(1, 180))[:v]
        parts[0] += 1024 - parts.sum() if first is None else 0
        if first is not None:
            parts[0] = first
            rest = rng.permutation(np.arange(1, 1024 - first))[: v - 2]
            parts[1:-1], parts[-1] = rest, 1024 - first - rest.sum()
        if parts.min() > 0 and len(set(parts.tolist())) == v:
            return rng.permutation(parts) / 1024


def _even(rng, v):
    """Draw a row of similar probabilities."""
    while True:
        parts = 1024 // v + rng.permutation(np.arange(-(1024 // v) // 2, (1024 // v) // 2))[:v]
        parts[-1] += 1024 - parts.sum()
        if parts.min() > 0 and len(set(parts.tolist())) == v:
            return rng.permutation(parts) / 1024


def _exact(row, count):
    """Return the sum of the ``count`` most probable: for exactly this p, top-p keeps them and no more."""
    return float(np.sort(row)[::-1][:count].sum())


def _draw(rng):
    def rows(*shape, v):
        drawn = [_even(rng, v) for _ in range(int(np.prod(shape)))]
        return np.array(drawn).reshape(*shape, v)

    single = _even(rng, 7)
    giant = np.array([_row(rng, 5, first=900), _even(rng, 5)])
    return [
        [np.array([0.125, 0.5, 0.0625, 0.25, 0.046875, 0.015625]), 0.8],
        [rows(4, v=6), 0.6],
        [single, _exact(single, 3)],
        [giant, 0.7],  # in the first row, one token has more than p
        [rows(2, 3, v=8), 0.9],
        [rows(3, v=5), 0.3],
        [rows(3, v=4), 1.0],
    ]


def _sums_to_one(result, probabilities, p):
    return np.allclose(result.sum(-1), 1, atol=1e-4)


top_p = Implement(
    id="decoding.top_p",
    answer_name="top_p",
    prompt="Probabilities cut to the fewest tokens that together have at least p, for any number of axes.",
    reference=top_p_by_hand,
    draw=_draw,
    alternatives=(_by_a_loop, _by_the_smallest_kept),
    properties=(Property("Each row of the result should sum to 1.", _sums_to_one),),
    why="A token is kept if those ranked ahead of it have less than p together, so the one that crosses p is kept as well.",
    hints=(
        "Begin with one row: sort it from the largest down, and add up. Which is the first token that you do *not* keep?",
        "Keep a token if the more probable ones together have less than p: that sum is cumsum minus the token's own probability. The "
        "first token is always kept.",
        "order = np.argsort(-probabilities, axis=-1) and np.take_along_axis sort each row; np.put_along_axis(new, order, kept, "
        "axis=-1) puts the values back. In torch, use sort(-1, descending=True) and zeros.scatter(-1, order, kept).",
        "Or avoid putting anything back: find the smallest probability that you keep, and keep all that are at least as "
        "large.",
    ),
    mistakes=(
        Mistake(
            "the token that crosses p is dropped",
            "You keep tokens only as long as their sum stays at or below p. So the tokens that you keep usually have *less* than p "
            "together.",
            "Keep the token that crosses p as well: compare p with the sum *before* a token.",
            cut(_without_the_last),
            variants=tuple(
                cut(form, finish=finish)
                for keep in (_without_the_last, _without_the_last_at_p)
                for form in (keep, _or_the_first(keep))
                for finish in (renormalised, _zeros_stay)
            )[1:],
        ),
        Mistake(
            "not renormalised",
            "You kept the right tokens, but their probabilities do not sum to 1.",
            "Divide each row by the sum of what you keep.",
            cut(_few, finish=lambda kept: kept),
        ),
        Mistake(
            "divided by p",
            "You divided by p. The tokens that you keep have *at least* p together, usually more, so your rows sum to more than 1.",
            "Divide each row by what its kept tokens really sum to.",
            _divided_by_p,
        ),
        Mistake(
            "left in sorted order",
            "Your numbers are right, but they are in sorted order, so they no longer belong to their tokens.",
            "Put them back with the same order that sorted them: use np.put_along_axis, or scatter in torch.",
            cut(_few, place=_stay),
        ),
        Mistake(
            "a sorted mask on unsorted tokens",
            "You built the mask in sorted order, and then used it on the unsorted probabilities. Its first entry belongs to the most "
            "probable token, not to token 0.",
            "First put the mask back, with the order that sorted the probabilities.",
            _sorted_mask,
        ),
        Mistake(
            "put back by the wrong permutation",
            "You tried to put the values back with values[order]. But that permutes them a second time.",
            "Write new[order] = values, not new = values[order].",
            cut(_few, place=_wrong_way),
        ),
        Mistake(
            "a share of the tokens",
            "You keep the fraction p of the *tokens*. But p is a fraction of the probability.",
            "Add up probabilities, from the largest down.",
            cut(_share),
        ),
        Mistake(
            "one too many",
            "Where the sum is exactly p, you keep one token too many. With *at least* p, you have enough already.",
            "Should it be `<` or `<=`?",
            cut(lambda values, before, p: before <= p),
        ),
        Mistake(
            "from the smallest up",
            "You add up from the least probable token, so the most probable ones come last, or are cut.",
            "Sort in descending order: np.argsort(-probabilities), or descending=True in torch.",
            cut(_few, rank=_ascending),
        ),
        Mistake(
            "not sorted",
            "You add up in the order of the vocabulary, so the ids decide which tokens you keep.",
            "Sort each row first.",
            cut(_few, rank=_unsorted),
        ),
        Mistake(
            "those above p",
            "You compare each token's own probability with a threshold. Top-p looks at the sum of the tokens' probabilities.",
            "Take the cumsum of the sorted probabilities.",
            cut(lambda values, before, p: (values >= p) | (before == 0)),
            variants=(
                cut(lambda values, before, p: values >= p),
                cut(lambda values, before, p: values >= 1 - p),
                cut(lambda values, before, p: (values >= 1 - p) | (before == 0)),
            ),
        ),
        Mistake(
            "those near the most probable one",
            "You keep the tokens that have at least p times the largest probability. That is a different rule, called min-p. "
            "Top-p looks at the sum of the tokens' probabilities.",
            "Take the cumsum of the sorted probabilities.",
            cut(lambda values, before, p: values >= p * values.max(-1, keepdims=True)),
        ),
        Mistake(
            "one token more than needed",
            "You keep one token more than you need: those before it already have at least p.",
            "The last one that is kept is the one with which the sum reaches p.",
            cut(one_more),
        ),
        Mistake(
            "sorted along axis 1",
            "Your function is right for one and for two axes. With three, it sorts along axis 1, but the tokens are along the "
            "last one.",
            "Use axis=-1 everywhere.",
            _sorted_along_axis_1,
        ),
        Mistake(
            "the whole batch together",
            "Your function is right for a single row. But in a batch, it sorts or adds up across the rows.",
            "Use axis=-1 everywhere.",
            _whole_batch,
            variants=(_sum_of_all,),
        ),
        Mistake(
            "one sum for the whole batch",
            "You add up the tokens of all rows together. Their sum soon reaches p, and nothing is left in some of the rows.",
            "Each row has its own sum: use axis=-1 in argsort and in cumsum.",
            _one_sum(renormalised),
            variants=(
                _one_sum(_zeros_stay),
                _one_sum(lambda kept: kept / kept.sum()),
                _one_sum(lambda kept: kept),
                _one_sum_of_sorted_rows,
            ),
        ),
        Mistake(
            "one number of tokens for all rows",
            "You keep the same number of tokens in each row. But how many it takes to reach p differs from row to row.",
            "Use the sums of each row for that row.",
            _one_count(np.max),
            variants=(_one_count(np.min), _one_count(lambda counts: counts.flat[0] if counts.ndim else counts)),
        ),
        Mistake(
            "softmax once more",
            "You used softmax to make the kept probabilities sum to 1. They are not logits, so softmax flattens them.",
            "Divide by their sum.",
            cut(_few, finish=_softmax_of),
            variants=(cut(_few, finish=_softmax_of_kept),),
        ),
    ),
)
