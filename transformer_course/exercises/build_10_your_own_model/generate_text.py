"""Stage B10: several continuations of one prompt, drawn together."""

from dataclasses import replace
from typing import ClassVar

import numpy as np

from transformer_course.runner.generation import LETTERS, run_text
from transformer_course.runner.outcome import Outcome

from ..build_7_writing.next_probabilities import next_probabilities
from ..exercise import Verdict, show
from ..kinds.error_hints import ErrorHint
from ..kinds.implement import Implement
from ..kinds.results import arrays, part, with_entries

SURE = 0.01  # where this is p, one token is so much more probable than the others that nothing is random


def writing(
    seen=lambda ids, length: ids[:, -length:],
    kept=lambda ids, length: ids,
    at=-1,
    weigh=next_probabilities,
    of=lambda logits: logits,
    same=False,
    draw=lambda rng, probabilities: rng.choice(len(probabilities), p=probabilities),
    repeated=lambda rows: rows,
    rounds=lambda count, begin: count,
    given=lambda ids, prompt: ids,
    texts=lambda texts: texts,
):
    """The function in NumPy, with the pieces that a mistake replaces."""

    def generate_text(model, tokenizer, prompt, count, length, temperature=0.8, p=0.9, rows=4):
        rng = np.random.default_rng()
        begin = tokenizer.encode(prompt)
        ids = np.array([begin] * repeated(rows)).reshape(repeated(rows), len(begin))
        for _ in range(rounds(count, begin)):
            logits = of(model(seen(ids, length))[:, at])
            chosen = [draw(rng, weigh(row.astype(float), temperature, p)) for row in logits]
            chosen = chosen[:1] * len(chosen) if same else chosen
            ids = np.concatenate([kept(ids, length), np.array(chosen)[:, None]], axis=1)
        return texts([tokenizer.decode(row) for row in given(ids, begin)])

    return generate_text


def _top_p_of(change):
    return lambda logits, temperature, p: next_probabilities(logits, *change(temperature, p))


def _draw(rng):
    def sure(prompt, count, length, rows=2):
        table = rng.permuted(np.tile(64 * np.arange(8.0), (23, 1)), axis=1)
        asked = {"prompt": prompt, "count": count, "length": length, "temperature": 1.0, "p": SURE, "rows": rows}
        return [{"table": table, **asked, "device": ""}]

    def drawn(temperature, p, *probabilities):
        table = np.tile(temperature * np.log(rng.permutation(probabilities)), (23, 1))
        [question] = sure("ab", 120, 140, 8)  # so many that each token comes up, and no text twice
        return [question | {"table": table, "temperature": temperature, "p": p}]

    def apart():
        """After "a", one of two tokens is drawn, and each leads on to another token."""
        [question] = sure("a", 2, 8, 100)
        x, y, *after = 1 + rng.permutation(7)[:4]
        question["table"][1] = 64.0 * np.isin(np.arange(8), (x, y))
        question["table"][[6 + x, 6 + y]] = 64.0 * np.eye(8)[after]
        return [question | {"p": 0.8}]

    prompt = "".join(rng.choice([*LETTERS], 7))
    return [
        sure(prompt[:3], 4, 20),
        sure(prompt, 5, 4),  # longer than the model's context
        sure(prompt[:2], 6, 4, 3),
        sure(f"{prompt[:1]}\n", 0, 8),
        sure(f"\n{prompt[:2]}", 3, 8),
        drawn(0.3, 0.8, 0.42, 0.42, 0.08, 0.08),  # 2 tokens; 3 at temperature 1, and 4 without top-p
        drawn(2.0, 0.86, 0.6, 0.1, 0.1, 0.1, 0.1),  # 4 tokens; 1 at temperature 1, and 5 at temperature 4
        apart(),
        [sure("ab", 1, 8)[0] | {"device": "meta"}],
    ]


