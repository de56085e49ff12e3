"""Speculative sampling has the model's own distribution: by algebra for one token, and counted for sequences."""

import itertools
import math
from collections import Counter

import pytest
import torch
from decoding_models import BEGIN, gpt
from hypothesis import given
from hypothesis import strategies as st

from transformer_course.speculative import CachedReader, acceptance, leftover, speculative_sample, verify

WEIGHTS = st.lists(st.integers(0, 5), min_size=4, max_size=4).filter(any)
MODEL = torch.tensor([[0.6, 0.3, 0.1], [0.1, 0.2, 0.7], [0.25, 0.5, 0.25]]).double()  # row i: what follows token i
DRAFT = torch.tensor([[0.2, 0.2, 0.6], [0.4, 0.6, 0.0], [1 / 3, 1 / 3, 1 / 3]]).double()
GOOD_DRAFT = (MODEL + DRAFT) / 2


def distribution(weights: list[int]) -> torch.Tensor:
    return torch.tensor(weights).double() / sum(weights)


def after_each(table: torch.Tensor):
    return lambda ids, last: table[ids[-last:]]


def one(table: torch.Tensor):
    return lambda ids: table[ids[-1]]


@given(WEIGHTS, WEIGHTS)
def test_what_is_kept_and_what_replaces_it_add_up_to_p(first, second):
    p, q = distribution(first), distribution(second)
    kept = q * acceptance(p, q)
    torch.testing.assert_close(kept, torch.minimum(p, q))
    torch.testing.assert_close(kept + (1 - kept.sum()) * leftover(p, q), p)
    assert leftover(p, q).sum().item() == pytest.approx(1)


@pytest.mark.parametrize("ahead", [1, 2, 3])
@pytest.mark.parametrize("draft", [DRAFT, GOOD_DRAFT])
def test_sequences_have_the_probabilities_of_the_model_alone(ahead, draft):
    generator, runs, length = torch.Generator().manual_seed(ahead), 3000, 3
    counts = Counter(
        tuple(speculative_sample(after_each(MODEL), one(draft), [0], length, ahead, generator=generator).ids)
        for _ in range(runs)
    )
    statistic = 0.0
    for sequence in itertools.product(range(3), repeat=length):
        expected = runs * math.prod(MODEL[a, b].item() for a, b in itertools.pairwise([0, *sequence]))
        statistic += (counts[sequence] - expected) ** 2 / expected
    assert statistic < 54  # chi-squared with 26 degrees of freedom: above 54 once in a thousand


def test_a_rejected_token_is_replaced_where_p_exceeds_q_and_ends_the_draft():
    p, q = torch.tensor([[0.0, 0.5, 0.5], [1.0, 0.0, 0.0]]).double(), torch.tensor([[1.0, 0.0, 0.0]]).double()
    generator = torch.Generator().manual_seed(0)
    assert {tuple(verify([0], q, p, generator)[0]) for _ in range(40)} == {(1,), (2,)}
    assert verify([1], p[:1], p, generator) == ([1, 0], 1)


def test_the_model_as_its_own_draft_is_never_corrected_and_saves_the_most_passes():
    generator = torch.Generator().manual_seed(0)
    for limit, ahead, passes in ((1, 4, 1), (2, 4, 2), (11, 4, 3), (12, 4, 4), (13, 2, 5)):
        found = speculative_sample(after_each(MODEL), one(MODEL), [0, 1], limit, ahead, generator=generator)
        assert (len(found.ids), found.passes, found.accepted) == (limit, passes, found.drafted)
        assert len(found.ids) == found.accepted + found.passes


def test_a_reader_with_a_cache_forgets_what_was_not_kept():
    model = gpt(2)
    model.eval()
    reader = CachedReader(model, model.caches(8), temperature=0.7)
    for ids, last in (
        ([BEGIN, 5, 4], 1),
        ([BEGIN, 5, 4, 6, 3], 3),
        ([BEGIN, 5, 4, 6, 5, 5], 2),
        ([BEGIN, 6], 2),
        ([BEGIN, 6], 1),
    ):
        expected = (model(torch.tensor([ids]))[0, -last:].double() / 0.7).softmax(-1).detach()
        torch.testing.assert_close(reader(ids, last), expected, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize(
    ("draft", "prompt", "limit", "ahead", "sentence"),
    [
        (lambda ids: torch.ones(5) / 5, [0], 4, 2, "the draft has a vocabulary of 5 tokens, and the model one of 3; take"),
        (lambda ids: torch.tensor([1.0, 2.0, 0.7]), [0], 4, 2, r"the draft should return probabilities.* sums to 3\.7; apply"),
        (lambda ids: torch.tensor([1.5, -0.5, 0.0]), [0], 4, 2, "the draft should return probabilities, which are not neg"),
        (lambda ids: torch.ones(3, 3) / 3, [0], 4, 2, r"the draft should return 1 distributions .*, got \(1, 3, 3\)"),
        (one(DRAFT), [], 4, 2, "a prompt of at least one token.*, got 0 tokens, limit 4 and ahead 2"),
        (one(DRAFT), [0], 0, 2, "got 1 tokens, limit 0 and ahead 2"),
        (one(DRAFT), [0], 4, 0, "got 1 tokens, limit 4 and ahead 0"),
    ],
)
def test_what_cannot_be_sampled_is_refused_in_one_sentence(draft, prompt, limit, ahead, sentence):
    with pytest.raises(ValueError, match=sentence):
        speculative_sample(after_each(MODEL), draft, prompt, limit, ahead, generator=torch.Generator().manual_seed(0))


def test_a_target_that_returns_logits_is_refused():
    with pytest.raises(ValueError, match="the model should return probabilities"):
        speculative_sample(lambda ids, last: MODEL[ids[-last:]].log(), one(DRAFT), [0], 4, generator=torch.Generator())
