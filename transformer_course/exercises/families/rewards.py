"""What goes wrong in learning from rewards: in the advantages of groups, in the clipped loss, and in pass@k.

A piece of `ADVANTAGES` is ``advantages(rewards)``, with rewards (b, g). One of `POLICY` has the keywords in which `loss`
differs. One of `PASS_AT_K` is ``value(c, n, k)``: of a prompt with c right answers among n.
"""

from functools import partial
from math import comb

import numpy as np

from ..exercise import in_order
from . import pairs


def scores(rewards, centre=None, spread=None, guard=True):
    """(rewards − centre) / spread for each group; 0 where the spread is 0, if guarded."""
    rewards = np.asarray(rewards, float)
    centre = rewards.mean(1, keepdims=True) if centre is None else centre(rewards)
    exact = np.ptp(rewards, 1, keepdims=True) > 0  # three times 0.1 differ by nothing, but their std is not quite 0
    spread = rewards.std(1, keepdims=True) * exact if spread is None else spread(rewards)
    with np.errstate(all="ignore"):
        found = (rewards - centre) / spread
    return np.where(np.isfinite(found), found, 0.0) if guard else found


def _row(of):
    return lambda rewards: np.apply_along_axis(of, 1, rewards)[:, None]


ADVANTAGES = {
    "without the mean": (
        "You did not subtract the group's mean. Then with rewards of 0 and 1, no answer ever becomes less probable, and a "
        "prompt that is easy pushes as hard as one that is not.",
        "What does the model earn on average for this prompt? Compare each answer with that.",
        *(lambda r, e=e: scores(r, lambda r: 0.0, lambda r: r.std(1, keepdims=True).clip(e), e > 0) for e in (0, 1e-6, 1e-8)),
    ),
    "not divided by the deviation": (
        "You subtracted the mean, but did not divide. Then a reward in cents pushes a hundred times as hard as one in euros.",
        "Divide each difference by the standard deviation of its group.",
        lambda rewards: scores(rewards, spread=lambda r: 1.0),
        lambda rewards: scores(rewards, centre=lambda r: r.mean(), spread=lambda r: 1.0),
    ),
    "divided by the variance": (
        "You divided by the variance, which is in squares of rewards.",
        "Take the square root of the variance first.",
        lambda rewards: scores(rewards, spread=_row(np.var)),
    ),
    "divided by g − 1": (
        "Your deviation divides the squares by g − 1, as an estimate from a sample does. Here the g answers are all there "
        "are.",
        "NumPy's `std` divides by g. In torch, pass `correction=0`.",
        lambda rewards: scores(rewards, spread=lambda r: r.std(1, keepdims=True, ddof=1)),
        lambda rewards: scores(rewards, spread=lambda r: r.std(1, keepdims=True, ddof=1) + 1e-4),
    ),
    "the deviation of all groups": (
        "You divided by one deviation for all groups together. It mixes the differences between prompts with those between "
        "answers.",
        "Compute the deviation of each row by itself.",
        lambda rewards: scores(rewards, spread=lambda r: r.std()),
    ),
    "the mean of all groups": (
        "You subtracted one mean for all groups. Then every answer to an easy prompt looks good, and every answer to a hard "
        "one looks bad.",
        "Compute the mean of each row by itself.",
        lambda rewards: scores(rewards, centre=lambda r: r.mean()),
    ),
    "the mean and deviation of all groups": (
        "You treated all groups as one. An answer has to be compared with other answers to the *same* prompt.",
        "Which axis holds the answers to one prompt? Take the mean and the deviation along that one.",
        lambda rewards: scores(rewards, centre=lambda r: r.mean(), spread=lambda r: r.std()),
    ),
    "across prompts": (
        "You compared answers to different prompts: your mean and deviation go down the columns.",
        "Which axis holds the answers to one prompt?",
        lambda rewards: scores(np.asarray(rewards).T).T,
    ),
    "the sign": (
        "Your signs are the wrong way round: answers that are better than their group get negative advantages.",
        "Subtract the mean from the reward.",
        lambda rewards: -scores(rewards),
    ),
    "nan for equal rewards": (
        "Where all rewards of a group are equal, you divide 0 by 0. One such group turns the whole loss into nan.",
        "No answer of such a group is better than another. What should their advantages be?",
        lambda rewards: scores(rewards, guard=False),
    ),
    "the small number too large": (
        "You added a number to the deviation that is large enough to change the advantages.",
        "A small number is for rows whose rewards are all equal. 1e-8 is enough there, and changes nothing elsewhere.",
        *(lambda r, eps=eps: scores(r, spread=lambda r: r.std(1, keepdims=True) + eps) for eps in (1e-4, 1e-3, 1e-2)),
    ),
    "the mean of the others": (
        "You compared each answer with the mean of the *other* answers. Some methods do (leave-one-out), but here the mean is "
        "over the whole group.",
        "Take the mean over all g rewards of a row.",
        lambda rewards: scores(rewards) * np.shape(rewards)[1] / (np.shape(rewards)[1] - 1),
        lambda rewards: scores(rewards, spread=lambda r: 1 - 1 / r.shape[1]),  # and not divided, as RLOO has it
    ),
    "the best as the baseline": (
        "You subtracted the largest reward of the group. Then no answer is ever made more probable.",
        "Subtract the mean of the group.",
        lambda rewards: scores(rewards, centre=_row(np.max)),
    ),
    "divided by the range": (
        "You divided by another measure of spread: the range of the rewards, or their mean absolute difference from the mean.",
        "Use the standard deviation: the root of the mean squared difference from the mean.",
        lambda rewards: scores(rewards, spread=_row(np.ptp)),
        lambda rewards: scores(rewards, spread=_row(lambda row: np.abs(row - row.mean()).mean())),
    ),
}


