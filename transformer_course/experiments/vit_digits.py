"""Handwritten digits, classified by a ViT and by two methods without a Transformer.

Shapes: ``b`` batch.
"""

import hashlib
from dataclasses import asdict

import torch
from jaxtyping import Float, Int
from torch import Tensor

from transformer_course.data import Split
from transformer_course.experiments import effort, kept_models
from transformer_course.family import ViT, ViTConfig
from transformer_course.training import batches, classification_loss, train


def train_vit(digits: Split, seed: int = 0, steps: int | None = None, batch_size: int = 64, again: bool = False) -> ViT:
    """Train a ViT with two layers of width 64, by default for 300 steps.

    Lesson 18's own, with the defaults, is kept in the learner's folder and loaded from there, unless ``again``.
    """
    torch.manual_seed(seed)
    model, is_own = ViT(ViTConfig(dropout=0.0)), (seed, steps, batch_size) == (0, None, 64)
    steps = steps or effort.steps(300)

    def learn() -> kept_models.Kept:
        data = batches(*digits.train, batch_size=batch_size, seed=seed)
        train(model, data, classification_loss, steps, lr=3e-3, warmup=50)
        return kept_models.Kept(model.eval())

    if not is_own:
        return learn().model
    read = hashlib.sha256(digits.train[0].numpy().tobytes()).hexdigest()
    settings = {"digits": read, "steps": steps, "config": asdict(model.config)}
    return kept_models.trained("lesson-18-vit", settings, learn, again, "train_vit(digits, again=True)").model


@torch.no_grad()
def accuracy(model: ViT, images: Float[Tensor, "b 8 8"], labels: Int[Tensor, "b"]) -> float:
    """Return the fraction of images for which the label has the largest logit."""
    return (model(images).argmax(-1) == labels).float().mean().item()


def nearest_neighbour_accuracy(digits: Split) -> float:
    """Return the accuracy, on unseen images, of copying the label of the training image with the nearest pixels."""
    (known, known_labels), (images, labels) = digits
    nearest = torch.cdist(images.flatten(1), known.flatten(1)).argmin(dim=1)
    return (known_labels[nearest] == labels).float().mean().item()


def logistic_regression_accuracy(digits: Split) -> float:
    """Return the accuracy of logistic regression on unseen images: one matrix from 64 pixels to ten logits."""
    from sklearn.linear_model import LogisticRegression

    (known, known_labels), (images, labels) = digits
    model = LogisticRegression(max_iter=5000).fit(known.flatten(1), known_labels)
    return float(model.score(images.flatten(1), labels))
