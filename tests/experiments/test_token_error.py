"""One token in a prefix is replaced by a wrong one, and the translator continues."""

from transformer_course import models
from transformer_course.data import number_pairs
from transformer_course.embedding import Vocabulary
from transformer_course.experiments import token_error


def test_one_token_is_exchanged_for_another_of_its_kind_in_numbers_that_were_never_trained_on():
    vocabularies = models.load("translator")[1]
    english_words, chinese = vocabularies["source"], vocabularies["target"]
    words, texts = token_error.five_digit_numbers(english_words, chinese, 30, seed=0)
    assert texts.shape == (30, 10)
    assert len({tuple(row) for row in texts.tolist()}) == 30
    trained = {text for _, text in number_pairs(train=2000, test=1).train}
    assert not trained & {"".join(chinese.decode(row)) for row in texts}
    assert set(english_words.decode(words[0])) <= set(english_words.tokens)
    kinds = {token_error.DIGIT: "一二三四五六七八九", token_error.UNIT: "十百千万"}
    for place, kind in kinds.items():
        given = token_error.replace_token(chinese, texts, place, seed=0)
        assert (given != texts).nonzero()[:, 1].tolist() == [place] * 30
        assert set(chinese.decode(given[:, place])) <= set(kind)
        assert set(chinese.decode(texts[:, place])) <= set(kind)


def test_the_translator_goes_on_rightly_after_a_wrong_digit_and_not_after_a_wrong_unit():
    model, vocabularies = models.load("translator")
    words, texts = token_error.five_digit_numbers(vocabularies["source"], vocabularies["target"], 40, seed=3)
    right = token_error.continue_greedily(model, words, texts[:, :4], 10)
    assert right.tolist() == token_error.continue_greedily(model, words, texts[:, :1], 10).tolist()
    assert token_error.accuracy_after(token_error.UNIT, right, texts).min() > 0.95
    for place, low, high in ((token_error.DIGIT, 0.9, 1.0), (token_error.UNIT, 0.0, 0.2)):
        given = token_error.replace_token(vocabularies["target"], texts, place, seed=3)
        written = token_error.continue_greedily(model, words, given[:, : place + 1], 10)
        assert low <= token_error.accuracy_after(token_error.UNIT, written, texts).mean() <= high
        ended = (written == Vocabulary.end).cumsum(1) > 0
        assert (written[ended] <= Vocabulary.end).all()  # only padding follows the end
        assert (
            token_error.accuracy_after(5, token_error.teacher_forced_predictions(model, words, given), texts).min() > 0.9
        )  # the correct tokens follow


def test_after_a_wrong_digit_nearly_all_is_right_wherever_it_stands_and_after_a_wrong_unit_little():
    model, vocabularies = models.load("translator")
    words, texts = token_error.five_digit_numbers(vocabularies["source"], vocabularies["target"], 60, seed=1)
    bounds = {0: (0.95, 1), 1: (0.35, 0.65), 2: (0.95, 1), 3: (0, 0.2), 4: (0.95, 1), 5: (0, 0.2), 6: (0.95, 1), 7: (0, 0.2)}
    for place, (low, high) in bounds.items():
        given = token_error.replace_token(vocabularies["target"], texts, place, seed=1)
        written = token_error.continue_greedily(model, words, given[:, : place + 1], 10)
        assert low <= token_error.accuracy_after(place, written, texts).mean() <= high, place
