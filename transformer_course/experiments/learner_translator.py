"""The translator that a learner trains in lesson 15: kept with the whole figure of its training, opened again, used later."""

from collections.abc import Mapping

from torch import nn

from transformer_course import models
from transformer_course.embedding import Vocabulary
from transformer_course.experiments import effort, kept_models
from transformer_course.experiments.number_translation import in_library
from transformer_course.experiments.translation import STEPS
from transformer_course.figures import live
from transformer_course.transformer import Transformer
from transformer_course.weights import copy_weights

NAME = "translator"
SHOWN = ("losses", "accuracies", "samples")  # of a training, in a live figure
AGAIN = "set train_again = True in the cell that trains it, and run that cell"


def keep_translator(model: nn.Module, vocabularies: Mapping[str, Vocabulary], watch: live) -> None:
    """Save a translator with the training that ``watch`` has shown, in the learner's folder, if this is one."""
    ours = in_library(model)  # a class from the Build has the library's names
    if ours is None:
        print("This Transformer has other parameters than the library's, so it is not saved. It works until you close this.")
        return
    shown = {name: getattr(watch, name) for name in SHOWN}
    kept_models.keep(NAME, {"steps": watch.steps}, kept_models.Kept(ours, vocabularies, shown))


def reopen_translator(model: nn.Module, watch: live) -> bool:
    """Give a model the weights that the learner kept, and ``watch`` the training; say so. If it cannot, return False."""
    found = kept_models.load(NAME, {"steps": watch.steps}, AGAIN)
    if found is None:
        return False
    try:
        shown = [found.measured[name] for name in SHOWN]
        copy_weights(model, dict(found.model.named_parameters()))
    except (KeyError, ValueError) as error:
        print(f"It does not fit ({error}), so a new translator is trained.")
        return False
    watch.losses, watch.accuracies, watch.samples = shown
    return True


def own_translator() -> tuple[Transformer, Mapping[str, Vocabulary]]:
    """Return the translator that the learner has kept, with its vocabularies, or else the course's; say which."""
    if found := kept_models.load(NAME, {"steps": effort.count(STEPS)}, AGAIN):
        return found.model, found.vocabularies
    print("The translator is the course's, because there is none of yours in this folder.")
    return models.load("translator")
