"""training.py: the loss against a loop, the loop against torch's optimiser, and files of weights that are whole."""

import itertools
import json
import math
import random
import re

import pytest
import safetensors.torch
import torch
import twins
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from transformer_course.decoding import greedy
from transformer_course.embedding import Vocabulary, pad_right
from transformer_course.family import BERT, GPT, IGNORE_INDEX, SequenceClassifier, ViT, ViTConfig
from transformer_course.training import (
    batches,
    classification_loss,
    continuation_loss,
    exact_match,
    load,
    masked_loss,
    save,
    sequence_loss,
    shift,
    train,
    translation_loss,
)
from transformer_course.transformer import Transformer, TransformerConfig

SIZES = {"vocabulary_size": 9, "d_model": 16, "num_heads": 2, "num_layers": 1, "d_ff": 32, "max_length": 12, "dropout": 0.0}
CONFIG = TransformerConfig(**SIZES, norm="pre", tied=False)


def reversals(count: int = 640) -> tuple[list[list[int]], list[list[int]]]:
    draw = random.Random(0)
    sources = [[draw.randrange(4, 9) for _ in range(draw.randint(1, 5))] for _ in range(count)]
    return sources, [[*reversed(source), Vocabulary.end] for source in sources]


# The loss


def test_shift_puts_each_label_after_its_input():
    inputs, labels = shift(torch.tensor([[5, 6, 2], [7, 2, 0]]))
    assert inputs.tolist() == [[1, 5, 6], [1, 7, 2]]
    assert labels.tolist() == [[5, 6, 2], [7, 2, 0]]


@given(st.floats(0, 0.9), st.integers(0, 20))
def test_the_loss_is_the_mean_over_real_tokens_as_a_loop_has_it(smoothing, seed):
    logits, labels = twins.random(2, 3, 5, seed=seed), torch.tensor([[4, 1, 2], [3, 0, 0]])
    total = 0.0
    for row, position in [(0, 0), (0, 1), (0, 2), (1, 0)]:
        scores = logits[row, position].tolist()
        log_sum = math.log(sum(math.exp(score) for score in scores))
        aims = [smoothing / 5 + (1 - smoothing) * (token == labels[row, position]) for token in range(5)]
        total -= sum(aim * (score - log_sum) for aim, score in zip(aims, scores, strict=True))
    assert sequence_loss(logits, labels, 0, smoothing).item() == pytest.approx(total / 4)


def test_labels_that_do_not_fit_are_told():
    logits = twins.random(2, 3, 5)
    for labels, told in [
        (torch.ones(3, 2, dtype=torch.int64), r"got \(2, 3, 5\), \(3, 2\) and 0.0"),
        (torch.zeros(2, 3, dtype=torch.int64), "ids 0 … 4, and at least one is needed, got nothing but 0"),
        (torch.full((2, 3), 5), "ids 0 … 4, and at least one is needed, got 5 … 5"),
        (
            torch.full((2, 3), -100),
            "labels other than pad = 0 must be ids 0 … 4, .* got -100 … -100; check pad",
        ),
    ]:
        with pytest.raises(ValueError, match=told):
            sequence_loss(logits, labels)
    with pytest.raises(ValueError, match=r"and 1\.5"):
        sequence_loss(logits, torch.ones(2, 3, dtype=torch.int64), smoothing=1.5)
    with pytest.raises(ValueError, match=r"targets must have shape \(b, n\).* got \(3,\)"):
        shift(torch.tensor([5, 6, 2]))
    labels = torch.tensor([[IGNORE_INDEX, 3, IGNORE_INDEX], [IGNORE_INDEX] * 3])
    torch.testing.assert_close(sequence_loss(logits, labels, IGNORE_INDEX), -logits[0, 1].log_softmax(-1)[3])


def test_an_oracle_of_the_next_token_has_no_loss_and_one_of_the_same_token_has():
    class Oracle(nn.Module):
        def forward(self, tokens):
            return 100.0 * nn.functional.one_hot(tokens + 1, 10)  # counts up

    text = torch.tensor([[2, 3, 4, 5]])  # after <begin> = 1
    assert continuation_loss(Oracle(), text).item() == pytest.approx(0)
    assert continuation_loss(Oracle(), text.flip(1)).item() > 10


def test_translation_loss_teaches_with_the_target_shifted():
    model = twins.scatter_parameters(Transformer(CONFIG))
    source, target = torch.tensor([[5, 6]]), torch.tensor([[7, 8, 2]])
    expected = nn.functional.cross_entropy(model(source, torch.tensor([[1, 7, 8]]))[0], target[0])
    torch.testing.assert_close(translation_loss(model, source, target), expected)
    assert translation_loss(model, source, target, smoothing=0.3) != expected


