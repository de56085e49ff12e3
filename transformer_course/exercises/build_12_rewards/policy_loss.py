"""Stage B12: the clipped policy loss with a KL term, of models, by value and gradient (Shao et al. 2024, equation 3)."""

import numpy as np

from ..build_11_an_assistant.answer_loss import answer_loss
from ..build_11_an_assistant.dpo_loss import dpo_loss
from ..build_11_an_assistant.losses import Loss, conversations
from ..families import adapted, named, pairs
from ..families.answers import PREDICTED, predicted
from ..families.loss import at_labels, log_softmax
from ..families.rewards import POLICY, POLICY_AND_PAIRS, per_answer, ratio_of, smaller
from ..kinds.error_hints import ErrorHint
from ..toolkit import normal, softmax


def estimated(now, reference):
    """An estimate of the KL divergence from the model to the reference, for each token: never below 0."""
    return np.exp(reference - now) - (reference - now) - 1


def _policy(
    gain=smaller,
    ratio=ratio_of,
    mean=per_answer,
    sign=-1.0,
    predicted=predicted,
    log_p=log_softmax,
    learner=lambda now, held: now,
    sampler=lambda sampled, now, held, reference: sampled,
    kl=lambda now, reference, held, sampled: estimated(now, held),
    whole=lambda policy, kl, weight: policy + weight * kl,
):
    """The loss with the pieces that a mistake replaces. ``held`` are log-probabilities that get no gradient."""

    def policy_loss(model, reference, ids, written, sampled, advantages, clip, kl_weight):
        def log_probs(model):
            logits, labels, counts = predicted(model, ids, written)
            return at_labels(log_p(logits), labels), counts

        (now, counts), (held, _), (first, _), (first_held, _) = map(log_probs, (model, model.held, reference, reference.held))
        now = learner(now, held)
        policy = sign * gain(ratio(now, sampler(sampled, now, held, first_held), counts), advantages[:, None], clip)
        return mean(whole(policy, kl(now, first, first_held, sampled), kl_weight), counts)

    return policy_loss


def _draw(rng):
    def batch(lengths, columns, clip, weight, tokens=6, moved=True):
        """Ratios from exp(−0.75) to exp(0.75), both ways for both signs, and far away outside the answers."""
        tables = [normal(rng, tokens, tokens, limit=2) for _ in range(2)]
        ids, written = conversations(rng, lengths, columns, tokens)
        moves = rng.permutation(np.resize([-6, -4, -1, 1, 4, 6], ids[:, 1:].size)).reshape(ids[:, 1:].shape) / 8
        moves[~written[:, 1:]] = 1.5
        for row, (given, own) in enumerate(lengths):  # each sign has a token that went too far, and one that came back
            moves[row, given - 1 : given - 1 + min(own, 2)] = np.array([6, -6])[:own] / (8 if row % 4 < 2 else -8)
        advantages = np.resize([1, -1], len(lengths)) * rng.integers(4, 17, len(lengths)) / 8
        now = at_labels(log_softmax(tables[0][ids])[:, :-1], ids[:, 1:])
        return [{"tables": tables, "given": [ids, written, now - moved * moves, advantages, clip, weight]}]

    return [
        batch([(2, 4), (2, 2), (2, 3), (2, 1)], 7, 0.28125, 0.5),
        batch([(3, 2), (3, 5), (3, 3)], 9, 0.125, 0.25),
        batch([(1, 3), (1, 4)], 6, 0.53125, 2.0, tokens=5),
        batch([(2, 3), (2, 1), (2, 2)], 6, 0.28125, 0.5, moved=False),  # the first step: the model that learns has sampled
    ]


OFTEN = (
    "the smaller ratio",
    "the larger product",
    "always clipped",
    "never clipped",
    "padding counts as length",
    "the mean over all tokens",
)
KL = {
    "the KL turned round": (
        "In your KL term, the model and the reference are swapped.",
        "With d = log q − log p, q of the reference and p of the model, it is exp(d) − d − 1.",
        {"kl": lambda now, first, held, sampled: estimated(held, now)},
        {"kl": lambda now, first, held, sampled: estimated(first, now)},
    ),
    "the difference as the KL": (
        "Your KL term is the difference of the log-probabilities. For one token it may be below 0. And its average "
        "gradient, over tokens that the model draws, is 0, so it would hold nothing.",
        "With d = log q − log p, q of the reference and p of the model, it is exp(d) − d − 1.",
        {"kl": lambda now, first, held, sampled: now - held},
        {"kl": lambda now, first, held, sampled: held - now},
    ),
    "the square as the KL": (
        "Your KL term is the square of d, or half of it. That is near the KL divergence for small d only.",
        "With d = log q − log p, q of the reference and p of the model, it is exp(d) − d − 1.",
        *({"kl": lambda now, first, held, sampled, by=by: by * (held - now) ** 2} for by in (0.5, 1)),
    ),
}

