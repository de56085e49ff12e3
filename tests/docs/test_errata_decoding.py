"""The sources' errors about the encoder, the decoder and the output (docs/sources.md): each test computes both versions."""

import torch

from transformer_course import models
from transformer_course.decoding import greedy
from transformer_course.embedding import Vocabulary, pad_right
from transformer_course.experiments.encoder_memory import accuracy_with_memory, four_digit_numbers, probe_accuracy
from transformer_course.training import shift


def test_e7_only_the_last_encoder_layer_is_handed_to_the_decoder():
    torch.manual_seed(0)
    whole = torch.nn.Transformer(16, 2, 3, 3, 32, dropout=0.0, batch_first=True, dtype=torch.float64)
    source, target = torch.randn(1, 5, 16, dtype=torch.float64), torch.randn(1, 4, 16, dtype=torch.float64)
    answer, x, alike = whole(source, target), source, []
    for layer in whole.encoder.layers:
        x = layer(x)
        alike.append(torch.allclose(whole.decoder(target, whole.encoder.norm(x)), answer))
    assert alike == [False, False, True]

    def as_it_is(after, real):
        return [after[-1]] * 2, real

    def as_printed(after, real):
        return after, real

    def crossed(after, real):
        return [after[-1], after[0]], real

    # With numbers nearly as good: so a score need not show how a model is wired.
    for model, right, otherwise in (("translator", (0.97, 1.0), (0.95, 1.0)), ("dates", (0.99, 1.0), (0.5, 0.9))):
        for choose_memory, (low, high) in ((as_it_is, right), (as_printed, otherwise), (crossed, otherwise)):
            assert low <= accuracy_with_memory(choose_memory, model) <= high


def test_e14_the_encoder_makes_one_vector_for_each_token():
    translator, vocabularies = models.load("translator")
    for words in (["nine"], ["nine", "million", "and", "one"]):
        memory, _ = translator.encode(torch.tensor([vocabularies["source"].encode(words)]))
        assert memory.shape == (1, len(words), 128)
        assert (torch.pdist(memory[0]) > 1).all()  # and they differ

    def mean(after, real):
        return [real / real.sum(-1, keepdim=True) @ after[-1]] * 2, None

    def one_left_out(after, real):  # all others have heard of it
        kept = torch.ones_like(real)
        kept[torch.arange(len(real)), 0, real.sum(-1)[:, 0] // 2] = False
        return [after[-1]] * 2, real & (kept | (real.sum(-1, keepdim=True) == 1))

    # Not because the others know nothing of that word: each of them tells all digits.
    texts, digits = four_digit_numbers(1500, vocabularies["source"])
    assert probe_accuracy(translator.encode(texts)[0], digits).min() > 0.95
    assert accuracy_with_memory(one_left_out) < 0.6
    assert accuracy_with_memory(mean) < 0.05 < 0.97 < accuracy_with_memory(lambda after, real: ([after[-1]] * 2, real))


def test_e15_cls_and_sep_are_berts_and_the_original_begins_ends_and_pads():
    translator, vocabularies = models.load("translator")
    target = vocabularies["target"]
    assert target.tokens[:4] == ("<pad>", "<begin>", "<end>", "<unknown>")
    assert target.encode(["[CLS]", "[SEP]"]) == [target.unknown] * 2  # what it says are two words that it does not know
    (written,) = greedy(translator, pad_right([vocabularies["source"].encode(["five"])]), limit=5)
    assert written[-1] == target.end  # its own token stops it
    assert shift(torch.tensor([written]))[0][0, 0] == target.begin  # and its own token starts it
    bert = Vocabulary("ab", specials=("[PAD]", "[CLS]", "[SEP]", "[UNK]", "[MASK]"))
    assert bert.encode(["[CLS]", "a", "[SEP]"]) == [1, 5, 2]


def test_e24_each_written_token_takes_a_pass_and_a_given_beginning_none():
    gpt, vocabularies = models.load("gpt-pre")
    text, passes = vocabularies["text"], []
    gpt.stack.register_forward_hook(lambda *_: passes.append(1))
    prompt = pad_right([[text.begin, *text.encode("GREEK SMALL LETTER ")]])
    written = [greedy(gpt, prompt[:, :n], limit=6)[0] for n in (1, 11, 20)]
    assert [len(ids) for ids in written] == [6, 6, 6]
    assert len(passes) == 18  # however much is given
    with torch.no_grad():
        gpt(torch.cat([prompt, torch.tensor(written[2:])], dim=1))
    assert len(passes) == 19  # the whole text is read in one pass


def test_e25_the_output_is_a_distribution_of_the_next_token():
    translator, vocabularies = models.load("translator")
    english, chinese = vocabularies["source"], vocabularies["target"]
    texts = {"three hundred and five": "三百零五", "five hundred and three": "五百零三"}
    source = pad_right([english.encode(text.split()) for text in texts])
    inputs, labels = shift(pad_right([[*chinese.encode(text), chinese.end] for text in texts.values()]))
    with torch.no_grad():
        p = translator(source, inputs).softmax(-1)
    torch.testing.assert_close(p.sum(-1), torch.ones(2, 5))  # as probabilities of five tokens that occur, each would sum to 5
    assert (p.gather(-1, labels[..., None]) > 0.95).all()  # each is probable in its place
    assert set(labels[0].tolist()) == set(labels[1].tolist())  # the same tokens occur in both
    assert (p[0, 0] - p[1, 0]).abs().max() > 0.9  # and yet the distributions differ
    (five,) = chinese.encode("五")
    assert (p[0, [0, 1, 2, 4], five] < 0.01).all()  # it occurs, but not next
