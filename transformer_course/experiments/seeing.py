"""Digits, seen by a ViT, and by two methods that need no Transformer.

Shapes: ``b`` batch.
"""

import torch
from jaxtyping import Float, Int
from torch import Tensor

from transformer_course.data import Split
from transformer_course.family import ViT, ViTConfig
from transformer_course.training import batches, classification_loss, train


def train_vit(digits: Split, seed: int = 0, steps: int = 300) -> ViT:
    """Train a ViT of two layers, 64 wide, on batches of 64 images."""
    torch.manual_seed(seed)
    model = ViT(ViTConfig(dropout=0.0))
    train(model, batches(*digits.train, seed=seed), classification_loss, steps, lr=3e-3, warmup=50)
    return model.eval()


@torch.no_grad()
def share_right(model: ViT, images: Float[Tensor, "b 8 8"], labels: Int[Tensor, "b"]) -> float:
    """Return the share of images whose largest logit is their label's."""
    return (model(images).argmax(-1) == labels).float().mean().item()


def by_neighbour(digits: Split) -> float:
    """Return the share of unseen images whose nearest image of the training, pixel by pixel, is of the same digit."""
    (known, answers), (images, labels) = digits
    nearest = torch.cdist(images.flatten(1), known.flatten(1)).argmin(dim=1)
    return (answers[nearest] == labels).float().mean().item()


def by_regression(digits: Split) -> float:
    """Return the share of unseen images that logistic regression gets right: one matrix from 64 pixels to ten logits."""
    from sklearn.linear_model import LogisticRegression

    (known, answers), (images, labels) = digits
    model = LogisticRegression(max_iter=5000).fit(known.flatten(1), answers)
    return float(model.score(images.flatten(1), labels))
