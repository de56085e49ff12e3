"""embedding.py: strings to ids to vectors, and back."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from transformer_course.embedding import TokenEmbedding, Vocabulary, pad_right


@given(st.lists(st.text("abc de", min_size=1), min_size=1))
def test_text_survives_the_way_to_ids_and_back(texts):
    vocabulary = Vocabulary.from_sequences(texts)
    for text in texts:
        ids = [vocabulary.begin, *vocabulary.encode(text), vocabulary.end, vocabulary.pad]
        assert "".join(vocabulary.decode(ids)) == text


def test_a_vocabulary_has_each_token_once_and_specials_first():
    vocabulary = Vocabulary(["b", "a", "b"])
    assert vocabulary.tokens == ("<pad>", "<begin>", "<end>", "<unknown>", "b", "a")
    assert len(vocabulary) == 6
    assert (vocabulary.pad, vocabulary.begin, vocabulary.end, vocabulary.unknown) == (0, 1, 2, 3)
    assert vocabulary.encode(["a", "z"]) == [5, 3]
    assert Vocabulary.from_sequences(["ca", "b"]).tokens[4:] == ("a", "b", "c")


def test_other_specials_take_the_same_places():
    bert = Vocabulary(["the"], specials=["[PAD]", "[CLS]", "[SEP]", "[UNK]", "[MASK]"])
    assert bert.encode(["the", "[MASK]", "cat"]) == [5, 4, 3]
    assert bert.specials[bert.begin] == "[CLS]"


def test_specials_that_clash_or_are_too_few_are_told():
    with pytest.raises(ValueError, match=r"cannot also be ordinary tokens, got \['<end>'\] among the tokens"):
        Vocabulary(["a", "<end>"])
    with pytest.raises(ValueError, match=r"at least four special tokens, all different, got \['<pad>'\]"):
        Vocabulary(["a"], specials=["<pad>"])
    with pytest.raises(ValueError, match="at least four special tokens, all different"):
        Vocabulary(["a"], specials=["[PAD]", "[CLS]", "[SEP]", "[UNK]", "[PAD]"])


def test_an_id_of_another_vocabulary_is_told():
    with pytest.raises(ValueError, match="ids 0 … 4, got 5"):
        Vocabulary(["a"]).decode([4, 5])
    with pytest.raises(ValueError, match="got -1"):
        Vocabulary(["a"]).decode([-1])


def test_padding_goes_to_the_right():
    assert pad_right([[5], [6, 7, 8]]).tolist() == [[5, 0, 0], [6, 7, 8]]
    with pytest.raises(ValueError, match="at least one sequence"):
        pad_right([])
    with pytest.raises(ValueError, match="sequence 1 of the batch is empty"):
        pad_right([[5], []])
    with pytest.raises(ValueError, match=r"lists of ids, got the string 'twelve'; try vocabulary.encode"):
        pad_right(["twelve"])


def test_a_plain_string_is_no_sequence_of_words():
    with pytest.raises(ValueError, match=r"are words, got the string 'one two'; try text.split\(\)"):
        Vocabulary(["one", "two"]).encode("one two")
    assert Vocabulary(["one", "a"]).encode("ab") == [5, 3]


def test_vectors_are_rows_of_the_table_times_the_root_of_the_width():
    embedding = TokenEmbedding(7, 4)
    tokens = torch.tensor([[3, 6, 3], [0, 1, 2]])
    torch.testing.assert_close(embedding(tokens), 2 * embedding.table[tokens])


def test_vectors_start_as_large_as_positions():
    torch.manual_seed(0)
    assert TokenEmbedding(1000, 64)(torch.arange(1000)[None]).std().item() == pytest.approx(1, abs=0.02)


def test_ids_that_the_table_does_not_have_are_told():
    embedding = TokenEmbedding(5, 4)
    for tokens, told in [
        (torch.tensor([[1, 5]]), "ids 0 … 4, got 5; was a different vocabulary used"),
        (torch.tensor([[-1, 2]]), "ids 0 … 4, got -1"),
        (torch.tensor([[1.0]]), r"int64 of shape \(b, n\), got torch.float32 .* try tokens.long\(\)"),
        ([[1, 2]], "a tensor of ids, got list; see Vocabulary.encode and pad_right"),
        (torch.tensor([1, 2]), r"got torch.int64 \(2,\)"),
        (torch.zeros(2, 0, dtype=torch.int64), r"at least one token, got shape \(2, 0\)"),
    ]:
        with pytest.raises(ValueError, match=told):
            embedding(tokens)
