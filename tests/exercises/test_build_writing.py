"""Stage B7 as learners write it in torch: each mistake is named, each right style accepted, and the cache changes nothing."""

import pytest
import torch
from examining import SEEDS, solved, verdict
from torch.nn import functional as F

from transformer_course import build_parts
from transformer_course.exercises import catalogue
from transformer_course.experiments import build_prose as prose

GENERATE, CHOOSE, CACHE = (catalogue()[f"build.{name}"] for name in ("greedy", "top_p", "cache"))
SEEDS = SEEDS[:2]  # the catalogue's mistakes are tried on all of them
Solved = solved(CACHE)


def assert_named(exercise, answer, mistake):
    for seed in SEEDS:
        seen = verdict(exercise, answer, seed)
        assert (seen.mistake, seen.passed) == (mistake, mistake is None), seen.message


def with_break(step, begin, end, limit, choose=torch.argmax):
    ids = list(begin)
    for _ in range(limit):
        ids.append(choose(step(ids)).item())
        if ids[-1] == end:
            break
    return ids[len(begin) :]


def with_tensors(step, begin, end, limit, choose=torch.argmax):
    ids = [torch.tensor(each) for each in begin]
    while len(ids) - len(begin) < limit and (len(ids) == len(begin) or ids[-1] != end):
        ids.append(torch.as_tensor(choose(step(ids))))
    return ids[len(begin) :]


def until_end_in_ids(step, begin, end, limit, choose=torch.argmax):
    ids = list(begin)
    while end not in ids and len(ids) < limit + len(begin):
        ids.append(int(choose(step(ids))))
    return ids[len(begin) :]


def limit_of_all(step, begin, end, limit, choose=torch.argmax):
    ids = list(begin)
    while len(ids) < limit:
        ids.append(int(choose(step(ids))))
        if ids[-1] == end:
            break
    return ids[len(begin) :]


def sheet_16(step, begin, end, limit, choose=torch.argmax):
    ids = list(begin)
    for _ in range(limit):
        ids.append(int(choose(step(ids))))
        if ids[-1] == end:
            break
    return ids[1:]


def newest_alone(step, begin, end, limit, choose=torch.argmax):
    ids = list(begin)
    for _ in range(limit):
        ids.append(int(choose(step(ids[-1:]))))
        if ids[-1] == end:
            break
    return ids[len(begin) :]


@pytest.mark.parametrize(
    ("answer", "mistake"),
    [
        (with_break, None),
        (with_tensors, None),
        (until_end_in_ids, "begin taken for the end"),
        (limit_of_all, "begin counts for the limit"),
        (sheet_16, "one given id removed"),
        (newest_alone, "step sees only the last token"),
        (lambda step, *given: with_break(lambda ids: step(ids).softmax(-1), *given), "softmax before choose"),
        (lambda step, begin, end, limit, choose=None: with_break(step, begin, end, limit), "choose ignored"),
        (
            lambda step, begin, end, limit, choose=torch.argmax: with_break(step, begin, -1, limit, choose),
            "end does not stop it",
        ),
    ],
)
def test_loops(answer, mistake):
    assert_named(GENERATE, answer, mistake)


def grows_begin(step, begin, end, limit, choose=torch.argmax):
    before = len(begin)
    while len(begin) - before < limit and end not in begin[before:]:
        begin.append(int(choose(step(begin))))
    return begin[before:]


def test_a_beginning_that_is_changed_and_wrong_ids_are_shown():
    seen = verdict(GENERATE, grows_begin)
    assert (seen.reason, seen.score) == ("mutated", 0.5)
    wrong = verdict(GENERATE, lambda step, begin, end, limit, choose=None: [0] * limit)
    assert "the ids should be [" in wrong.message
    assert "begin = [" in wrong.message


def in_place(logits, temperature, p):
    """Right, by setting to 0 what is not kept."""
    probabilities = F.softmax(logits / temperature, dim=0)
    order = probabilities.argsort(descending=True)
    reached = probabilities[order].cumsum(0) >= p
    count = int(reached.int().argmax()) + 1 if reached.any() else len(order)
    probabilities[order[count:]] = 0
    return probabilities / probabilities.sum()