def test_masked_and_classification_losses_ask_what_their_models_answer():
    bert = twins.scatter_parameters(BERT(TransformerConfig(**SIZES)))
    inputs, labels = torch.tensor([[1, 4, 6], [1, 7, 0]]), torch.tensor([[IGNORE_INDEX, 5, IGNORE_INDEX], [IGNORE_INDEX] * 3])
    torch.testing.assert_close(masked_loss(bert, inputs, labels), -bert(inputs)[0, 1].log_softmax(-1)[5])
    classifier, kinds = SequenceClassifier(bert, 3).double(), torch.tensor([2, 0])
    expected = -classifier(inputs).log_softmax(-1)[range(2), kinds].mean()
    torch.testing.assert_close(classification_loss(classifier, inputs, kinds), expected)


# Batches


def test_an_epoch_has_each_example_once_and_its_columns_belong_together():
    sources, targets = reversals()
    columns = [[[i + 4] * len(source) for i, source in enumerate(sources)], targets]
    seen = []
    for source, target in itertools.islice(batches(*columns, batch_size=64), 10):
        assert source.shape[0] == target.shape[0] == 64
        for row, row_target in zip(source.tolist(), target.tolist(), strict=True):
            number = row[0] - 4
            seen.append(number)
            assert [t for t in row_target if t] == targets[number]
    assert sorted(seen) == list(range(640))


def test_the_longest_examples_are_not_left_out_when_batches_do_not_come_out_even():
    texts = [[i + 4] * (i + 1) for i in range(70)]
    drawn = [batch for (batch,) in itertools.islice(batches(texts, batch_size=64), 2)]
    assert sorted(len(batch) for batch in drawn) == [6, 64]
    assert sorted(row[0] - 4 for batch in drawn for row in batch.tolist()) == list(range(70))


def test_tensors_give_their_rows_beside_the_sequences():
    images, labels = twins.random(9, 2, 2), torch.arange(9)
    texts = [[i + 4] * (i + 1) for i in range(9)]
    for some, text, label in itertools.islice(batches(images, texts, labels, batch_size=4), 3):
        assert torch.equal(some, images[label])
        assert torch.equal(text[:, 0], label + 4)


def test_little_of_a_batch_is_padding_and_batches_come_in_no_order_of_length():
    draw = random.Random(0)
    texts = [[5] * draw.randint(1, 60) for _ in range(6400)]
    drawn = [batch for (batch,) in itertools.islice(batches(texts, batch_size=64), 100)]
    assert sum((batch == 0).sum() for batch in drawn) / sum(batch.numel() for batch in drawn) < 0.03
    lengths = [batch.shape[1] for batch in drawn]
    assert sum(a < b for a, b in itertools.pairwise(lengths)) in range(30, 70)


def test_batches_follow_the_seed_and_epochs_differ():
    texts = [[5] * (i % 7 + 1) for i in range(128)]

    def drawn(seed: int, skip: int = 0) -> list[list[list[int]]]:
        return [batch.tolist() for (batch,) in itertools.islice(batches(texts, batch_size=4, seed=seed), skip, skip + 32)]

    assert drawn(1) == drawn(1) != drawn(2)
    assert drawn(1) != drawn(1, skip=32)


def test_each_epoch_mixes_anew():
    texts = [[i + 4] * (i % 3 + 1) for i in range(60)]
    drawn = [tuple(sorted(batch[:, 0].tolist())) for (batch,) in itertools.islice(batches(texts, batch_size=4), 30)]
    assert len(set(drawn[:15]) & set(drawn[15:])) < 8


def test_columns_that_do_not_fit_are_told_at_once():
    with pytest.raises(ValueError, match=r"got \[\]"):
        batches()
    with pytest.raises(ValueError, match=r"columns must have the same length, at least batch_size = 64, got \[2, 3\]"):
        batches([[1]] * 2, [[1]] * 3)
    with pytest.raises(ValueError, match=r"got \[2\]"):
        batches([[1]] * 2)
    with pytest.raises(ValueError, match=r"sequences of ids or be a tensor, got 3 in it; encode it, or use torch.tensor"):
        batches([[1]] * 2, [3, 4])
    with pytest.raises(ValueError, match="got 'ab' in it; encode it"):
        batches(["ab", "cd"])


# The loop


