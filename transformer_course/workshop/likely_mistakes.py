"""The mistake to expect first in each exercise of a workshop, for the helpers' pockets. It was chosen; nobody has counted."""

from transformer_course.exercises.catalogue import catalogue
from transformer_course.exercises.exercise import Mistake

LIKELY = {
    "attention.softmax": "exp overflows",
    "attention.by_hand": "its own score too small",
    "attention.wrong_row": "the sum must be exactly 1",
    "attention.self_attention": "one sequence only",
    "attention.hidden_fault": "w_q and w_k alike",
    "attention.shapes": "square weights",
    "attention.score_spread": "the variance",
    "attention.scaled_dot_product": "one number of axes only",
    "attention.one_way": "symmetric scores",
    "attention.causal_by_hand": "masked after softmax",
    "attention.late_mask": "no forbidden score is the largest",
    "attention.causal_mask": "the future in place of the past",
    "attention.padding_mask": "the middle axis is missing",
    "heads.split": "split by a reshape alone",
    "heads.merge": "merged by a reshape alone",
    "build.causal_head": "everything allowed",
    "decoder.reach": "one layer only",
    "decoder.swapped": "an error",
    "decoder.leak": "the highest accuracy",
    "training.by_hand": "mean of means",
    "training.underflow": "not far enough below",
    "training.shift": "shifted the wrong way",
    "training.loss": "padding counted",
    "build.fit": "evaluated one step late",
    "assistant.trap": "one turn",
    "assistant.labels": "everything after the first mark",
}


def likely(exercise_id: str) -> Mistake:
    """Return the mistake to expect first in an exercise."""
    return next(mistake for mistake in catalogue()[exercise_id].mistakes if mistake.name == LIKELY[exercise_id])