policy_loss = Loss(
    id="build.policy_loss",
    answer_name="policy_loss",
    prompt="The clipped policy loss of sampled answers, and what it costs to leave the reference model.",
    reference=_policy(),
    draw=_draw,
    models=("model", "reference"),
    error_hints=(
        ErrorHint(
            r"size of tensor|must match|broadcast",
            "`log_probs`, `sampled` and `written[:, 1:]` have shape (r, n − 1), and `advantages[:, None]` has shape (r, 1).",
        ),
    ),
    why="A set of answers may push a token only as far as the clip, and the KL term pulls back what has left the reference.",
    hints=(
        "Begin with three rows of log-probabilities: those of `model`, those of `reference` (inside `torch.no_grad()`), and "
        "`sampled`. The ratio is exp of a difference.",
        "`torch.minimum(ratio * a, ratio.clamp(1 - clip, 1 + clip) * a)`, with `a = advantages[:, None]`, should become "
        "large. So a minus sign makes it a loss.",
        "With `d = log_probs(reference, ids) - log_probs(model, ids)`, the KL term of a token is `d.exp() - d - 1`. Add "
        "`kl_weight` times that to each token's loss.",
        "With `counts = written[:, 1:]`, each answer's mean is `(cost * counts).sum(1) / counts.sum(1)`. End with the mean of "
        "these.",
    ),
    mistakes={
        **adapted(POLICY_AND_PAIRS, lambda piece: _policy(**piece), but=("a ratio of 1",)),
        **adapted(
            named(
                PREDICTED, "not shifted", "padding in the loss", "upside down", "the mask not shifted", "the question hidden"
            ),
            lambda piece: _policy(predicted=piece),
            sum="loss",
        ),
        "the ratio without detach": (
            "You divided the model's probabilities by themselves. The ratio is 1 whatever the model does, and its gradient 0, "
            "so the rewards teach nothing.",
            "Divide by the probabilities of the time of sampling: `sampled` has them, without a gradient.",
            _policy(sampler=lambda sampled, now, held, reference: now),
        ),
        "the probabilities of now as the old ones": (
            "You divided by what the model says now, detached. That is right in the first update only. In the second, the "
            "ratio should show how far the model has moved, and it is 1 again.",
            "Divide by the probabilities of the time of sampling: `sampled` has them.",
            _policy(sampler=lambda sampled, now, held, reference: held),
        ),
        "the reference in the ratio": (
            "Your ratio compares the model with the reference. The reference is for the KL term.",
            "The ratio is about the model that sampled: use `sampled`.",
            _policy(sampler=lambda sampled, now, held, reference: reference),
        ),
        "no softmax": (
            "You took logits, or probabilities, for log-probabilities.",
            "`log_softmax(-1)` of the logits gives the log-probabilities of all tokens.",
            _policy(log_p=lambda logits: logits),
            _policy(log_p=softmax),
        ),
        **adapted(named(answer_loss.mistakes, "the gradient cut off"), lambda piece: _policy(learner=lambda now, held: held)),
        **adapted(
            named(dpo_loss.mistakes, "the reference model trained"),
            lambda piece: _policy(kl=lambda now, first, held, sampled: estimated(now, first)),
        ),
        "no KL": (
            "The KL term is missing, or has no weight. So nothing holds the model near the reference, or too much does.",
            "Add `kl_weight` times the KL estimate to the loss of each token.",
            _policy(whole=lambda policy, kl, weight: policy),
            _policy(whole=lambda policy, kl, weight: policy + kl),
        ),
        "the KL's sign": (
            "You subtracted the KL term, so the loss falls as the model leaves the reference.",
            "It is a cost: add it.",
            _policy(whole=lambda policy, kl, weight: policy - weight * kl),
        ),
        **adapted(KL, lambda piece: _policy(**piece)),
        "the KL of the whole row": (
            "You averaged the KL term over the whole row, prompt and padding included, and added it to the loss.",
            "Add it to the loss of each token, before the mean over the tokens of an answer.",
            _policy(whole=lambda policy, kl, weight: policy + weight * kl.mean()),
            _policy(whole=lambda policy, kl, weight: policy + weight * kl.mean(1, keepdims=True)),
        ),
        "the 1 forgotten": (
            "Your KL term does not become 0 where the model is the reference. The 1 is missing, or has the wrong sign.",
            "It is exp(d) − d − 1.",
            _policy(kl=lambda now, first, held, sampled: estimated(now, held) + 1),
            _policy(kl=lambda now, first, held, sampled: estimated(now, held) + 2),
        ),
        "the KL to the sampler": (
            "Your KL term compares the model with `sampled`, which moves along with it. So nothing would keep it there.",
            "The KL term is about `reference`.",
            _policy(kl=lambda now, first, held, sampled: estimated(now, sampled)),
        ),
        "the mean over the wrong axis": (
            "You took the mean down the columns, over the answers. Columns of the prompt have nothing to count: 0 / 0.",
            "Each row is an answer: add up along `dim=1`.",
            _policy(mean=lambda values, mask: ((values * mask).sum(0) / mask.sum(0)).mean()),
        ),
        "no mean": (
            "You return several losses. The loss is a single number.",
            "End with `.mean()`.",
            _policy(mean=lambda values, mask: (values * mask).sum(1) / mask.sum(1)),
            _policy(mean=lambda values, mask: values * mask),
        ),
        **adapted(pairs(dict.__or__, KL, named(POLICY, *OFTEN)), lambda piece: _policy(**piece)),
    },
)