def smaller(ratio, advantage, clip):
    return np.minimum(ratio * advantage, np.clip(ratio, 1 - clip, 1 + clip) * advantage)


def ratio_of(log_probs, sampled, mask):
    return np.exp(log_probs - sampled)


def per_answer(values, mask):
    return ((values * mask).sum(1) / mask.sum(1)).mean()


def loss(gain=smaller, ratio=ratio_of, mean=per_answer, sign=-1.0):
    """An answer: ``mean(−gain(ratio, advantage, clip))``."""

    def answer(log_probs, sampled, advantages, mask, clip):
        mask = np.asarray(mask, bool)
        advantage = np.asarray(advantages, float)[:, None]
        return sign * mean(gain(ratio(np.asarray(log_probs), np.asarray(sampled), mask), advantage, clip), mask)

    return answer


def _whole_answer(log_probs, sampled, mask, total=lambda each, mask: each):
    """One ratio for all tokens of an answer, from the sum of their logarithms, or from what ``total`` makes of it."""
    return np.exp(total(((log_probs - sampled) * mask).sum(1, keepdims=True), mask)) * np.ones(mask.shape)


POLICY = {
    "the sign": (
        "Your loss has the wrong sign: making it smaller makes *bad* answers more probable.",
        "The minimum of the two products should become large. What does a loss do?",
        {"sign": 1.0},
    ),
    "the larger product": (
        "You took the larger of the two products. Then the clip acts where the token has moved in the wrong direction, and "
        "nothing stops one that has moved too far in the right direction.",
        "Take the minimum of the products, before you change the sign.",
        {"gain": lambda ratio, a, clip: np.maximum(ratio * a, np.clip(ratio, 1 - clip, 1 + clip) * a)},
    ),
    "always clipped": (
        "You used the clipped ratio everywhere. Then a token that has moved in the wrong direction is not pulled back either, "
        "because a clipped number has no gradient.",
        "Compute the product with the ratio itself as well, and take the smaller of the two.",
        {"gain": lambda ratio, a, clip: np.clip(ratio, 1 - clip, 1 + clip) * a},
    ),
    "never clipped": (
        "You did not clip. Then a few updates on the same answers can change their probabilities without any limit.",
        "Clip the ratio to the range from 1 − clip to 1 + clip, and take the smaller product.",
        {"gain": lambda ratio, a, clip: ratio * a},
    ),
    "the smaller ratio": (
        "Where the advantage is negative, you took the larger of the two products. (The smaller of the two *ratios* gives the "
        "same.) Then nothing holds back a token that has moved too far in the right direction.",
        "Multiply each ratio by the advantage first, then take the minimum of the two products, whatever its sign.",
        {"gain": lambda ratio, a, clip: np.minimum(ratio, np.clip(ratio, 1 - clip, 1 + clip)) * a},
    ),
    "the ratio upside down": (
        "Your ratio is old over new. It falls when the token becomes more probable.",
        "Which of the two models is being trained? Its probability belongs in the numerator.",
        {"ratio": lambda new, old, mask: np.exp(old - new)},
    ),
    "the logarithm clipped": (
        "You clipped the logarithm of the ratio. Its range is then from exp(−clip) to exp(clip).",
        "Take exp first, and clip the ratio to the range from 1 − clip to 1 + clip.",
        {"gain": lambda ratio, a, clip: np.minimum(ratio * a, ratio.clip(np.exp(-clip), np.exp(clip)) * a)},
    ),
    "advantages normalised again": (
        "You normalised the advantages once more. They come from their groups, and stay as they are.",
        "Use `advantages` as given. (Some programs normalise them here, because they have not done so before.)",
        {"gain": lambda ratio, a, clip: smaller(ratio, (a - a.mean()) / a.std(), clip)},
        {"gain": lambda ratio, a, clip: smaller(ratio, (a - a.mean()) / a.std(ddof=1), clip)},
    ),
    "the difference in place of the ratio": (
        "You used the difference of the log-probabilities. That is the logarithm of the ratio.",
        "Take exp of it.",
        {"ratio": lambda new, old, mask: new - old},
    ),
    "the logarithms divided": (
        "You divided one log-probability by the other. The ratio of two probabilities is something else.",
        "exp(a − b) is exp(a) / exp(b).",
        {"ratio": lambda new, old, mask: new / old},
    ),
    "a ratio of 1": (
        "Your ratio is 1 everywhere, as if the model that sampled the answers were still the same. `sampled` is from before "
        "the update, and stays as it is.",
        "Divide the probability of each token now by that at the time when it was sampled.",
        {"ratio": lambda new, old, mask: np.ones(new.shape)},
    ),
    "log-probability times advantage": (
        "You weighted the log-probabilities themselves by the advantages. That is the plain policy gradient, which has no "
        "ratio and no clip.",
        "Use the ratio of the new to the old probability.",
        {"gain": lambda log_p, a, clip: log_p * a, "ratio": lambda new, old, mask: new},
    ),
    "one ratio per answer": (
        "You made one ratio of a whole answer, the product or the mean of its tokens' ratios. (Some methods do.) Here each "
        "token has its own ratio and its own clip.",
        "Take exp of each token's difference, before anything is added up or averaged.",
        {"ratio": _whole_answer},
        {"ratio": partial(_whole_answer, total=lambda each, mask: each / mask.sum(1, keepdims=True))},
    ),
    "padding counts as length": (
        "You set the loss of padding to 0, but divided by the length with the padding. Short answers then learn less.",
        "Divide each answer's sum by its number of real tokens.",
        {"mean": lambda values, mask: (values * mask).mean()},
    ),
    "padding has a loss": (
        "You did not use the mask, so padding (or the prompt) is trained as if the model had written it.",
        "Which tokens did the model choose? Only these may have a loss.",
        {"mean": lambda values, mask: values.mean()},
    ),
    "the sum over tokens": (
        "You added up the tokens of each answer. Then a long answer weighs more than a short one.",
        "Divide each answer's sum by its number of real tokens.",
        {"mean": lambda values, mask: (values * mask).sum(1).mean()},
    ),
    "the mean over all tokens": (
        "You averaged over the tokens of all answers together, so each answer weighs as much as it is long. (Some methods "
        "do.) Here every answer weighs the same.",
        "Take the mean within each answer first, then over the answers.",
        {"mean": lambda values, mask: values[mask].mean()},
    ),
    "the sum over answers": (
        "You averaged over the tokens of each answer, but added up the answers.",
        "Take the mean over the answers as well.",
        {"mean": lambda values, mask: ((values * mask).sum(1) / mask.sum(1)).sum()},
    ),
    "clipped only above": (
        "You limited the ratio only from above. If the answer was bad, its tokens should become *less* probable, and that "
        "needs a limit too.",
        "Clip to the range from 1 − clip to 1 + clip.",
        {"gain": lambda ratio, a, clip: np.minimum(ratio * a, np.minimum(ratio, 1 + clip) * a)},
    ),
    "clipped to another range": (
        "Your range is a different one: it reaches further above than below (as some methods want it), begins at "
        "1 / (1 + clip), or is always that of 0.2.",
        "Clip to the range from 1 − clip to 1 + clip.",
        {"gain": lambda ratio, a, clip: np.minimum(ratio * a, np.clip(ratio, 1 - clip, 1 + 1.4 * clip) * a)},
        {"gain": lambda ratio, a, clip: np.minimum(ratio * a, np.clip(ratio, 1 / (1 + clip), 1 + clip) * a)},
        {"gain": lambda ratio, a, clip: smaller(ratio, a, 0.2)},
    ),
    "clipped around 0": (
        "You clipped the ratio to the range from −clip to clip. A token that has not moved has a ratio of 1, not 0.",
        "Clip to the range from 1 − clip to 1 + clip.",
        {"gain": lambda ratio, a, clip: np.minimum(ratio * a, np.clip(ratio, -clip, clip) * a)},
        {"gain": lambda ratio, a, clip: np.clip(ratio, -clip, clip) * a},
    ),
    "the product clipped": (
        "You clipped the product of ratio and advantage. The clip is for the ratio alone, so that it does not depend on how "
        "large the advantage is.",
        "Clip first, then multiply by the advantage.",
        {"gain": lambda ratio, a, clip: np.minimum(ratio * a, np.clip(ratio * a, 1 - clip, 1 + clip))},
    ),
}


