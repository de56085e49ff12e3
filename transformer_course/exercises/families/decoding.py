"""What goes wrong in top-p, a piece ``top_p(probabilities, p)``, and in a loop that generates ids.

A piece of LOOP is ``generate(step, begin, end, limit)``, where ``step(ids)`` gives scores, and ``begin`` is a list of ids.
"""

import numpy as np

from ..toolkit import same


def _sorted_along(order_of):
    """Rank by ``order_of(probabilities)``: return that order, and the probabilities in it."""

    def rank(probabilities):
        order = order_of(probabilities)
        return order, np.take_along_axis(probabilities, order, -1)

    return rank


ranked = _sorted_along(lambda probabilities: np.argsort(-probabilities, axis=-1, kind="stable"))  # the most probable first


def back(values, order):
    found = np.zeros(values.shape)
    np.put_along_axis(found, order, values, -1)
    return found


def _permuted(values, order):
    return np.take_along_axis(values, order, -1)


def renormalised(kept):
    return kept / kept.sum(axis=-1, keepdims=True)


def few(values, before, p):
    return before < p


def cut(keep=few, place=back, finish=renormalised, rank=ranked):
    """Return an answer that keeps what ``keep(sorted probabilities, sums before them, p)`` says."""

    def answer(probabilities, p):
        order, values = rank(probabilities)
        return finish(place(np.where(keep(values, values.cumsum(-1) - values, p), values, 0.0), order))

    return answer


top_p = cut()


def by_the_smallest_kept(probabilities, p):
    """Another right way: keep all that are at least as probable as the last one that is needed."""
    _, values = ranked(probabilities)
    count = (values.cumsum(-1) < p).sum(-1, keepdims=True)
    least = np.take_along_axis(values, np.minimum(count, values.shape[-1] - 1), -1)
    return renormalised(np.where(probabilities >= least, probabilities, 0.0))


def _or_the_first(keep):
    return lambda values, before, p: keep(values, before, p) | (before == 0)


def _up_to(compare):
    return lambda values, before, p: compare(before + values, p)


def _zeros_stay(kept):
    """Divide each row by its sum; a row of zeros stays as it is."""
    total = kept.sum(axis=-1, keepdims=True)
    return kept / np.where(total == 0, 1, total)


def _shifted(keep):
    """All that are kept, and one more."""

    def one_more(values, before, p):
        kept = np.broadcast_to(keep(values, before, p), values.shape)
        return np.concatenate([np.ones_like(kept[..., :1]), kept[..., :-1]], axis=-1)

    return one_more


def _sorted_mask(probabilities, p, place=lambda keep, order: keep):
    order, values = ranked(probabilities)
    return renormalised(np.where(place(few(values, values.cumsum(-1) - values, p), order), probabilities, 0.0))


def _as_one_row(finish, share=lambda p, rows: p):
    """Sort and add up all rows as if they were one, of which ``share(p, rows)`` is kept."""

    def answer(probabilities, p):
        rows = probabilities.size / probabilities.shape[-1]
        kept = cut(finish=same)(probabilities.reshape(-1), share(p, rows))
        return finish(kept.reshape(probabilities.shape))

    return answer


def _one_count(pick):
    """Keep the same number of tokens in each row: the one that ``pick`` takes from the numbers of the rows."""
    return cut(lambda values, before, p: np.arange(values.shape[-1]) < pick((before < p).sum(-1)))


def _softmax_of(kept, where=True):
    exponentials = np.where(where, np.exp(kept), 0)
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


