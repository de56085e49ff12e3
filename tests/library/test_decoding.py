"""decoding.py against brute force over every text that a small model could write."""

import itertools

import pytest
import torch
import twins
from hypothesis import given, settings
from hypothesis import strategies as st

from transformer_course.decoding import beam_search, greedy, next_token_distribution, sample
from transformer_course.embedding import Vocabulary, pad_right
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


def greedy_by_hand(model, prompt: list[int], limit: int) -> list[int]:
    text, size = [], model.config.vocabulary_size
    while len(text) < limit and END not in text:
        text.append(log_probabilities(model, prompt, [[*text, token] for token in range(1, size)])[:, -1].argmax().item() + 1)
    return text


def best_by_hand(model, prompt: list[int], limit: int, alpha: float) -> list[int]:
    """Look at every text there is: all that end within the limit, and all that are cut off by it."""
    tokens = [t for t in range(1, model.config.vocabulary_size) if t != END]
    found = []
    for length in range(1, limit + 1):
        texts = [[*text, END] for text in itertools.product(tokens, repeat=length - 1)]
        if length == limit:
            texts += [list(text) for text in itertools.product(tokens, repeat=limit)]
        scores = log_probabilities(model, prompt, texts).sum(-1) / ((5 + length) / 6) ** alpha
        found.append((scores.max().item(), texts[scores.argmax()]))
    return max(found)[1]


PROMPTS = [[BEGIN, 5, 6, 4], [BEGIN, 4, 4, 6, 3, 5], [BEGIN, 6]]


@settings(deadline=None, max_examples=30)
@given(
    st.sampled_from([translator, gpt]),
    st.integers(1, 50),
    st.integers(1, 7),
    st.sampled_from(["sinusoidal", "learned", "rotary"]),
)
def test_greedy_equals_one_run_of_the_whole_for_each_token(make, seed, limit, positions):
    model = make(seed, positions=positions)
    assert greedy(model, pad_right(PROMPTS), limit) == [greedy_by_hand(model, prompt, limit) for prompt in PROMPTS]


@pytest.mark.parametrize("make", [translator, gpt])
def test_members_of_a_batch_end_at_different_steps(make):
    lengths = [{len(text) for text in greedy(make(seed), pad_right(PROMPTS), 7)} for seed in range(1, 51)]
    assert sum(len(three) > 1 for three in lengths) > 5  # so the test above sees such batches


class Table(GPT):
    """The next token depends on the last one alone, by a table of probabilities."""

    def __init__(self, **rows: list[float]):
        super().__init__(TransformerConfig(**SIZES))
        probabilities = torch.full((7, 7), 1e-9)
        for last, row in rows.items():
            probabilities[int(last[1:]), : len(row)] = torch.tensor(row)
        self.logits = probabilities.log()

    def forward(self, tokens, caches=None):
        return self.logits[tokens]

    def caches(self, max_length):
        return []


def test_a_long_text_may_overtake_one_that_ended_early():
    model = Table(_1=[0, 0, 0.5, 0, 0.45], _4=[0, 0, 0.99])  # <end> at once, or 4 and then <end>
    prompt = torch.tensor([[BEGIN]])
    assert beam_search(model, prompt, 5, length_penalty=0.0) == [[END]]  # log 0.5 > log 0.45 · 0.99
    assert beam_search(model, prompt, 5, length_penalty=2.0) == [[4, END]]  # -0.69 / 1 < -0.81 / 1.36


@pytest.mark.parametrize("write", [greedy, beam_search])
def test_a_long_text_to_continue_is_read_to_its_end_when_the_others_have_ended(write):
    model = Table(**{f"_{last}": [0, 0, 0.9, 0, 0.1] for last in range(1, 7)})
    assert write(model, pad_right([[BEGIN], [BEGIN, 4, 4]]), 3) == [[END], [END]]


@pytest.mark.parametrize("write", [greedy, beam_search])
def test_nothing_is_read_once_all_have_ended(write):
    model, steps = translator(), []
    model.output.register_forward_hook(lambda *_: steps.append(1))
    model.output.weight.data[END] = 100.0
    model.decoder.layers[-1].feed_forward_residual.norm.gamma.data.zero_()
    model.decoder.layers[-1].feed_forward_residual.norm.beta.data.fill_(1.0)  # so that <end> is the most probable, always
    assert write(model, pad_right(PROMPTS), 9) == [[END]] * 3
    assert len(steps) == 1


