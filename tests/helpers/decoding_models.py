"""Small models for tests of decoding, and decoding written out."""

import torch
import twins

from transformer_course.embedding import Vocabulary
from transformer_course.family import GPT
from transformer_course.transformer import Transformer, TransformerConfig

BEGIN, END = Vocabulary.begin, Vocabulary.end


def lively(model: Transformer | GPT, seed: int) -> Transformer | GPT:
    """Weights so large that what is written depends on all that came before, and ends at many lengths."""
    twins.scatter_parameters(model, seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.mul_(3 if parameter.ndim > 1 else name.endswith("gamma"))  # biases say the same thing everywhere
    return model


SIZES = {"vocabulary_size": 7, "d_model": 8, "num_heads": 2, "num_layers": 2, "d_ff": 8, "max_length": 16, "dropout": 0.3}


def translator(seed: int = 1, **changes) -> Transformer:
    return lively(Transformer(TransformerConfig(**{**SIZES, "tied": False, **changes})), seed)


def gpt(seed: int = 1, **changes) -> GPT:
    return lively(GPT(TransformerConfig(**{**SIZES, "tied": False, **changes})), seed)


def log_probabilities(model, prompt: list[int], texts: list[list[int]]) -> torch.Tensor:
    """(texts, tokens): of each token of some texts of one length, given all before it, in one run, without a cache."""
    texts, given = torch.tensor(texts), torch.tensor([prompt]).expand(len(texts), -1)
    model.eval()
    with torch.no_grad():
        if isinstance(model, Transformer):
            logits = model(given, torch.cat([torch.full_like(texts[:, :1], BEGIN), texts[:, :-1]], 1))
        else:
            logits = model(torch.cat([given, texts[:, :-1]], 1))[:, len(prompt) - 1 :]
    model.train()
    logits[..., Vocabulary.pad] = -torch.inf  # padding is never written
    return logits.log_softmax(-1).gather(-1, texts[..., None])[..., 0]


PROMPTS = [[BEGIN, 5, 6, 4], [BEGIN, 4, 4, 6, 3, 5], [BEGIN, 6]]