def cut(
    ahead=lambda ranked: ranked.cumsum(-1) - ranked,
    reached=torch.lt,
    scale=lambda logits, t: logits / t,
    finish=lambda kept: kept / kept.sum(),
):
    def answer(logits, temperature, p):
        ranked, order = scale(logits, temperature).softmax(-1).sort(descending=True)
        kept = torch.where(reached(ahead(ranked), p), ranked, 0)
        return finish(torch.zeros_like(kept).scatter(-1, order, kept))

    return answer


@pytest.mark.parametrize(
    ("answer", "mistake"),
    [
        (cut(), None),
        (in_place, None),
        (cut(ahead=lambda ranked: ranked.cumsum(-1)), "the token that crosses p is dropped"),
        (cut(reached=torch.le), "one too many"),
        (cut(scale=lambda logits, t: logits * t), "multiplied by the temperature"),
        (cut(scale=lambda logits, t: logits), "temperature ignored"),
        (cut(finish=lambda kept: kept), "not renormalised"),
        (cut(finish=lambda kept: kept.softmax(-1)), "softmax once more"),
        (lambda logits, t, p: (logits / t).softmax(-1), "top-p left out"),
    ],
)
def test_choices(answer, mistake):
    assert_named(CHOOSE, answer, mistake)


class Written(Solved):
    """Right, in pieces that a wrong one replaces, with the softmax written out."""

    def attend(self, attention, x, cache):
        q, k, v = attention.w_q(x), attention.w_k(x), attention.w_v(x)
        q, k, v = attention.split(q), attention.split(k), attention.split(v)
        k, v = self.extend(cache, k, v)
        scores = q @ k.mT / q.shape[-1] ** 0.5
        weights = scores.masked_fill(~self.mask(q.shape[2], k.shape[2]), -torch.inf).softmax(-1)
        return attention.w_o((weights @ v).transpose(1, 2).flatten(2))

    def extend(self, cache, k, v):
        for name, new in (("key", k), ("value", v)):
            cache[name] = torch.cat([cache[name], new], 2) if name in cache else new
        return cache["key"], cache["value"]

    def mask(self, n, m):
        return torch.ones(m, m, dtype=torch.bool).tril()[-n:]

    def start(self, caches):
        return caches[-1]["key"].size(-2) if "key" in caches[-1] else 0

    def caches(self, caches):
        return caches

    def forward(self, tokens, caches):
        start = self.start(caches)
        x = self.tokens(tokens) + self.positions(torch.arange(tokens.shape[1]) + start)
        for number, block in enumerate(self.blocks):
            x = x + self.attend(block.attention, block.norm_1(x), self.caches(caches)[number])
            x = x + block.feed_forward(block.norm_2(x))
        return self.output(self.final_norm(x))


def written(**methods):
    return type("CachedGPT", (Written,), methods)


def detached(self, cache, k, v):
    k, v = Written.extend(self, cache, k, v)
    cache["key"], cache["value"] = k.detach(), v.detach()
    return k, v


def new_first(self, cache, k, v):
    if cache:
        k, v = torch.cat([k, cache["key"]], 2), torch.cat([v, cache["value"]], 2)
    cache.update(key=k, value=v)
    return k, v


def only_new(self, cache, k, v):
    Written.extend(self, cache, k, v)
    return k, v


def values_forgotten(self, cache, k, v):
    return Written.extend(self, cache, k, v)[0], v


def along_the_batch(self, cache, k, v):
    if cache:
        k, v = torch.cat([cache["key"], k]), torch.cat([cache["value"], v])
    cache.update(key=k, value=v)
    return k, v


def renamed(self, cache, k, v):
    if cache:
        k, v = torch.cat([cache["key"], k], 2), torch.cat([cache["value"], v], 2)
    cache = {"key": k, "value": v}
    return k, v


class OnSelf(Written):
    def caches(self, caches):
        if not hasattr(self, "own"):
            self.own = caches
        return self.own

    def start(self, caches):
        return Written.start(self, self.caches(caches))