_OF_GAINS, _OF_MEANS = ([each for each in in_order(POLICY) if {*each.answer} == {part}] for part in ("gain", "mean"))
POLICY_AND_PAIRS = [*in_order(POLICY), *pairs(dict.__or__, _OF_GAINS, _OF_MEANS)]


def passed(c, n, k):
    """The fraction of all sets of k answers that hold a right one."""
    return 1 - comb(n - c, k) / comb(n, k)


PASS_AT_K = {
    "1 − (1 − p)^k": (
        "You drew the k answers with replacement: 1 − (1 − c/n)^k may draw the same wrong answer twice. That is too low, "
        "most of all if k is close to n.",
        "k *different* answers out of n: how many such sets are there?",
        lambda c, n, k: 1 - (1 - c / n) ** k,
    ),
    "pass@1": (
        "Your result is c/n for every k. That is the probability that *one* answer is right.",
        "What if you may try k times, and one right answer is enough?",
        lambda c, n, k: c / n,
    ),
    "k times p": (
        "You multiplied c/n by k. That counts sets with several right answers several times.",
        "Take 1 minus the probability that all k are wrong.",
        lambda c, n, k: k * c / n,
        lambda c, n, k: min(1.0, k * c / n),
    ),
    "all k right": (
        "You computed how probable it is that *all* k answers are right. One is enough.",
        "Which sets of k answers fail? Only those without a single right one.",
        lambda c, n, k: comb(c, k) / comb(n, k),
    ),
    "one wrong in place of one right": (
        "You subtracted the sets that hold only *right* answers. What is left are those with at least one wrong one.",
        "A set fails if it holds only wrong answers, of which there are n − c.",
        lambda c, n, k: 1 - comb(c, k) / comb(n, k),
    ),
    "p to the power k": (
        "You raised c/n to the power k: the probability that k independent answers are *all* right.",
        "One right answer is enough. Which sets of k answers fail?",
        lambda c, n, k: (c / n) ** k,
    ),
    "the probability of failing": (
        "You computed the probability that all k answers are wrong.",
        "Subtract it from 1.",
        lambda c, n, k: comb(n - c, k) / comb(n, k),
    ),
    "exactly one right": (
        "You counted the sets with exactly one right answer. Sets with two or more pass as well.",
        "Count the sets without any right answer, and subtract.",
        lambda c, n, k: c * comb(n - c, k - 1) / comb(n, k),
    ),
    "any answer at all": (
        "Your result is 1 as soon as any of the n answers is right. That is pass@n, or what `//` makes of the share.",
        "Only k of the n answers may be looked at, and `/` keeps the fraction.",
        lambda c, n, k: c > 0,
    ),
    "0 where few are wrong": (
        "Where fewer than k answers are wrong, every set of k holds a right one. So the result is 1 there, not 0.",
        "What is comb(n − c, k) when n − c is smaller than k?",
        lambda c, n, k: 0.0 if n - c < k else 1 - comb(n - c, k) / comb(n, k),
    ),
    "n to the power k": (
        "You divided by n^k, as if the order mattered and answers could repeat.",
        "How many sets of k different answers are there?",
        lambda c, n, k: 1 - comb(n - c, k) / n**k,
    ),
    "one answer too few": (
        "Your sets have k − 1 answers.",
        "Use k itself in both binomial coefficients.",
        lambda c, n, k: 1 - comb(n - c, k - 1) / comb(n, k - 1),
    ),
}