TOP_P = {
    "the token that crosses p is dropped": (
        "You keep tokens only as long as their sum stays at or below p. So the tokens that you keep usually have *less* than "
        "p together.",
        "Keep the token that crosses p as well: compare p with the sum *before* a token.",
        *(
            cut(form, finish=finish)
            for keep in map(_up_to, (np.less_equal, np.less))
            for form in (keep, _or_the_first(keep))
            for finish in (renormalised, _zeros_stay)
        ),
    ),
    "the token that crosses p is dropped, and not renormalised": (
        "There are two mistakes. You keep tokens only as long as their sum stays at or below p, and what is left does not sum "
        "to 1.",
        "Compare p with the sum *before* a token. Then divide by the sum of what you keep, in each row.",
        *(cut(keep, finish=same) for keep in (_up_to(np.less_equal), _up_to(np.less), _or_the_first(_up_to(np.less)))),
    ),
    "not renormalised": (
        "You kept the right tokens, but their probabilities do not sum to 1.",
        "Divide by the sum of what you keep, in each row.",
        cut(finish=same),
    ),
    "divided by p": (
        "You divided by p. The tokens that you keep have *at least* p together, usually more, so the result sums to more than "
        "1.",
        "Divide by what the kept tokens really sum to, in each row.",
        lambda probabilities, p: cut(finish=same)(probabilities, p) / p,
    ),
    "left in sorted order": (
        "Your numbers are right, but they are in sorted order, so they no longer belong to their tokens.",
        "Put them back with the same order that sorted them: use np.put_along_axis, or scatter in torch.",
        cut(place=lambda values, order: values),
    ),
    "left in sorted order, and not renormalised": (
        "Your numbers are in sorted order, so they no longer belong to their tokens. And they do not sum to 1.",
        "Put them back with the same order that sorted them. Then divide by the sum of what you keep, in each row.",
        cut(place=lambda values, order: values, finish=same),
    ),
    "a sorted mask on unsorted tokens": (
        "You built the mask in sorted order, and then used it on the unsorted probabilities. Its first entry belongs to the "
        "most probable token, not to token 0.",
        "First put the mask back, with the order that sorted the probabilities.",
        _sorted_mask,
    ),
    "put back by the wrong permutation": (
        "You tried to put the values, or the mask, back with values[order]. But that permutes them a second time.",
        "Write new[order] = values, not new = values[order].",
        cut(place=_permuted),
        lambda probabilities, p: _sorted_mask(probabilities, p, _permuted),
    ),
    "a share of the tokens": (
        "You keep the fraction p of the *tokens*. But p is a fraction of the probability.",
        "Add up probabilities, from the largest down.",
        *(
            cut(lambda values, before, p, to=to: np.arange(values.shape[-1]) < max(1, to(p * values.shape[-1])))
            for to in (np.ceil, np.floor, np.round)
        ),
    ),
    "one too many": (
        "Where the sum is exactly p, you keep one token too many. With *at least* p, you have enough already.",
        "Should it be `<` or `<=`?",
        cut(lambda values, before, p: before <= p),
    ),
    "one token more than needed": (
        "You keep one token more than you need: those before it already have at least p.",
        "The last one that is kept is the one with which the sum reaches p.",
        cut(_shifted(few)),
    ),
    "one token more than needed, and one too many": (
        "You do two things to keep the token that crosses p: you compare p with the sum *before* each token, and you shift "
        "the result by one place. So you keep a token more than you need, and another one where the sum is exactly p.",
        "Either of the two is enough. Then ask what happens where the sum is exactly p: `<` or `<=`?",
        cut(_shifted(lambda values, before, p: before <= p)),
    ),
    "from the smallest up": (
        "You add up from the least probable token, so the most probable ones come last, or are cut.",
        "Sort in descending order: np.argsort(-probabilities), or descending=True in torch.",
        cut(rank=_sorted_along(lambda probabilities: np.argsort(probabilities, axis=-1, kind="stable"))),
    ),
    "not sorted": (
        "You add up in the order of the vocabulary, so the ids decide which tokens you keep.",
        "Sort first, each row by itself.",
        cut(
            rank=_sorted_along(lambda probabilities: np.broadcast_to(np.arange(probabilities.shape[-1]), probabilities.shape))
        ),
    ),
    "added up over the rows": (
        "You added up along axis 0. For a batch, that adds the probabilities of different rows.",
        "Each row has a sum of its own: cumsum along the last axis, -1.",
        cut(lambda values, before, p: values.cumsum(0) - values < p),
    ),
    "those above p": (
        "You compare each token's own probability with a threshold. Top-p looks at the sum of the tokens' probabilities.",
        "Take the cumsum of the sorted probabilities.",
        *(
            cut(form)
            for keep in (lambda values, before, p: values >= p, lambda values, before, p: values >= 1 - p)
            for form in (_or_the_first(keep), keep)
        ),
    ),
    "those near the most probable one": (
        "You keep the tokens that have at least p (or 1 − p) times the largest probability. That is another rule, min-p. "
        "Top-p looks at the sum of the tokens' probabilities.",
        "Take the cumsum of the sorted probabilities.",
        cut(lambda values, before, p: values >= p * values.max(-1, keepdims=True)),
        cut(lambda values, before, p: values >= (1 - p) * values.max(-1, keepdims=True)),
    ),
    "one token left": (
        "You keep the most probable token alone, whatever p is. That is greedy decoding.",
        "Keep the fewest tokens that together have at least p.",
        cut(lambda values, before, p: before == 0),
    ),
    "nothing cut": (
        "No token has been removed: these are the probabilities of all of them.",
        "Set to 0 the probabilities of all tokens that are not among the fewest that reach p.",
        lambda probabilities, p: probabilities,
    ),
    "sorted along axis 1": (
        "Your function is right for one and for two axes. With three, it sorts along axis 1, but the tokens are along the "
        "last one.",
        "Use axis=-1 everywhere.",
        cut(rank=_sorted_along(lambda probabilities: np.argsort(-probabilities, axis=min(1, probabilities.ndim - 1)))),
    ),
    "the whole batch together": (
        "Your function is right for a single row. In a batch, it sorts or adds up across the rows, so what is kept in one row "
        "depends on the others.",
        "Each row has its own order and its own sum: use axis=-1 in argsort, in cumsum and in sum.",
        _as_one_row(renormalised, lambda p, rows: p * rows),
        *(_as_one_row(finish) for finish in (renormalised, _zeros_stay, lambda kept: kept / kept.sum(), same)),
        cut(lambda values, before, p: values.cumsum().reshape(values.shape) - values < p),
        cut(finish=lambda kept: kept / kept.sum()),
    ),
    "one number of tokens for all rows": (
        "You keep the same number of tokens in each row. But how many it takes to reach p differs from row to row.",
        "Use the sums of each row for that row.",
        *map(_one_count, (np.max, np.min, lambda counts: counts.flat[0] if counts.ndim else counts)),
    ),
    "softmax once more": (
        "You used softmax to make the kept probabilities sum to 1. They are not logits, so softmax flattens them.",
        "Divide by their sum.",
        cut(finish=_softmax_of),
        cut(finish=lambda kept: _softmax_of(kept, kept > 0)),
    ),
}


