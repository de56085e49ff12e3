"""Stage B11: the cross-entropy of what the assistant writes, and of nothing else."""

import numpy as np

from ..families import adapted, named, pairs
from ..families.answers import PREDICTED, predicted
from ..families.loss import LOSS, NLL, PADDING, loss, of_label
from ..kinds.error_hints import ErrorHint
from ..toolkit import normal
from .losses import Loss, conversations

MASKED = -100
NOTHING = "nothing in this batch was written by the assistant, and the mean over no tokens is no number"


def _of(predicted=predicted, loss=loss, refuses=True):
    def answer_loss(model, ids, written):
        if refuses and not written.any():
            raise ValueError(NOTHING)
        logits, labels, counts = predicted(model, ids, written)
        return loss(logits, np.where(counts, labels, MASKED), MASKED, of_label)

    return answer_loss


def _in_both_ways(**piece):
    """A wrong piece in a function that refuses a batch without answers, and in one that does not."""
    return [_of(**piece, refuses=refuses) for refuses in (True, False)]


def _over_all(change):
    """The mean over all predictions, of logits and labels that were changed: ``change(logits, labels, counts)``."""

    def predictions(model, ids, written):
        logits, labels, counts = predicted(model, ids, written)
        return *change(logits, labels, counts), np.ones_like(counts)

    return _in_both_ways(predicted=predictions)


def _in_training(model, ids, written):
    return model.held(ids)[:, :-1], ids[:, 1:], written[:, 1:]


def _draw(rng):
    def batch(lengths, columns, tokens, *extreme):
        table = 2 * normal(rng, tokens, tokens, limit=2)
        for row, logits in enumerate(extreme, 1):
            table[row, : len(logits)] = logits
        return [{"tables": [table], "given": conversations(rng, lengths, columns, tokens)}]

    several = batch([(3, 2, 2, 1), (2, 3), (2, 1, 1, 1)], 10, 7)
    nothing = batch([(4, 0), (3, 0)], 5, 6)
    one_empty = batch([(3, 2), (4, 0), (2, 3)], 6, 6)
    return [several, batch([(2, 4), (3, 1)], 7, 5), batch([(1, 2, 1, 3)], 7, 6), nothing, one_empty]


BESIDE = (
    *("the sum", "divided by another size", "no mean", "softmax twice", "no logarithm", "no softmax", "the mean first"),
    *("the sign", "base 2", "softmax over the tokens", "the most probable token", "all tokens of the vocabulary"),
    *("divided by the vocabulary too", "logits and labels in a different order"),
)

answer_loss = Loss(
    id="build.answer_loss",
    answer_name="answer_loss",
    prompt="The mean cross-entropy of a batch of conversations, over the tokens that the assistant writes.",
    reference=_of(),
    draw=_draw,
    error_hints=(
        ErrorHint(
            r"shape of the mask|Expected input batch_size|size mismatch",
            "Logits, labels and mask must be cut alike: `logits[:, :-1]`, `ids[:, 1:]` and `written[:, 1:]`.",
        ),
        ErrorHint(r"tensors used as indices must be", "`written` is boolean, so it can choose: `labels[written[:, 1:]]`."),
    ),
    why="Every token of an answer counts once, and the question decides what is probable without being learned itself.",
    hints=(
        "The model reads all ids. Its logits at position t are about token t + 1: cut `logits[:, :-1]`, `ids[:, 1:]`, and "
        "`written[:, 1:]`.",
        "A boolean mask chooses rows: `logits[counts]` has shape (N, v), and `labels[counts]` has shape (N,).",
        "`F.cross_entropy` of these two is the mean. Before that: `if not written.any(): raise ValueError(…)`.",
    ),
    mistakes={
        **adapted(PREDICTED, lambda piece: _of(piece), lambda piece: _of(piece, refuses=False), sum="loss"),
        **adapted(
            (*named(LOSS, *BESIDE), *named(PADDING, "divided by all positions", "mean of means")),
            lambda piece: _of(loss=piece),
            lambda piece: _of(loss=piece, refuses=False),
            log_p="`F.cross_entropy` takes the logits and does all of that.",
            nll=NLL,
            shapes="",
        ),
        **adapted(
            pairs(_of, named(PREDICTED, "the mask not shifted"), named(PADDING, "divided by all positions", "mean of means")),
            lambda answer: answer,
        ),
        "everything masked": (
            "Where the assistant writes nothing, your loss is nan, or 0. A nan makes all weights nan in the next step, and 0 "
            "hides that the mask is wrong.",
            "Ask `written.any()` first, and raise a ValueError that says what is wrong.",
            _of(refuses=False),
            _of(refuses=False, loss=lambda logits, labels, *rest: loss(logits, labels, *rest) if (labels >= 0).any() else 0.0),
        ),
        "each conversation needs an answer": (
            "You raise an error where *one* of the conversations has no answer. The others can still be learned from.",
            "Raise only if `written` is False everywhere: `if not written.any():`.",
            lambda model, ids, written: _of()(model, ids, written & written.any(1).all()),
        ),
        "masked with 0": (
            "You set the masked logits or labels to 0 and went on. Then a masked position still costs something, and the mean "
            "is over all.",
            "Leave the masked positions out: a boolean index keeps the others, and `F.cross_entropy` leaves out −100 alone.",
            *_over_all(lambda logits, labels, counts: (logits * counts[..., None], labels)),
            *_over_all(lambda logits, labels, counts: (logits * counts[..., None], labels * counts)),
            *_over_all(lambda logits, labels, counts: (logits, labels * counts)),
        ),
        "the gradient cut off": (
            "The loss is right, but no gradient gets from it to the model, so nothing would be learned.",
            "Look for `torch.no_grad()`, `.detach()`, `.item()` or a new `torch.tensor(…)`.",
            *_in_both_ways(predicted=_in_training),
        ),
    },
)
