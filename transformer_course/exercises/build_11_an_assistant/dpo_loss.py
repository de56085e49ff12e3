"""Stage B11: a loss for preferences, direct preference optimisation (Rafailov et al. 2023, equation 7)."""

from functools import partial

import numpy as np

from ..families import adapted, named
from ..families.answers import PREDICTED, predicted
from ..families.loss import at_labels, log_softmax
from ..kinds.error_hints import ErrorHint
from ..toolkit import normal, softmax
from .losses import Loss, Table, conversations


def log_prob(model, ids, written, predicted=predicted, log_p=log_softmax, total=lambda each, counts: (each * counts).sum(-1)):
    """The log-probability of what the assistant writes in each row, (b,)."""
    logits, labels, counts = predicted(model, ids, written)
    return total(at_labels(log_p(logits), labels), counts)


def _log_sigmoid(x):
    return -np.logaddexp(0, -x)


def _dpo(
    log_prob=log_prob,
    ratio=lambda model, reference: model - reference,
    of_model=lambda model: model,
    of_reference=lambda reference: reference.held,
    cost=lambda margin, beta: -_log_sigmoid(beta * margin),
    mean=np.mean,
    swapped=False,
):
    """The loss with the pieces that a mistake replaces. ``ratio`` is of one answer, (b,), from both models."""

    def dpo_loss(model, reference, chosen, rejected, beta):
        if swapped:
            chosen, rejected = rejected, chosen
        models = of_model(model), of_reference(reference)
        better, worse = (ratio(*(log_prob(each, *answer) for each in models)) for answer in (chosen, rejected))
        return mean(cost(better - worse, beta))

    return dpo_loss


def _sigmoid(x):
    return np.exp(_log_sigmoid(x))


def _log_of_sigmoid(x):
    return np.log(1 / (1 + np.exp(-x)))


def _everywhere(model, ids, written):
    return model(ids)[:, :-1], ids[:, 1:], np.ones_like(written[:, 1:])


def _models(question):
    return [Table(table, table) for table in question[0]["tables"]]


def _draw(rng):
    def pairs(better, worse, columns, beta, tokens=6, size=1.0):
        tables = [size * normal(rng, tokens, tokens, limit=2) for _ in range(2)]
        chosen, rejected = (
            conversations(rng, lengths, n, tokens) for lengths, n in zip((better, worse), columns, strict=True)
        )
        for row, ((given, *_), (ids, _)) in enumerate(zip(better, [chosen] * len(better), strict=True)):
            rejected[0][row, :given] = ids[row, :given]  # the same question
        if size > 1:  # each pair once more, the other way round
            chosen, rejected = (
                [np.concatenate(each) for each in zip(*pair, strict=True)] for pair in ((chosen, rejected), (rejected, chosen))
            )
        return [{"tables": tables, "given": [chosen, rejected, beta]}]

    def far_apart():
        """Where the sigmoid is 0 for one pair, and 1 for the other."""
        while True:
            question = pairs([(2, 4)], [(2, 2)], (7, 7), 16.0, size=64.0)
            if _dpo(cost=lambda margin, beta: beta * abs(margin))(*_models(question), *question[0]["given"]) > 1000:
                return question

    return [
        pairs([(3, 2), (2, 1), (2, 3)], [(3, 4), (2, 3), (2, 1)], (7, 8), 0.5),
        pairs([(2, 3), (4, 1)], [(2, 2), (4, 3)], (6, 9), 2.0, tokens=5),
        far_apart(),
    ]