class GenerateText(Implement):
    """Write ``generate_text``. Of what is drawn at random, only how many texts and tokens differ is compared."""

    kind: ClassVar[str] = "generate text"
    backends = (run_text.__name__,)

    def judge(self, seed, outcomes):
        verdict = super().judge(seed, outcomes)
        if not verdict.passed:
            return verdict
        *calls, moved = outcomes
        if any(call.value["training"] is not False for call in calls):
            message = "The texts are right, but the model writes in training mode, where dropout would disturb it."
            return Verdict(False, "property", message, "Call `model.eval()` first.", score=0.5)
        if any(call.value["graph"] is not False for call in calls):
            message = "The texts are right, but torch keeps a record of each step for a gradient that nobody needs."
            return Verdict(False, "property", message, "Put `@torch.no_grad()` above the function.", score=0.5)
        if moved.error or part(moved.value, "device", str) == "cpu":
            message = "The texts are right, but the ids are always made on the processor. A model on a GPU cannot read those."
            hint = "`torch.tensor(…, device=…)` makes them elsewhere. Where is `next(model.parameters())`?"
            return Verdict(False, "property", message, hint, score=0.5)
        return verdict

    def _read(self, outcome, expected):
        return with_entries(outcome, ("texts", "training", "graph", "device"))

    def _found(self, given, seed):
        questions = self.questions(seed)
        judged = [(index, _judged(questions[index], outcome)) for index, outcome in given]
        return super()._found([(index, replace(outcome, value=arrays(outcome.value))) for index, outcome in judged], seed)

    def _expected(self, function, seed, index):
        return _judged(self.questions(seed)[index], super()._expected(function, seed, index))

    def _described(self, question, shapes=False):
        names = ("prompt", "count", "length", "temperature", "p", "rows")
        return ", ".join(f"{name} = {show(question[0][name])}" for name in names)

    def _problem(self, question, outcome, expected):
        if question[0]["device"]:
            return None
        if outcome.error:
            return self._raised(outcome)
        texts = outcome.value["texts"]
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            found = (
                "a list of other things" if isinstance(texts, list) else show(texts) if isinstance(texts, str) else "no list"
            )
            return Verdict(False, "type", f"The result should be a list of strings, but is {found}.")
        seen, right, asked = _judged(question, outcome).value, expected.value, f"For {self._described(question)}"
        if seen == right:
            return None
        if question[0]["p"] == SURE:
            return Verdict(False, "value", f"{asked}, the texts should be {show(right)}, but are {show(texts)}.")
        message = (
            f"{asked}, there should be {right[0]} different texts, made of {right[1]} different tokens. Yours are {seen[0]} "
            f"texts of {seen[1]} tokens."
        )
        return Verdict(False, "value", message, "Each row draws for itself, from its own `next_probabilities`.")


def _judged(question: list, outcome: Outcome) -> Outcome:
    """What is compared: the texts, or how many of them and of their tokens differ; nothing where the model is elsewhere."""
    [asked] = question
    if asked["device"]:
        return Outcome([], "list")
    texts = outcome.value.get("texts") if isinstance(outcome.value, dict) else None
    if isinstance(texts, list) and all(isinstance(text, str) for text in texts) and asked["p"] != SURE:
        texts = [len({*texts}), len({*"".join(text[len(asked["prompt"]) :] for text in texts)})]
    return replace(outcome, value="a string" if isinstance(texts, str) else texts, type="list")


