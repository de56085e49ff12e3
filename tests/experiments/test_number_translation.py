"""Typing a number and seeing what a translator writes."""

import re

import pytest
import torch

from transformer_course import build_parts, models
from transformer_course.experiments.number_translation import NotTranslated, Translation, translate, with_value, write_samples
from transformer_course.weights import copy_weights


@pytest.fixture(scope="module")
def translator():
    return models.load("translator")


@pytest.mark.parametrize(
    "number",
    [
        *("twelve thousand three hundred", "Twelve-thousand, three hundred.", "12300", "12,300", " 12 300 ", 12300),
        *("12 thousand 300", "12 thousand and 3 hundred"),
    ],
)
def test_a_number_may_be_typed_in_words_or_digits(number, translator):
    found = translate(number, translator)
    assert isinstance(found, Translation)
    assert ("".join(found.characters), found.number, found.right) == ("一万二千三百", 12_300, True)
    assert [word for word in found.words if word != "and"] == ["twelve", "thousand", "three", "hundred"]
    assert found.comment() == "That is right."


def test_hundreds_above_nine_are_given_as_the_translator_has_learned_them(translator):
    for number in ("ninety-nine hundred and one", "99 hundred and 1"):
        assert repr(translate(number, translator)).startswith("nine thousand nine hundred and one → 九千九百零一 = 9,901\n")


def test_the_default_is_the_shipped_translator(translator):
    assert repr(translate(42_007)) == repr(translate("forty-two thousand and seven", translator))


def test_a_map_has_a_row_per_character_and_follows_the_words(translator):
    found = translate("twelve thousand three hundred", translator)
    assert found.weights.shape == (6, 4)
    assert found.weights.sum(axis=1) == pytest.approx(1, abs=1e-5)
    assert found.weights.argmax(axis=1).tolist() == [0, 1, 0, 3, 2, 3]  # twelve thousand twelve hundred three hundred
    page = found._repr_html_()
    assert [re.search(gloss, page) is not None for gloss in ("10,000</span>", "1,000</span>", "100</span>")] == [True] * 3


def test_a_wrong_translation_is_called_wrong(translator):
    found = translate(2, translator)  # short numbers are rare in its training
    assert (found.number, found.right) == (222, False)
    assert found.comment() == "This is wrong: in English, that number is “two hundred and twenty two”."
    nonsense = translate("two million", translator)
    assert (nonsense.number, nonsense.right, nonsense.comment()) == (None, False, "That is not a number.")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "A number has 1 to 14 words, got 0."),
        ("seven " * 500, "A number has 1 to 14 words, got 500."),
        ("hello", "The translator knows only number words, got 'hello'."),
        ("<pad>", "The translator knows only number words, got '<pad>'."),
        ("-5", "The translator knows only number words, got '-5'."),
        (3.5, "The translator knows only number words, got '3.5'."),
        *((two, f"The translator cannot tell which number '{two}' is.") for two in ("seven seven", "nineteen eighty", "and")),
        ("one million thousand", "The translator cannot tell which number 'one million thousand' is."),
        ("hundred hundred", "The translator cannot tell which number 'hundred hundred' is."),
        ("one hundred million", "This translator has learned numbers up to 99,999,999, got 100,000,000."),
        ("100000000", "This translator has learned numbers up to 99,999,999, got 100,000,000."),
    ],
)
def test_a_text_that_is_no_number_gets_a_sentence(text, reason, translator):
    found = translate(text, translator)
    assert isinstance(found, NotTranslated)
    assert repr(found) == f'{reason} Try "twelve thousand three hundred", or digits, such as "12300".'


def test_samples_have_their_value_and_mark_what_is_right(translator):
    assert write_samples(translator, [12_300, 2]) == {"12,300": "一万二千三百 = 12,300 ✓", "2": "二百二十二 = 222"}
    assert (with_value("七七七七"), with_value("")) == ("七七七七 (not a number)", "(nothing) (not a number)")


def test_a_model_of_the_build_shows_where_it_looks_unless_it_computes_something_else(translator):
    model, vocabularies = translator
    own = build_parts.Transformer(model.config).eval()
    copy_weights(own, dict(model.named_parameters()))
    found = translate(42_007, (own, vocabularies))
    assert (found.weights == translate(42_007, translator).weights).all()
    own.decoder.norm = torch.nn.Identity()
    assert translate(42_007, (own, vocabularies)).weights is None  # its parameters are others
    changed = build_parts.Transformer(model.config).eval()
    copy_weights(changed, dict(model.named_parameters()))
    changed.decode = lambda *args: -build_parts.Transformer.decode(changed, *args)
    assert translate(42_007, (changed, vocabularies)).weights is None  # the library's code writes something else
