"""Chat: a conversation as one row of tokens, and a loss on the answers only.

A conversation is a list of turns, each a question and its answer. As tokens, a conversation of one turn is

    <begin> <user> question … <assistant> answer … <end>

and the next turn follows with its ``<user>``. These two marks are tokens that no text can produce, so that nobody can forge a
turn by writing its mark into a question. For a vocabulary of byte pairs, `chat_format` takes the bytes FE and FF, which never
occur in UTF-8.

Shapes: ``b`` batch, ``n`` tokens, ``v`` vocabulary.

Source: Ouyang et al. 2022, "Training language models to follow instructions with human feedback", section 3.5 (supervised
fine-tuning on demonstrations); marks as reserved tokens: Touvron et al. 2023, "Llama 2", section 3.1, which also sets the loss
on the prompt to zero.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from jaxtyping import Float, Int
from torch import Tensor

from transformer_course.byte_pairs import BytePairs
from transformer_course.decoding import greedy
from transformer_course.embedding import Vocabulary, pad_right
from transformer_course.family import GPT, IGNORE_INDEX
from transformer_course.training import sequence_loss

Turn = tuple[str, str]
Labelling = Callable[[Sequence[int], Sequence[bool]], list[int]]


@dataclass(frozen=True)
class ChatFormat:
    """The ids of the marks, and how a text becomes ids and ids a text."""

    encode: Callable[[str], list[int]] = field(repr=False)
    decode: Callable[[Iterable[int]], str] = field(repr=False)
    user: int
    assistant: int
    begin: int = Vocabulary.begin
    end: int = Vocabulary.end


class Reply(NamedTuple):
    """What a model answers, and whether it stopped by itself, with ``<end>``."""

    text: str
    stopped: bool


def chat_format(vocabulary: Vocabulary) -> ChatFormat:
    """Return the format for a vocabulary of byte pairs, such as that of the model ``prose``.

    A text is encoded with a space in front, as words have it inside a text, and decoded without it. Raises ValueError as
    `BytePairs.from_tokens` does.
    """
    first = len(vocabulary.specials)
    tokenizer = BytePairs.from_tokens(vocabulary.tokens[first:])

    def encode(text: str) -> list[int]:
        return [number + first for number in tokenizer.encode(" " + text)]

    def decode(ids: Iterable[int]) -> str:
        return tokenizer.decode(number - first for number in ids if number >= first).strip()

    return ChatFormat(encode, decode, vocabulary.ids[chr(0xFE)], vocabulary.ids[chr(0xFF)])


def prompt(chat: ChatFormat, question: str, earlier: Sequence[Turn] = ()) -> list[int]:
    """Return the ids of ``earlier`` turns and a question, up to ``<assistant>``: what a model is given to answer it.

    Raises ValueError for an earlier turn that has no answer.
    """
    before = encode_turns(chat, earlier)[0] if earlier else [chat.begin]
    return [*before, chat.user, *chat.encode(question), chat.assistant]


def encode_turns(chat: ChatFormat, turns: Sequence[Turn]) -> tuple[list[int], list[bool]]:
    """Return the ids of a conversation, and for each of them whether the assistant writes it: an answer, or its ``<end>``.

    Raises ValueError for a conversation without a turn, or with a turn that has no answer.
    """
    if not turns:
        raise ValueError("a chat must have at least one turn, a question with its answer, got none")
    ids, written = [chat.begin], [False]
    for question, answer in turns:
        if not isinstance(answer, str) or not answer.strip():
            raise ValueError(
                f"each question must have an answer to learn from, got {answer!r} for {question[:40]!r}; leave it out"
            )
        given, own = [chat.user, *chat.encode(question), chat.assistant], [*chat.encode(answer), chat.end]
        ids += given + own
        written += [False] * len(given) + [True] * len(own)
    return ids, written


def answer_labels(ids: Sequence[int], written: Sequence[bool]) -> list[int]:
    """Return the label at each position but the last: the next id if the assistant writes it, and -100, no label, if not."""
    return [after if own else IGNORE_INDEX for after, own in zip(ids[1:], written[1:], strict=True)]


def all_labels(ids: Sequence[int], written: Sequence[bool]) -> list[int]:
    """Return the next id as label at each position but the last, whoever writes it: the control of `answer_labels`."""
    return list(ids[1:])


def chat_rows(
    chat: ChatFormat, conversations: Iterable[Sequence[Turn]], max_length: int, labelling: Labelling = answer_labels
) -> list[tuple[list[int], list[int]]]:
    """Return the inputs and the labels of each conversation, which are one further on, so both are one shorter than its ids.

    Raises ValueError as `encode_turns` does, and for a conversation of more than ``max_length`` + 1 ids: cut off, it would
    have lost its ``<end>``.
    """
    rows = []
    for turns in conversations:
        ids, written = encode_turns(chat, turns)
        if len(ids) - 1 > max_length:
            raise ValueError(
                f"a chat with its answer must fit into the model's context of {max_length} tokens, got {len(ids) - 1} "
                f"(answers: {sum(written)}); shorten it, or leave it out"
            )
        rows.append((ids[:-1], labelling(ids, written)))
    return rows


def chat_batch(rows: Sequence[tuple[Sequence[int], Sequence[int]]]) -> tuple[Int[Tensor, "b n"], Int[Tensor, "b n"]]:
    """Return the inputs and labels of some rows, padded on the right; padding has no label. Raises ValueError for no rows."""
    return pad_right([inputs for inputs, _ in rows]), pad_right([labels for _, labels in rows], IGNORE_INDEX)


def chat_loss(logits: Float[Tensor, "b n v"], labels: Int[Tensor, "b n"]) -> Float[Tensor, ""]:
    """Return the mean cross-entropy over all positions of the batch that have a label, in nats per token.

    The labels are shifted already. Raises ValueError as `sequence_loss` does, and if every label is masked: the mean over no
    positions is not a number.
    """
    if not (labels != IGNORE_INDEX).any():
        raise ValueError(
            f"at least one label must be an answer's, got {IGNORE_INDEX} at all {labels.numel()} positions; "
            "is the answer cut off, or the mask upside down?"
        )
    return sequence_loss(logits, labels, IGNORE_INDEX)


def reply(model: GPT, chat: ChatFormat, questions: Sequence[str], limit: int = 16) -> list[Reply]:
    """Let a model answer each question, with the most probable token at each step, at most ``limit`` of them.

    Raises ValueError as `greedy` does.
    """
    given = [prompt(chat, question) for question in questions]
    order = sorted(range(len(given)), key=lambda row: len(given[row]))  # rows of similar length, or most steps are padding
    found: dict[int, Reply] = {}
    for start in range(0, len(order), 50):
        some = order[start : start + 50]
        for row, ids in zip(some, greedy(model, pad_right([given[row] for row in some]), limit), strict=True):
            stopped = ids[-1] == chat.end
            found[row] = Reply(chat.decode(ids[:-1] if stopped else ids), stopped)
    return [found[row] for row in range(len(given))]