def test_the_loop_makes_the_steps_of_torch_s_adamw():
    def loss_of(model, x):
        return (model(x) ** 2).mean()

    data = [twins.random(3, 4, seed=i) for i in range(6)]
    ours, theirs = (twins.scatter_parameters(nn.Linear(4, 2)) for _ in range(2))
    losses = train(ours, iter([(x,) for x in data]), loss_of, 6, lr=0.1, warmup=2, clip=0.5, weight_decay=0.3)
    optimizer = torch.optim.AdamW(theirs.parameters(), lr=0.0, betas=(0.9, 0.98), weight_decay=0.3)
    for x, share in zip(data, [1 / 2, 1, 4 / 4, 3 / 4, 2 / 4, 1 / 4], strict=True):
        optimizer.param_groups[0]["lr"] = 0.1 * share
        loss = loss_of(theirs, x)
        assert loss.item() == pytest.approx(losses.pop(0))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(theirs.parameters(), 0.5)
        optimizer.step()
    torch.testing.assert_close(ours.state_dict(), theirs.state_dict())


def test_a_small_transformer_learns_to_reverse_what_it_never_saw():
    torch.manual_seed(0)
    sources, targets = reversals(1500)
    model, seen = Transformer(TransformerConfig(**{**SIZES, "d_model": 32, "d_ff": 64}, norm="pre", tied=False)), []
    losses = train(
        model,
        batches(sources[:1000], targets[:1000]),
        translation_loss,
        400,
        lr=5e-3,
        after_step=lambda step, loss: seen.append((step, loss)),
    )
    assert seen == list(enumerate(losses, start=1))
    unseen = [(s, t) for s, t in zip(sources[1000:], targets[1000:], strict=True) if s not in sources[:1000]]
    assert len(unseen) > 100
    assert exact_match(model, *zip(*unseen, strict=True)) >= 0.9


def test_a_model_learns_with_its_dropout_on():
    model = Transformer(CONFIG).eval()
    train(model, batches(*reversals()), translation_loss, 1)
    assert model.training


def test_a_run_is_repeatable_to_the_bit():
    def run() -> list[float]:
        torch.manual_seed(3)
        sources, targets = reversals()
        return train(Transformer(CONFIG), batches(sources, targets, seed=3), translation_loss, 5)

    assert run() == run()


def test_a_loss_that_is_lost_is_told_at_once():
    model = nn.Linear(1, 1)
    data = ((torch.ones(1, 1) * (math.nan if i == 2 else 1),) for i in range(9))
    with pytest.raises(
        RuntimeError, match=re.escape("the loss must be finite, got nan at step 3; try a smaller lr (it was 0.001)")
    ):
        train(model, data, lambda model, x: model(x).sum(), 9)
    assert all(p.isfinite().all() for p in model.parameters())  # what two good steps made of it is kept
    with pytest.raises(ValueError, match="the data ran out before step 3 of 9; try `batches`, which never ends"):
        train(model, iter([(torch.ones(1, 1),)] * 2), lambda model, x: model(x).sum(), 9)
    with pytest.raises(ValueError, match="at least one step, got 0"):
        train(model, data, lambda model, x: model(x).sum(), 0)


def test_exact_match_counts_whole_sequences():
    torch.manual_seed(0)
    model = Transformer(CONFIG)
    sources = [[5, 6], [7], [8, 4, 4]] * 300
    model.output.weight.data[Vocabulary.end] += 0.2  # so that all of them end
    targets = greedy(model, pad_right(sources), 9)
    assert exact_match(model, sources, targets) == 1
    targets[0] = [4, *targets[0]]
    targets[1] = [*targets[1][:-1], 4, Vocabulary.end]
    assert exact_match(model, sources, targets) == 898 / 900
    with pytest.raises(ValueError, match=r"targets must end with <end>, id 2, .* got one without"):
        exact_match(model, [[5]], [[6]])
    with pytest.raises(ValueError, match="got 900 sources and 899 targets"):
        exact_match(model, sources, targets[1:])


# Files


