"""Handwritten digits, classified by a ViT and by two methods without a Transformer.

Shapes: ``b`` batch.
"""

import torch
from jaxtyping import Float, Int
from torch import Tensor

from transformer_course.data import Split
from transformer_course.family import ViT, ViTConfig
from transformer_course.training import batches, classification_loss, train


def train_vit(digits: Split, seed: int = 0, steps: int = 300, batch_size: int = 64) -> ViT:
    """Train a ViT with two layers of width 64."""
    torch.manual_seed(seed)
    model = ViT(ViTConfig(dropout=0.0))
    train(model, batches(*digits.train, batch_size=batch_size, seed=seed), classification_loss, steps, lr=3e-3, warmup=50)
    return model.eval()


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
