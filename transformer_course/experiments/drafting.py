"""Lesson 25: speculative sampling from the shipped model of prose, with a table of counts as its draft."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from transformer_course import models
from transformer_course.byte_pairs import BytePairs
from transformer_course.data import python_docs
from transformer_course.experiments.counting import NGram
from transformer_course.speculative import CachedReader, Draft, SpeculativeSample, speculative_sample

IN_VIEW = 3  # tokens that the draft looks at
GIVEN, LENGTH, PROMPTS = 8, 100, 4  # tokens of a prompt, tokens to draw after it, and prompts per seed


@dataclass(frozen=True)
class Writers:
    """The model and its draft, with the same ``tokenizer``. Call ``model()`` for each text: it begins with an empty cache."""

    model: Callable[[], CachedReader]
    draft: Draft
    tokenizer: BytePairs
    prompts: list[list[int]]


def writers() -> Writers:
    """Return `prose` and a table of counts of its training text, and beginnings of paragraphs that neither has seen."""
    gpt, vocabularies = models.load("prose")
    vocabulary = vocabularies["text"]
    special, text = len(vocabulary.specials), python_docs()
    tokenizer = BytePairs.from_tokens(vocabulary.tokens[special:])
    table = NGram([tokenizer.encode(text.train)], len(tokenizer), IN_VIEW + 1)
    paragraphs = [tokenizer.encode("\n" + each) for each in text.test.split("\n")]

    def model() -> CachedReader:
        def logits(ids, caches):
            return gpt(ids + special, caches)[..., special:]

        return CachedReader(logits, gpt.caches(gpt.config.max_length))

    def draft(ids: list[int]) -> Float[Tensor, "v"]:
        return torch.from_numpy(table.distribution(tuple(ids[-IN_VIEW:])))

    return Writers(model, draft, tokenizer, [ids[:GIVEN] for ids in paragraphs if len(ids) > 2 * GIVEN])


def tokens_per_pass(found: Writers, ahead: int, seed: int) -> float:
    """Return the new tokens per pass of the model, over ``PROMPTS`` texts of ``LENGTH`` tokens."""
    drawn = _drawn(found, ahead, seed)
    return sum(len(each.ids) for each in drawn) / sum(each.passes for each in drawn)


def rate_of_acceptance(found: Writers, seed: int) -> float:
    """Return how often a drafted token is kept when it is the only one in its draft."""
    drawn = _drawn(found, 1, seed)
    return sum(each.accepted for each in drawn) / sum(each.drafted for each in drawn)


def _drawn(found: Writers, ahead: int, seed: int) -> list[SpeculativeSample]:
    """Draw ``PROMPTS`` texts; each seed has prompts of its own."""
    generator = torch.Generator().manual_seed(seed)
    prompts = found.prompts[seed * PROMPTS : (seed + 1) * PROMPTS]
    return [speculative_sample(found.model(), found.draft, prompt, LENGTH, ahead, generator=generator) for prompt in prompts]


def expected_tokens(acceptance: float, ahead: int) -> float:
    """Return the tokens per pass if each drafted token is kept with this probability: 1 + a + a² + … + aᵏ for k ahead.

    Source: Leviathan et al. 2023, section 3.1, equation 1.
    """
    return sum(acceptance**k for k in range(ahead + 1))