@settings(deadline=None, max_examples=20)
@given(st.sampled_from([translator, gpt]), st.integers(1, 50), st.sampled_from([0.0, 0.6, 2.0]))
def test_a_beam_as_wide_as_all_prefixes_finds_the_best_of_all_texts(make, seed, alpha):
    model, limit = make(seed), 3
    best = [best_by_hand(model, prompt, limit, alpha) for prompt in PROMPTS]
    assert beam_search(model, pad_right(PROMPTS), limit, width=7**limit, length_penalty=alpha) == best


@settings(deadline=None, max_examples=20)
@given(st.sampled_from([translator, gpt]), st.integers(1, 50))
def test_a_beam_of_one_without_penalty_is_greedy(make, seed):
    model, prompts = make(seed), pad_right(PROMPTS)
    for limit in (1, 6):
        assert beam_search(model, prompts, limit, width=1, length_penalty=0.0) == greedy(model, prompts, limit)


@pytest.mark.parametrize("make", [translator, gpt])
def test_a_wider_beam_beats_greedy_where_greedy_is_led_astray(make):
    found = 0
    for seed in range(1, 30):
        model = make(seed)
        for prompt in PROMPTS:
            one, wide = greedy(model, pad_right([prompt]), 6)[0], beam_search(model, pad_right([prompt]), 6, width=5)[0]
            scores = [log_probabilities(model, prompt, [text]).sum() / ((5 + len(text)) / 6) ** 0.6 for text in (one, wide)]
            found += scores[1] > scores[0] + 1e-9
    assert found > 5


def test_a_row_of_a_batch_is_what_it_is_alone():
    for model in (translator(3), gpt(3)):
        together = beam_search(model, pad_right(PROMPTS), 6, width=3)
        assert together == [beam_search(model, torch.tensor([prompt]), 6, width=3)[0] for prompt in PROMPTS]


# Sampling


def test_samples_have_the_model_s_probabilities():
    model = gpt(2)
    model.eval()
    prompt = torch.tensor([[BEGIN, 5]])
    expected = model(prompt)[0, -1].index_fill(0, torch.tensor(0), -torch.inf).softmax(-1)
    generator = torch.Generator().manual_seed(0)
    drawn = [text[0] for text in sample(model, prompt.expand(5000, 2), 1, generator=generator)]
    shares = torch.bincount(torch.tensor(drawn), minlength=7) / 5000
    torch.testing.assert_close(shares.double(), expected.detach(), rtol=0, atol=0.03)


def test_the_same_generator_writes_the_same_text_and_another_another():
    model, prompts = translator(), pad_right(PROMPTS * 3)

    def text(seed: int) -> list[list[int]]:
        return sample(model, prompts, 8, generator=torch.Generator().manual_seed(seed))

    assert text(1) == text(1) != text(2)


@pytest.mark.parametrize("make", [translator, gpt])
def test_one_candidate_or_a_low_temperature_is_greedy(make):
    model, prompts, generator = make(), pad_right(PROMPTS), torch.Generator().manual_seed(0)
    assert sample(model, prompts, 6, top_k=1, generator=generator) == greedy(model, prompts, 6)
    assert sample(model, prompts, 6, top_p=1e-9, generator=generator) == greedy(model, prompts, 6)
    assert sample(model, prompts, 6, temperature=1e-4, generator=generator) == greedy(model, prompts, 6)


@given(st.integers(1, 9), st.integers(0, 99), st.sampled_from([0.3, 1.0, 4.0]))
def test_top_k_keeps_the_k_most_probable_in_proportion(k, seed, temperature):
    logits = twins.random(2, 6, seed=seed) * 3
    plain, kept = (logits / temperature).softmax(-1), next_token_distribution(logits, temperature, top_k=k)
    for p, q in zip(plain, kept, strict=True):
        best = p.argsort(descending=True)[:k]
        torch.testing.assert_close(q[best], p[best] / p[best].sum())
        assert q.sum().item() == pytest.approx(1)


