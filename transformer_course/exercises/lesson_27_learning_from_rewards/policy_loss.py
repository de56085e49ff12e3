"""Sheet 27: the clipped policy loss."""

import numpy as np

from ..kinds import Implement
from ..toolkit import mistake


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


def _whole_answer(log_probs, sampled, mask):
    return np.exp(((log_probs - sampled) * mask).sum(1, keepdims=True)) * np.ones(mask.shape)


def _draw(rng):
    def batch(r, n, clip, lengths):
        """Ratios from exp(−0.75) to exp(0.75), both ways for both signs, and padding far away from them."""
        sampled = -rng.integers(1, 17, (r, n)) / 8
        moves = rng.permutation(np.resize([-6, -4, -1, 1, 4, 6], r * n)).reshape(r, n) / 8
        moves[:, 0] = np.resize([0.75, -0.75, 0.5, -0.5, 0.75], r)
        signs = np.resize([1, -1, -1, 1, 1], r)
        advantages = signs * rng.integers(4, 17, r) / 8
        mask = np.arange(n) < np.resize(lengths, r)[:, None]
        moves[~mask] = 1.5
        return [sampled + moves, sampled, advantages, mask, clip]

    return [
        [np.array([[-0.5], [-0.5]]), np.array([[-1.0], [-1.0]]), np.array([2.0, -2.0]), np.ones((2, 1), bool), 0.25],
        batch(5, 4, 0.25, [4, 2, 3, 1, 4]),
        batch(4, 6, 0.125, [6, 1, 3, 2]),
        batch(7, 3, 0.5, [3, 1, 2]),
        batch(4, 5, 0.25, [5, 3, 2, 4]),
    ]


def _in_loops(log_probs, sampled, advantages, mask, clip):
    total = 0.0
    for now, then, a, real in zip(log_probs, sampled, advantages, mask, strict=True):
        tokens = []
        for x, y, counts in zip(now, then, real, strict=True):
            if counts:
                ratio = np.exp(x - y)
                tokens.append(-min(ratio * a, min(max(ratio, 1 - clip), 1 + clip) * a))
        total += sum(tokens) / len(tokens)
    return total / len(log_probs)


def _larger_of_two_losses(log_probs, sampled, advantages, mask, clip):
    ratio, a = np.exp(log_probs - sampled), advantages[:, None]
    losses = np.maximum(-a * ratio, -a * np.clip(ratio, 1 - clip, 1 + clip))
    return np.mean(np.where(mask, losses, 0).sum(1) / np.sum(mask, axis=1))