generate_text = GenerateText(
    id="build.generate_text",
    answer_name="generate_text",
    prompt="Several continuations of one prompt, drawn in one batch, with a temperature and top-p.",
    reference=writing(),
    draw=_draw,
    error_hints=(
        ErrorHint(
            r"the model takes ids of shape",
            "The model sees at most `length` tokens, in one tensor (rows, n). If the text is longer, give it the last ones: "
            "`ids[:, -length:]`.",
        ),
        ErrorHint(
            r"(Sizes of tensors must match|Tensors must have same number of dimensions)", "The new ids have shape (rows, 1)."
        ),
        ErrorHint(r"has no attribute 'positions'", "The model may be any. Its device is that of `next(model.parameters())`."),
    ),
    why="A batch of texts costs little more than one, and each row draws its own path.",
    hints=(
        "`ids` has one row for each text, and all begin with the prompt: `torch.tensor([tokenizer.encode(prompt)] * rows)`.",
        "In each round: the logits of the last position, `model(ids[:, -length:])[:, -1]`; of each row its "
        "`next_probabilities`, stacked; `torch.multinomial(probabilities, 1)`; and `torch.cat` along axis 1.",
        "At the end, decode each row of `ids.tolist()`.",
    ),
    mistakes={
        "the first tokens kept": (
            "Where the text is longer than the model can see, you give it the first tokens. So it writes the same token "
            "again and again, as it never sees what it wrote.",
            "The last `length` tokens are `ids[:, -length:]`.",
            writing(seen=lambda ids, length: ids[:, :length]),
        ),
        "the beginning lost": (
            "You cut the text itself, so its beginning is missing from the result.",
            "Cut only what the model gets.",
            writing(kept=lambda ids, length: ids[:, -length:]),
        ),
        "the last token alone": (
            "The model sees only the last token, so it forgets everything before it.",
            "Give it the last `length` tokens.",
            writing(seen=lambda ids, length: ids[:, -1:]),
        ),
        "one token too few seen": (
            "You give the model one token fewer than it can see.",
            "Exactly `length` tokens fit.",
            writing(seen=lambda ids, length: ids[:, -(length - 1) :]),
        ),
        "the first position": (
            "You use the logits after the first token. What comes next stands after the last one.",
            "`[:, -1]` takes the last position of each row.",
            writing(at=0),
        ),
        "all texts the same": (
            "All your texts are the same: you draw once for all rows, or always take the most probable token.",
            "`torch.multinomial(probabilities, 1)`, with one row of probabilities for each text, draws for each of them.",
            writing(same=True),
            writing(draw=lambda rng, probabilities: probabilities.argmax()),
        ),
        "another row's probabilities": (
            "Your rows draw from the probabilities of one row, or of a different one. After the first token, each row is a "
            "different text, with probabilities of its own.",
            "`torch.stack([next_probabilities(row, temperature, p) for row in logits])`.",
            writing(of=lambda logits: logits[[0] * len(logits)]),
            writing(of=lambda logits: np.roll(logits, 1, axis=0)),
        ),
        "temperature ignored": (
            "The temperature has no effect.",
            "Pass it on to `next_probabilities`.",
            writing(weigh=_top_p_of(lambda temperature, p: (1.0, p))),
        ),
        "top-p ignored": (
            "`p` has no effect, so tokens are drawn that it should have cut.",
            "Draw from `next_probabilities(…)`, with this `p`.",
            writing(weigh=_top_p_of(lambda temperature, p: (temperature, 1.0))),
            writing(weigh=_top_p_of(lambda temperature, p: (1.0, 1.0))),
        ),
        "temperature twice": (
            "The temperature acts twice: you divide the logits by it, and `next_probabilities` divides them again.",
            "Give `next_probabilities` the logits as they are.",
            writing(weigh=lambda logits, temperature, p: next_probabilities(logits / temperature, temperature, p)),
        ),
        "temperature and p swapped": (
            "You pass `p` as the temperature, and the temperature as `p`.",
            "`next_probabilities(logits, temperature, p)`.",
            writing(weigh=_top_p_of(lambda temperature, p: (p, temperature))),
        ),
        "one text": (
            "You write one text. `rows` of them were asked for.",
            "Repeat the prompt's ids `rows` times, one row for each text.",
            writing(repeated=lambda rows: 1),
        ),
        "the prompt left out": (
            "The texts lack the prompt. Each should begin with it.",
            "Decode the whole row.",
            writing(given=lambda ids, prompt: ids[:, len(prompt) :]),
            writing(given=lambda ids, prompt: ids[:, len(prompt) - ids.shape[1] :]),  # by count, which may be 0
        ),
        "the texts stripped": (
            "Line breaks at the beginning or the end of a text are lost. They are tokens like any other, and a model of "
            "paragraphs needs them.",
            "Is there a `strip` in your code?",
            *(writing(texts=lambda texts, cut=cut: [*map(cut, texts)]) for cut in (str.strip, str.lstrip, str.rstrip)),
        ),
        "one token too many": (
            "You write one token more than `count`.",
            "`range(count)` has `count` rounds.",
            writing(rounds=lambda count, begin: count + 1),
        ),
        "the prompt counted": (
            "Your texts are too short: you take the prompt's tokens off `count`. It says how many are drawn after them.",
            "However long the prompt is, `range(count)` has `count` rounds.",
            writing(rounds=lambda count, begin: count - len(begin)),
        ),
        "the texts joined": (
            "You return one string. It should be a list with one string for each row.",
            "`[tokenizer.decode(row) for row in …]`",
            writing(texts="\n".join),
            writing(texts="".join),
            writing(texts=lambda texts: texts[0]),
        ),
    },
)