dpo_loss = Loss(
    id="build.dpo_loss",
    answer_name="dpo_loss",
    prompt="The loss for pairs of answers of which one is preferred: direct preference optimisation.",
    models=("model", "reference"),
    reference=_dpo(),
    draw=_draw,
    error_hints=(
        ErrorHint(r"must match the size", "The answers differ in length: work out the log-probability of each first."),
    ),
    why="The loss asks for a larger lead of the preferred answer than the reference model gives it, not for a probability.",
    hints=(
        "`log_prob`: the logarithms of all probabilities are `model(ids)[:, :-1].log_softmax(-1)`, and "
        "`.gather(-1, ids[:, 1:, None])[..., 0]` picks those of the tokens that came. Multiply by `written[:, 1:]`, and add "
        "up each row.",
        "The lead of the chosen answer in one model is the difference of its two log-probabilities. Work it out for both "
        "models, that of the reference inside `with torch.no_grad():`.",
        "`-F.logsigmoid(beta * (lead - lead_of_the_reference))`, and the mean over the pairs.",
    ),
    mistakes={
        "chosen and rejected swapped": (
            "Your loss falls if the *rejected* answer becomes more probable.",
            "The lead is the log-probability of the chosen answer minus that of the rejected one.",
            _dpo(swapped=True),
            _dpo(cost=lambda margin, beta: -_log_sigmoid(-beta * margin)),
        ),
        "the reference model trained": (
            "The loss is right, but its gradient also reaches the reference model. That one must stay as it was: it is what "
            "the change is measured against.",
            "Work out its log-probabilities inside `with torch.no_grad():`.",
            _dpo(of_reference=lambda reference: reference),
        ),
        "the model not trained": (
            "The loss is right, but no gradient reaches the model.",
            "Only the reference belongs inside `with torch.no_grad():`.",
            _dpo(of_model=lambda model: model.held),
            _dpo(of_model=lambda model: model.held, of_reference=lambda reference: reference),
        ),
        "one sum for all rows": (
            "You added up the log-probabilities of all rows, so the pairs are compared as one.",
            "Each row needs a sum of its own: `.sum(-1)`.",
            _dpo(log_prob=partial(log_prob, total=lambda each, counts: (each * counts).sum())),
        ),
        "no reference": (
            "The reference model is missing. Then nothing holds the model where it was.",
            "Subtract the lead that the reference model gives the chosen answer.",
            _dpo(ratio=lambda model, reference: model),
        ),
        "the reference with the wrong sign": (
            "You add what the reference model says, or subtract the model from it.",
            "The lead in the model, minus the lead in the reference.",
            _dpo(ratio=lambda model, reference: model + reference),
            _dpo(ratio=lambda model, reference: -model - reference),
        ),
        "beta forgotten": (
            "`beta` is missing. It says how much a difference to the reference model counts.",
            "Multiply the difference of the leads by `beta`, inside the sigmoid.",
            _dpo(cost=lambda margin, beta: -_log_sigmoid(margin)),
        ),
        "beta on the model's lead alone": (
            "You multiplied the lead in the model by `beta`, but not the one in the reference, or the other way round.",
            "Subtract first: `beta * (lead - lead_of_the_reference)`.",
            _dpo(ratio=lambda *leads: np.stack(leads), cost=lambda lead, beta: -_log_sigmoid(beta * lead[0] - lead[1])),
            _dpo(ratio=lambda *leads: np.stack(leads), cost=lambda lead, beta: -_log_sigmoid(lead[0] - beta * lead[1])),
        ),
        "beta elsewhere": (
            "You multiplied the loss by `beta`, which only changes the learning rate, or divided by it.",
            "Multiply the difference of the leads by `beta`, before the sigmoid.",
            _dpo(cost=lambda margin, beta: -beta * _log_sigmoid(margin)),
            _dpo(cost=lambda margin, beta: -_log_sigmoid(margin / beta)),
        ),
        "no sigmoid": (
            "Your loss is the difference itself. It has no lowest value, so training would push it on for ever.",
            "−log σ of the difference goes to 0 as it grows.",
            _dpo(cost=lambda margin, beta: -beta * margin),
            _dpo(cost=lambda margin, beta: beta * margin),
        ),
        "another loss of the lead": (
            "You made another loss of the same difference: a square (as IPO does) or a hinge. DPO is −log σ of it.",
            "`-F.logsigmoid(beta * difference)`.",
            _dpo(cost=lambda margin, beta: (margin - 1 / (2 * beta)) ** 2),
            _dpo(cost=lambda margin, beta: np.maximum(0, 1 - beta * margin)),
        ),
        "no logarithm": (
            "You used the sigmoid without its logarithm.",
            "`F.logsigmoid` gives the logarithm.",
            _dpo(cost=lambda margin, beta: -_sigmoid(beta * margin)),
            _dpo(cost=lambda margin, beta: _sigmoid(beta * margin)),
            _dpo(cost=lambda margin, beta: 1 - _sigmoid(beta * margin)),
        ),
        "the sign": (
            "Your loss is negative. Training would make the rejected answer more probable.",
            "Put a minus sign in front of the logarithm.",
            _dpo(cost=lambda margin, beta: _log_sigmoid(beta * margin)),
        ),
        "the logarithm of 0": (
            "You compute the sigmoid first. Where the rejected answer leads by far, it is 0, and its logarithm −∞.",
            "`F.logsigmoid` computes the logarithm without the sigmoid.",
            _dpo(cost=lambda margin, beta: -_log_of_sigmoid(beta * margin)),
        ),
        "the mean first": (
            "You took the mean over the pairs before σ or the logarithm. One pair with a large lead then excuses others.",
            "Take −log σ for each pair, then the mean.",
            _dpo(mean=lambda margins: margins, cost=lambda margin, beta: -_log_sigmoid(beta * margin.mean())),
            _dpo(mean=lambda costs: -np.log(costs.mean()), cost=lambda margin, beta: _sigmoid(beta * margin)),
        ),
        "no mean": (
            "The loss is a single number, the mean over the pairs. Yours is their sum, or has a number for each pair.",
            "End with `.mean()`.",
            _dpo(mean=lambda costs: costs),
            _dpo(mean=np.sum),
        ),
        "the mean per token": (
            "You divided each answer's log-probability by its length. The probability of an answer is the *product* of its "
            "tokens' probabilities, so its logarithm is a sum. A mean per token is another loss.",
            "Add up the log-probabilities of an answer's tokens.",
            _dpo(partial(log_prob, total=lambda each, counts: (each * counts).sum(-1) / counts.sum(-1))),
            _dpo(partial(log_prob, total=lambda each, counts: (each * counts).mean(-1))),
        ),
        "prompt and padding counted": (
            "You add up the log-probabilities of all tokens. Those of the question cancel, since both answers have the same "
            "one. But those of the padding do not.",
            "Multiply by `written[:, 1:]` before you add up.",
            _dpo(partial(log_prob, predicted=_everywhere)),
            *(_dpo(partial(log_prob, predicted=each.answer)) for each in named(PREDICTED, "padding in the loss")),
        ),
        "probabilities added": (
            "You added up probabilities, or logits, where their logarithms belong.",
            "`log_softmax(-1)` gives the logarithms.",
            _dpo(partial(log_prob, log_p=softmax)),
            _dpo(partial(log_prob, log_p=lambda logits: logits)),
        ),
        **adapted(
            PREDICTED,
            lambda piece: _dpo(partial(log_prob, predicted=piece)),
            but=("the prompt in the loss", "padding in the loss"),
            sum="sum of log-probabilities",
        ),
    },
)
