"""Sheet 27: the clipped policy loss."""

import numpy as np

from ..families import adapted
from ..families.rewards import POLICY_AND_PAIRS, loss
from ..kinds import Implement


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
    mistakes=adapted(POLICY_AND_PAIRS, lambda piece: loss(**piece)),
)