def loop(
    choose=np.argmax,
    sees=lambda ids, given: ids,
    gives=lambda new, given, end: new,
    room=lambda limit, given, end: limit,
    last=lambda chosen, given, end: chosen == end,
):
    """A loop that is right except for what is passed here: what the step ``sees`` of all ids, what the loop ``gives`` back of
    the new ones, the ``room`` that it has for them, and the ``last`` of them. ``given`` are the ids of the beginning."""

    def generate(step, begin, end, limit):
        ids = [*begin]
        for _ in range(room(limit, begin, end)):
            ids.append(int(choose(step(sees(ids, begin)))))
            if last(ids[-1], begin, end):
                break
        return np.array(gives(ids[len(begin) :], begin, end))

    return generate


SIGHTS = {
    "the last id": lambda ids, given: ids[-1:],
    "the beginning": lambda ids, given: ids[: len(given)],
    "the new ids": lambda ids, given: ids[len(given) :] or ids,
}

LOOP = {
    "begin is returned too": (
        "Your ids start with what was given as `begin`. It was not generated.",
        "How many ids does your list have before the first round? Return the rest.",
        loop(gives=lambda new, given, end: [*given, *new]),
        loop(room=lambda limit, given, end: limit - len(given), gives=lambda new, given, end: [*given, *new]),
    ),
    "end is missing": (
        "Your sequences stop before end. Without it, a complete sequence looks the same as one that was cut off at the limit.",
        "First append the token, then check whether it was end.",
        loop(gives=lambda new, given, end: [token for token in new if token != end]),
    ),
    "end does not stop it": (
        "Your loop goes on after end, until it reaches the limit.",
        "Compare the chosen token with end in each round.",
        loop(last=lambda *given: False),
    ),
    "end is appended after a cut": (
        "When the limit comes first, you append end anyway. But the model did not choose it.",
        "Return only tokens that were chosen.",
        loop(gives=lambda new, given, end: new if new[-1:] == [end] else [*new, end]),
    ),
    "begin counts towards the limit": (
        "Your sequences are cut too early, because what was given counts towards the limit. It is for new tokens only.",
        "How long is your list when it holds `begin` and `limit` new tokens?",
        loop(room=lambda limit, given, end: limit - len(given)),
    ),
    "begin taken for the end": (
        "If `end` is in `begin`, or is its last token, you generate nothing. Only a token that was chosen ends the sequence.",
        "Compare `end` with the token just chosen, after you have appended it.",
        loop(room=lambda limit, given, end: limit * (end not in given)),
        loop(room=lambda limit, given, end: limit * (end != given[-1])),
    ),
    "begin chosen again": (
        "Your sequences stop where an id of `begin` is chosen again, or lose it there. A chosen token counts, whatever it is.",
        "Compare the chosen token with `end` alone. What was given, you know by its length, not by its ids.",
        loop(last=lambda chosen, given, end: chosen == end or chosen in given),
        loop(gives=lambda new, given, end: [token for token in new if token not in given]),
    ),
    "end is sought in the whole list": (
        "If `end` is in `begin`, you stop after the first token, because your list contains it from the start. Only a token "
        "that was chosen ends the sequence.",
        "Compare `end` with the newest token only.",
        loop(room=lambda limit, given, end: min(limit, 1) if end in given else limit),
    ),
    "one token at least": (
        "Everything is right except when limit is 0. You still return a token, but there is room for none.",
        "Test the limit before you choose a token.",
        loop(room=lambda limit, given, end: max(limit, 1)),
    ),
    "one too many": (
        "Your sequences are cut one token too late.",
        "How many times does your loop run? Should it be `<` or `<=`?",
        loop(room=lambda limit, given, end: limit + 1),
    ),
    "step sees only the last token": (
        "You passed only the newest token, or the newest few, to step. But what comes next depends on all tokens so far.",
        "Pass the whole list, including begin.",
        loop(sees=SIGHTS["the last id"]),
        loop(sees=lambda ids, given: ids[-len(given) :]),
    ),
    "always the same beginning": (
        "You passed only `begin` to step in every round, so it returns the same scores each time. The chosen tokens never "
        "reach it.",
        "The list that you pass to step has to grow.",
        loop(sees=SIGHTS["the beginning"]),
    ),
    "begin is shown to step only once": (
        "You passed `begin` to step only the first time. Later, step saw only the new tokens, but what comes next depends on "
        "everything from the beginning on.",
        "Everything that step reads starts with `begin`.",
        loop(sees=SIGHTS["the new ids"]),
    ),
    "begin is not shown to step": (
        "You passed only the generated tokens to step. For the first token, that is an empty list.",
        "Everything that step reads starts with `begin`.",
        loop(sees=lambda ids, given: ids[len(given) :]),
    ),
    "the least probable": (
        "You took the index of the smallest score.",
        "Use argmax, not argmin. (np.argsort sorts from the smallest to the largest.)",
        loop(np.argmin),
    ),
    "the score in place of the id": (
        "You appended the largest score itself. The id of a token is the *index* of its score.",
        "np.max and max return the score. Which function returns its index?",
        loop(np.max),
    ),
    "only one token": (
        "You returned one token where there should be more, as if your `return` were inside the loop.",
        "Indent `return` as far as the `for` line, so that it comes after the loop.",
        loop(gives=lambda new, given, end: new[:1]),
    ),
    "only the last token": (
        "You returned only the last token. The exercise asks for all of them.",
        "Collect them in a list.",
        loop(gives=lambda new, given, end: new[-1:]),
        loop(gives=lambda new, given, end: new[-1] if new else new),
    ),
}
