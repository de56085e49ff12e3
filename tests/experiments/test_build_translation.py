"""Stage B6's training: its data, its checkpoints, and the solved stage, which learns to translate."""

import copy
import re
from dataclasses import replace

import pytest
import torch

from transformer_course import build_parts, course, weights
from transformer_course.authoring.build import notebook_of
from transformer_course.experiments import build_translation as translation
from transformer_course.transformer import Transformer, TransformerConfig

SIZES = {"d_model": 8, "num_heads": 2, "num_layers": 1, "d_ff": 16, "dropout": 0.1, "norm": "pre", "tied": False}


@pytest.fixture(scope="module")
def numbers():
    return translation.load_numbers()


def run_stage() -> dict[str, object]:
    """Run the solved stage without its checks and what is not graded; return its functions and its training loop."""
    names: dict[str, object] = {}
    for cell in notebook_of(course.stage("B6"), solved=True).cells:
        left_out = cell.source.startswith("check(") or "not-graded" in cell.metadata.get("tags", ())
        if cell.cell_type == "code" and not left_out:
            exec(cell.source, names)
    return names


@pytest.fixture(scope="module")
def stage():
    return run_stage()


def small_model(numbers, **changes):
    vocabularies = {"vocabulary_size": len(numbers.source), "target_vocabulary_size": len(numbers.target)}
    return Transformer(TransformerConfig(**{**SIZES, **vocabularies, **changes}))


@pytest.fixture(scope="module")
def half_trained(numbers, stage):
    torch.manual_seed(0)
    model = small_model(numbers)
    state = stage["new_state"](model.parameters())
    stage["train"](model, state, numbers, stop=3)
    return model, state


@pytest.fixture
def begun(half_trained):
    """A model with dropout, in the middle of its training."""
    return copy.deepcopy(half_trained)


def test_a_resumed_training_has_the_same_losses(begun, numbers, stage, tmp_path):
    translation.save_checkpoint(tmp_path / "begun.pt", *begun)
    expected = stage["train"](*begun, numbers, stop=6)
    model = small_model(numbers)
    state = stage["new_state"](model.parameters())
    translation.load_checkpoint(tmp_path / "begun.pt", model, state)
    assert state["step"] == 3
    assert stage["train"](model, state, numbers, stop=6) == expected
    assert len(set(expected)) == 3


BROKEN = {
    "cut short": (lambda raw, saved: raw[:-500], "is cut short or not a checkpoint"),
    "empty": (lambda raw, saved: b"", "is cut short or not a checkpoint"),
    "text": (lambda raw, saved: b"# My notes\n" * 50, "is cut short or not a checkpoint"),
    "no state": (lambda raw, saved: {"model": saved["model"]}, "is cut short or not a checkpoint"),
    "a list": (lambda raw, saved: [1, 2], "is cut short or not a checkpoint"),
    "weights alone": (lambda raw, saved: saved["model"], "is cut short or not a checkpoint"),
    "no averages": (lambda raw, saved: saved | {"state": {"step": 3, "m": [], "v": []}}, "is not a complete checkpoint"),
    "no random state": (lambda raw, saved: saved | {"random": torch.zeros(3)}, "is not a complete checkpoint"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_checkpoint_is_refused_in_one_sentence_and_changes_nothing(name, begun, tmp_path):
    file = tmp_path / "begun.pt"
    translation.save_checkpoint(file, *begun)
    change, words = BROKEN[name]
    changed = change(file.read_bytes(), torch.load(file))
    if isinstance(changed, bytes):
        file.write_bytes(changed)
    else:
        torch.save(changed, file)
    assert_refused(file, *begun, words)


def assert_refused(file, model, state, words):
    before = copy.deepcopy((model.state_dict(), state)), torch.get_rng_state()
    with pytest.raises(ValueError, match=re.escape(f"{file} {words}")) as error:
        translation.load_checkpoint(file, model, state)
    assert "\n" not in str(error.value)
    torch.testing.assert_close((model.state_dict(), state), before[0], rtol=0, atol=0)
    assert torch.equal(torch.get_rng_state(), before[1])


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"d_ff": 32}, "encoder.layers.0.feed_forward.w_1.weight is (16, 8) in it, and (32, 8) in yours"),
        ({"num_layers": 2}, "encoder.layers.1.self_attention.w_q.weight is missing in it, and (8, 8) in yours"),
    ],
)
def test_a_checkpoint_of_another_model_is_refused(changes, words, begun, numbers, stage, tmp_path):
    translation.save_checkpoint(tmp_path / "begun.pt", *begun)
    other = small_model(numbers, **changes)
    state = stage["new_state"](other.parameters())
    assert_refused(tmp_path / "begun.pt", other, state, f"is the checkpoint of a different model: {words}")


def test_a_missing_checkpoint_is_named(begun, tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no checkpoint at"):
        translation.load_checkpoint(tmp_path / "none.pt", *begun)


def test_batches_follow_torchs_random_numbers(numbers):
    batches = []
    for seed in (5, 5, 6):
        torch.manual_seed(seed)
        batches.append(numbers.random_batch())
    assert torch.equal(batches[0][0], batches[1][0])
    assert batches[0][0].tolist() != batches[2][0].tolist()
    sources, targets = batches[0]
    assert len(sources) == len(targets) == translation.BATCH
    assert all(numbers.target.end in row for row in targets.tolist())


def test_samples_are_written_for_each_number(numbers):
    assert [*numbers.samples(small_model(numbers), [12_300, 7])] == ["12,300", "7"]


@pytest.mark.slow
def test_the_solved_stage_learns_to_translate(monkeypatch):
    """A small model, because `make bench BENCH=build-translation` trains the real one to its end for three seeds."""
    for name, value in {"FEW": 500, "TRAIN": 30_000, "TEST": 1}.items():  # the schedule depends on the steps
        monkeypatch.setattr(translation, name, value)
    names = run_stage()
    numbers = translation.load_numbers()
    torch.manual_seed(0)
    model = names["Transformer"](replace(numbers.config, d_model=64, d_ff=128, num_layers=1))
    losses = names["train"](model, names["new_state"](model.parameters()), numbers, stop=200)
    assert losses[0] > 3
    assert sum(losses[-10:]) / 10 < 0.65  # the best possible is 0.58, with ε = 0.1


def test_what_one_session_trained_the_next_one_opens(numbers, folder):
    trained = build_parts.Transformer(small_model(numbers).config)
    assert not translation.opened(trained)
    translation.keep(trained, numbers)
    later = build_parts.Transformer(trained.config)
    assert translation.opened(later)
    assert all(map(torch.equal, trained.parameters(), later.parameters()))
    model, vocabularies = weights.load(folder / "models" / f"{translation.NAME}.safetensors")
    assert vocabularies["source"].tokens == numbers.source.tokens
    assert isinstance(model, Transformer)