class OneForAll(Written):
    def caches(self, caches):
        return [caches[0]] * len(caches)

    def start(self, caches):
        return Written.start(self, self.caches(caches))


@pytest.mark.parametrize(
    ("answer", "mistake"),
    [
        (Written, None),
        (written(extend=detached), None),
        (written(start=lambda self, caches: 0), "positions start at 0 again"),
        (written(start=lambda self, caches: Written.start(self, caches) + bool(caches[0])), "positions one off"),
        (written(mask=lambda self, n, m: torch.ones(n, m, dtype=torch.bool).tril()), "mask not moved"),
        (written(mask=lambda self, n, m: torch.ones(n, m, dtype=torch.bool).tril(m - n - 1)), "mask one column off"),
        (written(mask=lambda self, n, m: torch.ones(n, n, dtype=torch.bool).tril()), "mask for the new tokens alone"),
        (written(mask=lambda self, n, m: torch.ones(n, m, dtype=torch.bool)), "no causal mask"),
        (written(extend=new_first), "new keys in front"),
        (written(extend=only_new), "new tokens see only themselves"),
        (written(extend=renamed), "nothing kept"),
        (OneForAll, "one cache for all blocks"),
        (OnSelf, "something kept from the previous text"),
    ],
)  # fmt: skip
def test_caches(answer, mistake):
    assert_named(CACHE, answer, mistake)


class SDPA(Solved):
    """With torch's function, whose rows of zeros differ from NaN."""

    def attend(self, attention, x, cache):
        q, k, v = (attention.split(w(x)) for w in (attention.w_q, attention.w_k, attention.w_v))
        k, v = Written.extend(self, cache, k, v)
        mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool).tril(k.shape[2] - q.shape[2] - 1)
        return attention.w_o(F.scaled_dot_product_attention(q, k, v, mask).transpose(1, 2).flatten(2))


def test_a_token_that_may_attend_to_nothing_is_named_with_torchs_attention_too():
    assert_named(CACHE, SDPA, "mask one column off")


@pytest.mark.parametrize("extend", [values_forgotten, along_the_batch])
def test_shapes_that_do_not_fit_are_explained(extend):
    seen = verdict(CACHE, written(extend=extend))
    assert not seen.passed
    assert "in pieces of" in seen.message
    assert "they should be (b, h, m, d/h), the same, and (n, m)" in seen.hint


def test_a_wrong_value_is_placed_in_its_piece():
    seen = verdict(CACHE, written(start=lambda self, caches: 2 * Written.start(self, caches) % 7))
    assert seen.reason == "value"
    assert "The first wrong logits are those of piece 2." in seen.message


def reading(model, caches=None):
    """The two steps of the stage: with everything each time, and with new tokens alone."""

    @torch.no_grad()
    def step(ids):
        if caches is None:
            return model(torch.tensor([ids]))[0, -1]
        return model(torch.tensor([ids[-1:] if caches[0] else ids]), caches)[0, -1]

    return step


def test_the_cache_changes_neither_the_logits_nor_the_text():
    weights, tokenizer = prose.trained_longer()
    plain, cached = (part(len(tokenizer), **prose.SIZES).eval() for part in (build_parts.GPT, build_parts.CachedGPT))
    for model in (plain, cached):
        model.load_state_dict(weights)
    tokens = torch.randint(len(tokenizer), (2, 100), generator=torch.Generator().manual_seed(0))
    for sizes in ([100], [50] + [1] * 50, [1, 30, 69]):
        caches = [{} for _ in cached.blocks]
        with torch.no_grad():
            pieces = [cached(piece, caches) for piece in tokens.split(sizes, dim=1)]
            torch.testing.assert_close(torch.cat(pieces, dim=1), plain(tokens), rtol=1e-5, atol=1e-5)
    newline = tokenizer.encode("\n")
    steps = reading(plain), reading(cached, [{} for _ in cached.blocks])
    first, second = (build_parts.generate(step, newline, newline[0], 60) for step in steps)
    assert first == second
    assert first[-1] == newline[0]
