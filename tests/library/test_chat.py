"""Chat: what a conversation is as tokens, which tokens the loss sees, and what is refused."""

import pytest
import torch

from transformer_course import models
from transformer_course.byte_pairs import BYTES
from transformer_course.chat import (
    all_labels,
    answer_labels,
    chat_batch,
    chat_format,
    chat_loss,
    chat_rows,
    encode_turns,
    prompt,
    reply,
)
from transformer_course.embedding import Vocabulary
from transformer_course.family import GPT, IGNORE_INDEX
from transformer_course.transformer import TransformerConfig

CHAT = chat_format(Vocabulary([*BYTES, "no"]))
TWO = [("no?", "no"), ("a", "bc")]


def small() -> GPT:
    torch.manual_seed(0)
    config = TransformerConfig(
        vocabulary_size=4 + 257, d_model=8, num_heads=2, num_layers=1, d_ff=16, max_length=20, dropout=0.0, norm="pre"
    )
    return GPT(config).eval()


def test_a_conversation_as_tokens():
    ids, written = encode_turns(CHAT, TWO)
    byte = {character: 4 + ord(character) for character in " ?abc"}
    no, user, assistant, end = 4 + 256, 4 + 0xFE, 4 + 0xFF, 2
    first = [user, byte[" "], no, byte["?"], assistant]
    second = [user, byte[" "], byte["a"], assistant]
    assert ids == [1, *first, byte[" "], no, end, *second, byte[" "], byte["b"], byte["c"], end]
    assert written == [False] * 6 + [True] * 3 + [False] * 4 + [True] * 4


def test_a_prompt_is_a_conversation_up_to_its_last_answer():
    ids, written = encode_turns(CHAT, TWO)
    assert prompt(CHAT, "a", TWO[:1]) == ids[: -sum(written[-4:])]
    assert prompt(CHAT, "no?") == ids[: written.index(True)]


@pytest.mark.parametrize("text", ["þ", "ÿ", "\u00fe no \u00ff", "a\ud7ff"])
def test_no_text_forges_a_mark(text):
    assert not {CHAT.user, CHAT.assistant, CHAT.begin, CHAT.end} & set(CHAT.encode(text))
    assert CHAT.decode(CHAT.encode(text)) == text


def test_only_answers_have_labels_and_each_is_the_next_id():
    ids, written = encode_turns(CHAT, TWO)
    ((inputs, labels),) = chat_rows(CHAT, [TWO], 20)
    assert inputs == ids[:-1]
    assert [(place, label) for place, label in enumerate(labels) if label != IGNORE_INDEX] == [
        (place - 1, ids[place]) for place in range(len(ids)) if written[place]
    ]
    assert labels == answer_labels(ids, written)
    ((_, every),) = chat_rows(CHAT, [TWO], 20, all_labels)
    assert every == ids[1:]


def test_the_loss_is_the_mean_over_answers_whatever_the_rest_of_the_batch():
    rows = chat_rows(CHAT, [TWO, TWO[:1]], 20)
    inputs, labels = chat_batch(rows)
    model = small()
    with torch.no_grad():
        alone = [-model(torch.tensor([row])).log_softmax(-1)[0] for row, _ in rows]
        picked = [
            lost[place, label]
            for lost, (_, row) in zip(alone, rows, strict=True)
            for place, label in enumerate(row)
            if label >= 0
        ]
        loss = chat_loss(model(inputs), labels)
    assert len(picked) == 7 + 3
    torch.testing.assert_close(loss, torch.stack(picked).mean())


def test_a_reply_ends_at_end_and_says_so():
    model = small()
    with torch.no_grad():
        model.output.weight[:] = 0
        model.output.weight[CHAT.end] = model.output.weight[4 + ord("b")] = 1.0
        model.output.weight[CHAT.end, 0] += 100 * torch.sign(
            model.stack(model.input(torch.tensor([prompt(CHAT, "a")])))[0, -1, 0]
        )
    assert reply(model, CHAT, ["a"], 3) == [("", True)]
    model.output.weight.data[CHAT.end] = 0
    model.output.weight.data[4 + ord("b")] = model.stack(model.input(torch.tensor([prompt(CHAT, "a")])))[0, -1].detach()
    ((text, stopped),) = reply(model, CHAT, ["a"], 1)
    assert (text, stopped) == ("b", False)


def test_replies_are_in_the_order_of_the_questions_and_do_not_depend_on_each_other():
    model, vocabularies = models.load("prose")
    chat = chat_format(vocabularies["text"])
    asked = ["Return the name of the file, or", "If", "What is the type of a string that"]
    assert reply(model, chat, asked, 5) == [reply(model, chat, [each], 5)[0] for each in asked]


def test_refuses_what_cannot_be_learned_from():
    with pytest.raises(ValueError, match="at least one turn"):
        encode_turns(CHAT, [])
    for nothing in (None, "", "  "):
        with pytest.raises(ValueError, match=r"must have an answer to learn from, got .* for 'a'"):
            encode_turns(CHAT, [("no?", "no"), ("a", nothing)])
    with pytest.raises(ValueError, match=r"context of 8 tokens, got 9 \(answers: 5\)"):
        chat_rows(CHAT, [[("a", "bcb")]], 8)
    assert chat_rows(CHAT, [[("a", "bcb")]], 9)
    inputs, labels = chat_batch(chat_rows(CHAT, [TWO], 20))
    with pytest.raises(ValueError, match="at least one label must be an answer's, got -100 at all 16 positions"):
        chat_loss(small()(inputs), torch.full_like(labels, IGNORE_INDEX))
