"""Stage B7 as learners write it in torch: right in each style, errors that are explained, and the same text with a cache."""

import torch
from examining import solution_code, solved, told, verdict
from torch.nn import functional as F

from transformer_course.exercises import catalogue

GENERATE, CHOOSE, CACHE, TEXT = (catalogue()[f"build.{name}"] for name in ("greedy", "top_p", "cache", "generate_text"))
Solved = solved(CACHE)


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


def grows_begin(step, begin, end, limit, choose=torch.argmax):
    before = len(begin)
    while len(begin) - before < limit and end not in begin[before:]:
        begin.append(int(choose(step(begin))))
    return begin[before:]


def test_a_beginning_that_is_changed_and_wrong_ids_are_shown(snapshot):
    assert verdict(GENERATE, grows_begin).score == 0.5
    assert {
        "grows begin": told(GENERATE.id, grows_begin),
        "zeros": told(GENERATE.id, lambda step, begin, end, limit, choose=None: [0] * limit),
    } == snapshot


def in_place(logits, temperature, p):
    """Right, by setting to 0 what is not kept."""
    probabilities = F.softmax(logits / temperature, dim=0)
    order = probabilities.argsort(descending=True)
    reached = probabilities[order].cumsum(0) >= p
    count = int(reached.int().argmax()) + 1 if reached.any() else len(order)
    probabilities[order[count:]] = 0
    return probabilities / probabilities.sum()


def by_scatter(logits, temperature, p):
    ranked, order = (logits / temperature).softmax(-1).sort(descending=True)
    kept = torch.where(ranked.cumsum(-1) - ranked < p, ranked, 0)
    return torch.zeros_like(kept).scatter(-1, order, kept) / kept.sum()


class Written(Solved):
    """Right, in pieces that a wrong one replaces, with the softmax written out."""

    def attend(self, attention, x, cache):
        q, k, v = attention.w_q(x), attention.w_k(x), attention.w_v(x)
        q, k, v = attention.split(q), attention.split(k), attention.split(v)
        k, v = self.extend(cache, k, v)
        scores = q @ k.mT / q.shape[-1] ** 0.5
        weights = scores.masked_fill(~self.mask(q, k), -torch.inf).softmax(-1)
        return attention.w_o((weights @ v).transpose(1, 2).flatten(2))

    def extend(self, cache, k, v):
        for name, new in (("key", k), ("value", v)):
            cache[name] = torch.cat([cache[name], new], 2) if name in cache else new
        return cache["key"], cache["value"]

    def mask(self, q, k):
        n, m = q.shape[2], k.shape[2]
        return torch.ones(m, m, dtype=torch.bool, device=k.device).tril()[-n:]

    def start(self, caches):
        return caches[-1]["key"].size(-2) if "key" in caches[-1] else 0

    def caches(self, caches):
        return caches

    def forward(self, tokens, caches):
        start = self.start(caches)
        x = self.tokens(tokens) + self.positions(torch.arange(tokens.shape[1], device=tokens.device) + start)
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


def values_forgotten(self, cache, k, v):
    return Written.extend(self, cache, k, v)[0], v


def along_the_batch(self, cache, k, v):
    if cache:
        k, v = torch.cat([cache["key"], k]), torch.cat([cache["value"], v])
    cache.update(key=k, value=v)
    return k, v


class OnSelf(Written):
    def caches(self, caches):
        if not hasattr(self, "own"):
            self.own = caches
        return self.own

    def start(self, caches):
        return Written.start(self, self.caches(caches))


def test_right_answers_pass_in_every_style():
    right = {
        "a loop with break": (GENERATE, with_break),
        "ids as tensors": (GENERATE, with_tensors),
        "what is not kept set to 0": (CHOOSE, in_place),
        "put back by scatter": (CHOOSE, by_scatter),
        "the softmax written out": (CACHE, Written),
        "detached keys and values": (CACHE, written(extend=detached)),
    }
    assert {name for name, (exercise, answer) in right.items() if verdict(exercise, answer) != exercise.passed()} == set()


def test_what_goes_wrong_with_a_cache_is_told(snapshot):
    assert verdict(CACHE, written(extend=values_forgotten)).hint == verdict(CACHE, written(extend=along_the_batch)).hint
    assert {
        "a cache on self": told(CACHE.id, OnSelf),
        "the hint to an error of torch": verdict(CACHE, written(extend=values_forgotten)).hint,
        "wrong positions from piece 2 on": told(
            CACHE.id, written(start=lambda self, caches: 2 * Written.start(self, caches) % 7)
        ),
    } == snapshot


def test_a_text_that_is_not_written_on_is_no_empty_answer():
    names = {}
    exec(solution_code(TEXT).replace("in range(count):", "in range(count - len(prompt)):"), names)
    assert verdict(TEXT, names["generate_text"]).mistake == "the prompt counted"