@given(st.floats(0.01, 1.0), st.integers(0, 99))
def test_top_p_keeps_the_fewest_that_reach_p(p, seed):
    logits = twins.random(6, seed=seed) * 3
    plain, kept = logits.softmax(-1), next_token_distribution(logits, top_p=p)
    ranked = sorted(plain.tolist(), reverse=True)
    needed = next((n for n in range(1, 7) if sum(ranked[:n]) >= p - 1e-12), 6)
    assert (kept > 0).sum() == needed
    torch.testing.assert_close(kept[kept > 0], plain[kept > 0] / plain[kept > 0].sum())


def test_top_p_is_taken_of_what_top_k_left():
    logits = torch.tensor([0.4, 0.3, 0.2, 0.1]).log()
    assert (next_token_distribution(logits, top_k=2, top_p=0.5) > 0).tolist() == [True, False, False, False]  # 0.4/0.7 > 0.5


def test_small_probabilities_in_16_bits_are_not_lost():
    logits = (twins.random(300) * 3).bfloat16()
    assert (next_token_distribution(logits, top_p=1.0) > 0).all()
    assert next_token_distribution(torch.tensor([700.0, 0.0]).half(), temperature=0.01).tolist() == [1, 0]


def test_ties_do_not_widen_top_k():
    assert (next_token_distribution(torch.zeros(5), top_k=2) > 0).sum() == 2


# Around it


def test_decoding_leaves_the_model_as_it_was_also_when_it_fails():
    model = translator()
    greedy(model, pad_right(PROMPTS), 3)
    assert model.training
    with pytest.raises(ValueError, match="ids 0"):
        greedy(model, torch.tensor([[99]]), 3)
    assert model.training
    model.encoder.eval()
    greedy(model, pad_right(PROMPTS), 3)
    assert (model.training, model.encoder.training, model.decoder.training) == (True, False, True)
    model.eval()
    greedy(model, pad_right(PROMPTS), 3)
    assert not model.training
    assert all(p.grad is None for p in model.parameters())


def test_what_cannot_be_written_is_told():
    model, text = gpt(), torch.tensor([[1, 5, 6]])
    generator = torch.Generator()
    for call, told in [
        (lambda: greedy(model, text, 0), "limit, the largest number of tokens to generate, must be 1 or more, got 0"),
        (
            lambda: greedy(model, text, 15),
            "this model has 16 positions, got 3 given tokens and 15 to generate; try a smaller limit",
        ),
        (lambda: greedy(model, text[:, 1:], 3), r"must begin with <begin>, id 1, got \[5, 6\]; put it in front"),
        (
            lambda: greedy(model, torch.tensor([[1, 5], [0, 0]]), 3),
            r"padded on the right and not be empty, got row 1 = \[0, 0\]",
        ),
        (lambda: greedy(model, text[0], 3), r"tensor of ids \(b, n\), got \(3,\); see pad_right"),
        (lambda: greedy(model, [[1, 5]], 3), "got list; see pad_right"),
        (lambda: greedy(torch.nn.Linear(2, 2), text, 3), "the model must be a Transformer or a GPT, got Linear"),
        (lambda: greedy(model, torch.tensor([[0, 5, 6]]), 3), "padded on the right and not be empty, got row 0"),
        (lambda: beam_search(model, text, 3, width=0), "width must be 1 or more"),
        (lambda: beam_search(model, text, 3, length_penalty=-1.0), "length_penalty 0 or more"),
        (
            lambda: sample(model, text, 3, temperature=0.0, generator=generator),
            "above 0, got 0.0; for the most probable token, use greedy",
        ),
        (lambda: sample(model, text, 3, top_k=0, generator=generator), "top_k must be 1 or more"),
        (lambda: sample(model, text, 3, top_p=1.5, generator=generator), "at most 1, got None and 1.5"),
        (lambda: greedy(translator(), torch.tensor([[5, 99]]), 3), "ids 0 … 6, got 99"),
    ]:
        with pytest.raises(ValueError, match=told):
            call()
    assert len(greedy(model, text, 14)[0]) <= 14  # the last token that fits is written


def test_injecting_one_token_changes_nothing_before_it():
    model = translator()
    model.eval()
    forced = torch.tensor([[BEGIN, 4, 5, 6, 3]])
    other = forced.clone()
    other[0, 2] = 6
    one, two = (model(torch.tensor([PROMPTS[0]]), tokens)[0] for tokens in (forced, other))
    same = (one - two).abs().amax(-1) < 1e-12
    assert same.tolist() == [True, True, False, False, False]
