"""Stage B11: a conversation as one row of tokens, and which of them the assistant writes."""

import numpy as np

from ..exercise import parameters
from ..families import adapted
from ..families.answers import WRITTEN
from ..kinds import ImplementPair


def _chat(
    asked=lambda question, user, assistant, end: [user, *question, assistant],
    answered=lambda answer, end: [*answer, end],
    kept=lambda turns: turns,
    last=lambda end: [],
    stops=True,
    written=lambda ids, written: written,
):
    """A conversation with the pieces that a mistake replaces."""

    def chat_tokens(turns, user, assistant, end):
        ids, own = [], []
        for question, answer in kept(turns):
            given, said = asked(question, user, assistant, end), answered(answer, end)
            ids += [*given, *said]
            own += [False] * len(given) + [True] * len(said)
        ids, own = np.array([*ids, *last(end)]), np.array(own + [stops] * len(last(end)))
        return [ids, written(ids, own)]

    return chat_tokens


chat_tokens = _chat()


def _with(change):
    """The right ids with another mask."""

    def answer(turns, user, assistant, end):
        ids, own = chat_tokens(turns, user, assistant, end)
        return [ids, change(ids[None], own[None], assistant, end)[0]]

    return answer


def _draw(rng):
    def conversation(*lengths):
        words = iter((10 + rng.permutation(200)).tolist())
        turns = [[[next(words) for _ in range(length)] for length in turn] for turn in lengths]
        turns[-1][0][0] = turns[0][1][0]  # the user says a word of the assistant's
        return turns

    shapes = [(3, 2)], [(1, 1)], [(4, 2), (2, 3)], [(2, 4), (3, 1), (5, 2)]
    return [[conversation(*lengths), *(300 + rng.permutation(50)[:3]).tolist()] for lengths in shapes]


class OfTurns(ImplementPair):
    """Write a function of turns, which a message shows in full where they are short."""

    def _described(self, question, shapes=False):
        return ", ".join(f"{name} = {value!r:.120}" for name, value in zip(parameters(self.reference), question, strict=True))


chat_format = OfTurns(
    id="build.chat_tokens",
    answer_name="chat_tokens",
    prompt="A conversation as one row of ids, and for each of them whether the assistant writes it.",
    names=("ids", "written"),
    ids=True,
    reference=chat_tokens,
    draw=_draw,
    why="In use, the model gets all up to the mark of the assistant, and has to write exactly what is True: the end too.",
    hints=(
        "Begin with two empty lists, and go through `turns`. What comes first in a turn, and who writes it?",
        "The user's part of a turn is `[user, *question, assistant]`. All of it is given, so its part of `written` is False, "
        "as often as it has ids: `[False] * n`.",
        "The assistant writes the ids of the answer, and then `end`.",
    ),
    mistakes={
        **adapted(
            WRITTEN,
            _with,
            has="is True in your mask",
            have="are True",
            lacks="is False",
            what="Your mask",
            keep="Only what the assistant writes is True: its answers, and the `end` of each.",
            which="True means that the assistant writes this token.",
        ),
        "no end at all": (
            "An answer has no `end` after it. From such examples, a model learns to answer, but never to stop.",
            "Put `end` after each answer; the assistant writes it.",
            _chat(answered=lambda answer, end: answer),
        ),
        "one end for the whole conversation": (
            "There is one `end`, after the last turn. The model has to stop after each answer, so that the user can go on.",
            "Each answer has an `end` of its own.",
            *(_chat(answered=lambda answer, end: answer, last=lambda end: [end], stops=stops) for stops in (True, False)),
        ),
        "an end after the question": (
            "You put `end` after the question as well. The user's part ends with the mark of the assistant.",
            "A turn is: user, question, assistant, answer, end.",
            _chat(lambda question, user, assistant, end: [user, *question, end, assistant]),
        ),
        "a mark missing, or elsewhere": (
            "A mark is missing, or the two are swapped. `user` shows where a question begins, `assistant` that it is over.",
            "A turn is: user, question, assistant, answer, end.",
            _chat(lambda question, user, assistant, end: [*question, assistant]),
            _chat(lambda question, user, assistant, end: [user, *question]),
            _chat(lambda question, user, assistant, end: [assistant, *question, user]),
        ),
        "one turn only": (
            "You return one turn of the conversation. It may have several.",
            "Is `return` inside the loop, or are the lists begun again in each round?",
            _chat(kept=lambda turns: turns[:1]),
            _chat(kept=lambda turns: turns[-1:]),
        ),
        "the mask one place early": (
            "Your mask is shifted: it is True one place before each token that the assistant writes. Only the loss shifts.",
            "`written[i]` is about `ids[i]` itself.",
            _chat(written=lambda ids, written: np.append(written[1:], False)),
        ),
        "labels in place of the mask": (
            "You return labels, with −100 or 0 where nothing is to be learned. Here a mask is asked for, of True and False.",
            "`written` says for each id whether the assistant writes it.",
            *(_chat(written=lambda ids, written, masked=masked: np.where(written, ids, masked)) for masked in (-100, 0)),
            _chat(written=lambda ids, written: np.append(np.where(written, ids, -100)[1:], -100)),
        ),
    },
)
