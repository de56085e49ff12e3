"""Decoding: greedy equals one run of the whole for each token, and bad input is refused."""

import pytest
import torch
from decoding_models import BEGIN, END, PROMPTS, SIZES, gpt, log_probabilities, translator
from hypothesis import given, settings
from hypothesis import strategies as st

from transformer_course.decoding import beam_search, greedy, sample
from transformer_course.embedding import pad_right
from transformer_course.family import GPT
from transformer_course.transformer import TransformerConfig


def greedy_by_hand(model, prompt: list[int], limit: int) -> list[int]:
    text, size = [], model.config.vocabulary_size
    while len(text) < limit and END not in text:
        text.append(log_probabilities(model, prompt, [[*text, token] for token in range(1, size)])[:, -1].argmax().item() + 1)
    return text


@settings(deadline=None, max_examples=30)
@given(
    st.sampled_from([translator, gpt]),
    st.integers(1, 50),
    st.integers(1, 7),
    st.sampled_from(["sinusoidal", "learned", "rotary", "alibi"]),
)
def test_greedy_equals_one_run_of_the_whole_for_each_token(make, seed, limit, positions):
    model = make(seed, positions=positions)
    assert greedy(model, pad_right(PROMPTS), limit) == [greedy_by_hand(model, prompt, limit) for prompt in PROMPTS]


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


def test_a_row_of_a_batch_is_what_it_is_alone():
    for model in (translator(3), gpt(3)):
        together = beam_search(model, pad_right(PROMPTS), 6, width=3)
        assert together == [beam_search(model, torch.tensor([prompt]), 6, width=3)[0] for prompt in PROMPTS]


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
