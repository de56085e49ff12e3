"""The learner's translator: kept with its training, opened again, and replaced by the course's if there is none."""

import pytest
import torch

from transformer_course import build_parts
from transformer_course.data import number_pairs
from transformer_course.experiments import learner_translator
from transformer_course.experiments.learner_translator import keep_translator, own_translator, reopen_translator
from transformer_course.experiments.translation import untrained
from transformer_course.figures import live
from transformer_course.transformer import Transformer

PAIRS = number_pairs(50, 5)
SHOWN = {"losses": [2.0, 1.0], "accuracies": {"right": [[2, 0.5]]}, "samples": [[2, {"12": "十二 = 12 ✓"}]]}


@pytest.fixture(autouse=True)
def few_steps(monkeypatch):
    monkeypatch.setattr(learner_translator, "STEPS", 2)


def watched():
    watch = live(2)
    vars(watch).update(SHOWN)
    return watch


def parameters(model):
    return torch.nn.utils.parameters_to_vector(model.parameters())


@pytest.mark.parametrize("make", [Transformer, build_parts.Transformer])
def test_what_was_trained_is_opened_with_its_figure(make, folder, capsys):
    model, vocabularies = untrained(PAIRS, seed=1, make=make)
    keep_translator(model, vocabularies, watched())
    other, watch = untrained(PAIRS, seed=2, make=make)[0], live(2)
    assert reopen_translator(other, watch)
    assert capsys.readouterr().out.endswith("set train_again = True in the cell that trains it, and run that cell\n")
    assert torch.equal(parameters(other), parameters(model))
    assert {name: getattr(watch, name) for name in SHOWN} == SHOWN
    again, words = own_translator()
    assert isinstance(again, Transformer)
    assert torch.equal(parameters(again), parameters(model))
    assert words["source"].tokens == vocabularies["source"].tokens


def test_a_class_with_other_parameters_is_neither_saved_nor_filled_and_says_so(folder, capsys):
    model, vocabularies = untrained(PAIRS)
    other = untrained(PAIRS, make=build_parts.Transformer)[0]
    other.decoder.norm = torch.nn.Identity()
    before = parameters(other)
    keep_translator(other, vocabularies, watched())
    assert "so it is not saved" in capsys.readouterr().out
    keep_translator(model, vocabularies, watched())
    assert not reopen_translator(other, watch := live(2))
    assert capsys.readouterr().out.endswith("so a new translator is trained.\n")
    assert torch.equal(parameters(other), before)
    assert watch.losses == []


def test_without_a_learners_folder_it_is_trained_and_the_courses_used(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    model, vocabularies = untrained(PAIRS)
    keep_translator(model, vocabularies, watched())
    assert not reopen_translator(model, live(2))
    assert capsys.readouterr().out == ""
    own_translator()
    assert capsys.readouterr().out == "The translator is the course's, because there is none of yours in this folder.\n"
