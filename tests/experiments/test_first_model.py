"""The first model of lesson 00: it learns from any text, and from the documentation if a text cannot be used."""

import pytest

from transformer_course import weights
from transformer_course._util.folder_record import read_record
from transformer_course.data.split import Split
from transformer_course.experiments import build_ladder, effort, first_model
from transformer_course.experiments.first_model import train_first_model

POEM = "the red car\tstops\r\n"


@pytest.fixture(autouse=True)
def few_steps(monkeypatch, folder):
    """Three steps on a short documentation, in a learner's folder. The model sees few characters, and writes few."""
    write = first_model.FirstModel.write
    monkeypatch.setattr(
        first_model.FirstModel, "write", lambda self, start="\n", count=200: write(self, start, min(count, 20))
    )
    monkeypatch.setattr(effort, "steps", lambda full, short: 3)
    monkeypatch.setattr(first_model, "LENGTH", 16)
    monkeypatch.setattr(first_model, "python_docs", lambda: Split("A list has items.\n" * 200, "It is sorted.\n" * 20))


def test_it_is_kept_in_the_learners_folder_and_stands_on_the_ladder(tmp_path, capsys):
    model = train_first_model()
    assert model.what == "Python's documentation"
    assert read_record(tmp_path)["ladder"] == {"version 0": model.bits}
    loaded, vocabularies = weights.load(tmp_path / "models" / "version-0.safetensors")
    again = first_model.FirstModel(loaded, vocabularies["text"], "")
    assert again.write("A list", count=5) == model.write("A list", count=5)
    assert len(model.write("", count=5)) == 5
    assert "Saved as models/version-0.safetensors." in capsys.readouterr().out


def test_the_same_text_is_not_learned_twice_unless_that_is_wanted(tmp_path, capsys):
    model = train_first_model("colours")
    trained = capsys.readouterr().out
    loaded = train_first_model("colours")
    again = capsys.readouterr().out
    assert "To train it again: train_first_model(own_text, again=True)" in again
    assert again.splitlines()[-1] == trained.splitlines()[-1]  # what it writes
    assert (repr(loaded), loaded.write("A", count=5)) == (repr(model), model.write("A", count=5))
    for options in ({"text": "colours", "again": True}, {"text": "colours", "seed": 1}, {"text": POEM * 200}):
        train_first_model(**options)
        assert "Loaded" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "characters"),
    [
        (POEM * 200, 3_000),
        ("红色的车停在街上。\n" * 300, 2_500),
        ("".join(map(chr, range(0x4E00, 0x4E00 + 3_000))), 2_500),
        ("colours", 9_000),
    ],
)
def test_it_learns_from_other_texts(text, characters, tmp_path, capsys):
    model = train_first_model(text)
    assert model.what in ("your text", "names of colours")
    assert not {"\t", "\r"} & {*model.vocabulary.tokens}
    assert len(model.vocabulary) <= first_model.MAX_ALPHABET + 4
    assert isinstance(model.write("\n", count=3), str)
    read = capsys.readouterr().out
    assert int(read.split(": ")[1].split(" characters")[0].replace(",", "")) > characters
    assert "ladder" not in read_record(tmp_path)  # the ladder compares models of one text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("abc", "Your text has 3 characters, but the model needs at least 1,000, so it reads Python's documentation."),
        ("   ", "Your text has 0 characters, but"),
        (["a"], "The text must be a string, in quotes, got list. The model reads Python's documentation."),
        (None, "The text must be a string, in quotes, got NoneType. The"),
    ],
)
def test_a_text_that_cannot_be_used_is_told_and_the_documentation_read(text, says, capsys):
    assert train_first_model(text).what == "Python's documentation"
    assert capsys.readouterr().out.startswith(says)


def test_of_a_very_long_text_only_the_beginning_is_read(monkeypatch, capsys):
    monkeypatch.setattr(first_model, "MAX_CHARACTERS", 2_500)
    train_first_model("a cat " * 1_000)
    assert capsys.readouterr().out.startswith("Your text has 6,000 characters. The first 2,500 are enough for a minute.")


def test_a_stopped_training_keeps_what_was_learned(monkeypatch, tmp_path, capsys):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(first_model, "_train", stop)
    train_first_model("colours")
    assert "Stopped. The model keeps what it has learned so far." in capsys.readouterr().out
    assert [each.name for each in (tmp_path / "models").glob("*.safetensors")] == ["version-0-names-of-colours.safetensors"]
    train_first_model("colours")
    assert "Loaded" not in capsys.readouterr().out  # the next run goes on to the end


def test_a_loaded_model_shows_its_training_again(monkeypatch):
    shown = []
    monkeypatch.setattr(first_model.live, "_show", lambda watch, running=False: shown.append((watch.losses, watch.samples)))
    train_first_model("colours")
    train_first_model("colours")
    (losses, samples), (losses_again, samples_again) = shown
    assert losses == losses_again
    assert len(losses) == 3
    assert [[step, text] for step, text in samples] == samples_again


def test_words_that_are_not_in_the_text_are_called_invented():
    assert first_model._invented("the car redly stops the ca", "the red car stops") == (
        "Of 5 words that it then wrote, 1 are invented: they are not in the text."
    )


def test_version_0_is_the_first_rung():
    assert next(iter(build_ladder.COURSE)) == "version 0"