policy_loss = Implement(
    id="rewards.policy_loss",
    answer_name="policy_loss",
    prompt="The clipped policy loss, averaged over each answer's tokens and then over the answers.",
    reference=loss(),
    draw=_draw,
    alternatives=(_in_loops, _larger_of_two_losses),
    why=(
        "The minimum takes the clipped product only where the token has already moved as far as it should, so nothing pushes it "
        "further, and a move in the wrong direction is always corrected."
    ),
    hints=(
        "The ratio of two probabilities is exp of the difference of their logarithms. Each answer has one advantage for all its "
        "tokens: `advantages[:, None]` has shape (r, 1).",
        "Compute two products, ratio · advantage and clipped ratio · advantage. Take the smaller of the two at each token, and "
        "change its sign.",
        "For each answer, add up the loss of its real tokens and divide by how many there are: (loss * mask).sum(1) / "
        "mask.sum(1). Then take the mean over the answers.",
    ),
    mistakes=(
        mistake(
            "the sign",
            "Your loss has the wrong sign: making it smaller makes *bad* answers more probable.",
            "The minimum of the two products should become large. What does a loss do?",
            loss(sign=1.0),
        ),
        mistake(
            "the larger product",
            "You took the larger of the two products. Then the clip acts where the token has moved in the wrong direction, and "
            "nothing stops one that has moved too far in the right direction.",
            "Take the minimum of the products, before you change the sign.",
            loss(gain=lambda ratio, a, clip: np.maximum(ratio * a, np.clip(ratio, 1 - clip, 1 + clip) * a)),
        ),
        mistake(
            "always clipped",
            "You used the clipped ratio everywhere. Then a token that has moved in the wrong direction is not pulled back either, "
            "because a clipped number has no gradient.",
            "Compute the product with the ratio itself as well, and take the smaller of the two.",
            loss(gain=lambda ratio, a, clip: np.clip(ratio, 1 - clip, 1 + clip) * a),
        ),
        mistake(
            "never clipped",
            "You did not clip. Then a few updates on the same answers can change their probabilities without any limit.",
            "Clip the ratio to the range from 1 − clip to 1 + clip, and take the smaller product.",
            loss(gain=lambda ratio, a, clip: ratio * a),
        ),
        mistake(
            "the ratio upside down",
            "Your ratio is old over new. It falls when the token becomes more probable.",
            "Which of the two models is being trained? Its probability belongs in the numerator.",
            loss(ratio=lambda new, old, mask: np.exp(old - new)),
        ),
        mistake(
            "the difference in place of the ratio",
            "You used the difference of the log-probabilities. That is the logarithm of the ratio.",
            "Take exp of it.",
            loss(ratio=lambda new, old, mask: new - old),
        ),
        mistake(
            "a ratio of 1",
            "Your ratio is 1 everywhere, as if the model that sampled the answers were still the same. `sampled` is from before "
            "the update, and stays as it is.",
            "Divide the probability of each token now by that at the time when it was sampled.",
            loss(ratio=lambda new, old, mask: np.ones(new.shape)),
        ),
        mistake(
            "log-probability times advantage",
            "You weighted the log-probabilities themselves by the advantages. That is the plain policy gradient, which has no "
            "ratio and no clip.",
            "Use the ratio of the new to the old probability.",
            loss(gain=lambda log_p, a, clip: log_p * a, ratio=lambda new, old, mask: new),
        ),
        mistake(
            "one ratio per answer",
            "You multiplied the ratios of a whole answer. (Some methods do.) Here each token has its own ratio and its own clip.",
            "Do not add up the log-probabilities of an answer before you take exp.",
            loss(ratio=_whole_answer),
        ),
        mistake(
            "padding counts as length",
            "You set the loss of padding to 0, but divided by the length with the padding. Short answers then learn less.",
            "Divide each answer's sum by its number of real tokens.",
            loss(mean=lambda values, mask: (values * mask).mean()),
        ),
        mistake(
            "padding has a loss",
            "You did not use the mask, so padding (or the prompt) is trained as if the model had written it.",
            "Which tokens did the model choose? Only these may have a loss.",
            loss(mean=lambda values, mask: values.mean()),
        ),
        mistake(
            "the sum over tokens",
            "You added up the tokens of each answer. Then a long answer weighs more than a short one.",
            "Divide each answer's sum by its number of real tokens.",
            loss(mean=lambda values, mask: (values * mask).sum(1).mean()),
        ),
        mistake(
            "the mean over all tokens",
            "You averaged over the tokens of all answers together, so each answer weighs as much as it is long. (Some methods "
            "do.) Here every answer weighs the same.",
            "Take the mean within each answer first, then over the answers.",
            loss(mean=lambda values, mask: values[mask].mean()),
        ),
        mistake(
            "the sum over answers",
            "You averaged over the tokens of each answer, but added up the answers.",
            "Take the mean over the answers as well.",
            loss(mean=lambda values, mask: ((values * mask).sum(1) / mask.sum(1)).sum()),
        ),
        mistake(
            "clipped only above",
            "You limited the ratio only from above. If the answer was bad, its tokens should become *less* probable, and that "
            "needs a limit too.",
            "Clip to the range from 1 − clip to 1 + clip.",
            loss(gain=lambda ratio, a, clip: np.minimum(ratio * a, np.minimum(ratio, 1 + clip) * a)),
        ),
        mistake(
            "the product clipped",
            "You clipped the product of ratio and advantage. The clip is for the ratio alone, so that it does not depend on how "
            "large the advantage is.",
            "Clip first, then multiply by the advantage.",
            loss(gain=lambda ratio, a, clip: np.minimum(ratio * a, np.clip(ratio * a, 1 - clip, 1 + clip))),
        ),
    ),
)