MODELS = [
    Transformer(CONFIG),
    GPT(CONFIG),
    BERT(TransformerConfig(**SIZES)),
    ViT(ViTConfig(d_model=8, num_heads=2, num_layers=1)),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_a_saved_model_comes_back_with_its_vocabularies(model, tmp_path):
    vocabulary = Vocabulary("ab", specials=["[PAD]", "[CLS]", "[SEP]", "[UNK]", "[MASK]"])
    save(model, tmp_path / "model.safetensors", source=vocabulary, target=Vocabulary("国c"))
    again, vocabularies = load(str(tmp_path / "model.safetensors"))
    assert type(again) is type(model)
    assert again.config == model.config
    assert not again.training
    torch.testing.assert_close(again.state_dict(), model.state_dict(), rtol=0, atol=0)
    assert vocabularies["source"].tokens == vocabulary.tokens
    assert vocabularies["source"].specials == vocabulary.specials
    assert vocabularies["target"].tokens[4:] == ("国", "c")
    assert [file.name for file in tmp_path.iterdir()] == ["model.safetensors"]


def test_half_halves_the_file_and_rounds(tmp_path):
    model = Transformer(CONFIG)
    save(model, tmp_path / "whole")
    save(model, tmp_path / "half", half=True)
    again, _ = load(tmp_path / "half")
    assert (tmp_path / "half").stat().st_size < 0.6 * (tmp_path / "whole").stat().st_size
    assert again.output.weight.dtype == torch.float32
    torch.testing.assert_close(again.output.weight, model.output.weight, rtol=1e-3, atol=1e-6)
    assert next(model.parameters()).dtype == torch.float32  # the model itself is not touched


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "model"
    save(MODELS[0], path)
    before = path.read_bytes()
    monkeypatch.setattr("os.replace", lambda *a: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        save(MODELS[1], path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_files_that_are_cut_short_or_not_ours_or_of_another_configuration_are_told(tmp_path):
    path = tmp_path / "model"
    save(MODELS[0], path)
    whole = path.read_bytes()
    with safetensors.safe_open(path, framework="pt") as file:
        notes, weights = json.loads(file.metadata()["transformer-course"]), safetensors.torch.load(whole)

    def told(content: bytes) -> str:
        path.write_bytes(content)
        with pytest.raises(ValueError, match=re.escape(str(path))) as error:
            load(path)
        return str(error.value)

    def as_written(weights=weights, **changes) -> bytes:
        return safetensors.torch.save(weights, {"transformer-course": json.dumps({**notes, **changes})})

    load(path)
    assert "cut short or not a safetensors file" in told(whole[: len(whole) // 2])
    assert "cut short or not a safetensors file" in told(b"")
    assert "cut short or not a safetensors file" in told(b"PK" + whole)
    assert "not written by this course's save" in told(safetensors.torch.save(weights))
    assert "not written by this course's save" in told(as_written(model="Mamba"))
    assert "not written by this course's save" in told(as_written(config={**notes["config"], "d_model": 0}))
    assert "not written by this course's save" in told(as_written(config={**notes["config"], "experts": 8}))
    wider = told(as_written(config={**notes["config"], "d_ff": 64}))
    assert "encoder.layers.0.feed_forward.w_1.weight is (32, 16), expected (64, 16)" in wider
    less = told(as_written(weights={name: w for name, w in weights.items() if name != "output.weight"}))
    assert "output.weight is missing, expected (9, 16)" in less
    assert "d_model" in told(as_written(config={**notes["config"], "d_model": "16"}))
    huge = told(as_written(config={**notes["config"], "d_model": 2**20, "num_heads": 1, "max_length": 2}))
    assert "does not fit its own configuration" in huge  # and no memory was taken for it
    assert "not written by this course's save" in told(as_written(vocabularies=[]))
    with pytest.raises(FileNotFoundError, match="no weights file at"):
        load(tmp_path / "elsewhere")
    with pytest.raises(ValueError, match=r"save supports Transformer, GPT, BERT, ViT, got Linear; .* use torch.save"):
        save(nn.Linear(2, 2), path)


def test_models_that_are_no_longer_what_their_config_says_are_told(tmp_path):
    class GPT(nn.Module):  # a learner's own
        config = CONFIG

    for model, message in [
        (twins.torch_transformer(d_model=8, nhead=2), "save supports Transformer, GPT, BERT, ViT, got Transformer"),
        (GPT(), "got GPT"),
    ]:
        with pytest.raises(ValueError, match=message):
            save(model, tmp_path / "model")
    model = Transformer(CONFIG)
    model.output.weight = model.target.embedding.table
    with pytest.raises(ValueError, match=r"no longer matches its config: output.weight is missing, expected \(9, 16\)"):
        save(model, tmp_path / "model")
    model = Transformer(CONFIG)
    with torch.no_grad():
        model.output.weight[0, 0] = 1e6
    save(model, tmp_path / "whole")
    with pytest.raises(ValueError, match="not finite in 16 bits, where the largest number is 65,504"):
        save(model, tmp_path / "model", half=True)
    with pytest.raises(ValueError, match="text must be a Vocabulary, got str"):
        save(model, tmp_path / "model", text="abc")
    assert [file.name for file in tmp_path.iterdir()] == ["whole"]


def test_loading_draws_no_random_number(tmp_path):
    save(Transformer(CONFIG), tmp_path / "model")
    torch.manual_seed(0)
    expected = torch.rand(3)
    torch.manual_seed(0)
    load(tmp_path / "model")
    assert torch.equal(torch.rand(3), expected)
