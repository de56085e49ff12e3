"""What lesson 25 says is fast, as ratios: 8-bit products, shared keys and values, drafts, a static cache, a compiled step.

All run with one thread, and processor time is measured, so that a busy computer does not decide.
"""

import shutil
import time
from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from benchmarks.side_by_side import compare, console
from transformer_course import models
from transformer_course.experiments import drafting
from transformer_course.family import GPT
from transformer_course.speculative import speculative_sample


@torch.no_grad()
def products(rounds: int) -> None:
    """Products with float32 and int8 matrices. (Of the latter, only the integers' part: no scales.)"""
    for rows, width in ((1, 1024), (1, 4096), (64, 1024)):
        repeated = max(1, 2**27 // (rows * width**2))

        def several(product, kind, shape=(rows, width), repeated=repeated) -> Callable[[], None]:
            x, w = ((torch.randn(size, shape[1]) * 40).to(kind) for size in shape)

            def run() -> None:
                for _ in range(repeated):
                    product(x, w.T)

            return run

        programs = {
            "int8 × int8": several(torch._int_mm, torch.int8),
            "float32": several(torch.mm, torch.float32),
            "bfloat16": several(torch.mm, torch.bfloat16),
        }
        compare(f"({rows}, {width}) × ({width}, {width})", programs, "products", repeated, rounds, time.process_time)


@torch.no_grad()
def shared_keys(rounds: int, tokens: int = 4096, heads: int = 32, width: int = 64) -> None:
    """One step of attention over a cache, for one text, with fewer and fewer keys and values."""
    query, programs, sizes = torch.randn(1, heads, 1, width), {}, {}
    for name, groups in (("multi-query, 1", 1), ("grouped-query, 8", 8), ("one per head, 32", heads)):
        cache = [torch.randn(1, groups, tokens, width) for _ in "kv"]
        sizes[name] = sum(each.nbytes for each in cache)
        shared = query.reshape(1, groups, heads // groups, width)  # the queries of a group are rows of one product

        def run(q=shared, cache=cache) -> None:
            F.scaled_dot_product_attention(q, *cache)

        programs[name] = run
    title = f"A step of attention over {tokens} tokens, {heads} heads"
    compare(title, programs, "steps", 1, rounds, time.process_time)
    largest = max(sizes.values())
    for name, size in sizes.items():
        console.print(f"{name}: {size / 1e6:.1f} MB per layer, 1/{largest // size} of the largest")


def drafts(rounds: int, limit: int = 100) -> None:
    """The shipped `prose` with a table of counts as its draft, and alone."""
    writers = drafting.writers()
    generator = torch.Generator().manual_seed(0)

    def alone() -> None:
        reader, ids = writers.model(), list(writers.prompts[0])
        for _ in range(limit):
            ids.append(int(reader(ids, 1)[0].multinomial(1, generator=generator)))

    def drafted(ahead: int):
        def run() -> None:
            prompt = writers.prompts[0]
            speculative_sample(writers.model(), writers.draft, prompt, limit, ahead, generator=generator)

        return run

    programs = {f"a draft of {ahead}": drafted(ahead) for ahead in (4, 1)}
    compare(
        f"`prose` draws {limit} tokens", {**programs, "the model alone": alone}, "tokens", limit, rounds, time.process_time
    )
    for ahead in (1, 2, 4, 6):
        found = ", ".join(f"{drafting.tokens_per_pass(writers, ahead, seed):.2f}" for seed in range(3))
        console.print(f"a draft of {ahead}: {found} tokens per pass (three seeds)")
    rates = ", ".join(f"{drafting.rate_of_acceptance(writers, seed):.2f}" for seed in range(3))
    console.print(f"kept, in drafts of one token: {rates}")


class StaticStep(nn.Module):
    """One step of a pre-norm `GPT` with learned positions and ReLU, whose cache has its full length from the beginning.

    All shapes stay the same from step to step, so that a compiler can make one program for all of them. Later positions are
    masked, and cost as much as earlier ones.
    """

    def __init__(self, model: GPT):
        super().__init__()
        self.model, config = model, model.config
        shape = (config.num_layers, 2, 1, config.num_heads, config.max_length, config.d_model // config.num_heads)
        self.cache = torch.zeros(shape)
        self.places = torch.arange(config.max_length)

    def forward(self, token: Tensor, position: Tensor) -> Tensor:
        """Read one token (1, 1) at a position (1,); return the logits (1, 1, v) for the next one."""
        model, heads = self.model, self.model.config.num_heads
        x = model.input.embedding.table[token] * model.config.d_model**0.5 + model.input.positions.table[position]
        for layer, (keys, values) in zip(model.stack.layers, self.cache, strict=True):
            attention, network = layer.self_attention, layer.feed_forward
            y = layer.attention_residual.norm(x)
            q, k, v = (
                linear(y).unflatten(-1, (heads, -1)).transpose(1, 2)
                for linear in (attention.w_q, attention.w_k, attention.w_v)
            )
            keys.index_copy_(2, position, k)
            values.index_copy_(2, position, v)
            found = F.scaled_dot_product_attention(q, keys, values, attn_mask=(self.places <= position)[None])
            x = x + attention.w_o(found.transpose(1, 2).flatten(2))
            y = layer.feed_forward_residual.norm(x)
            x = x + network.w_2(network.w_1(y).relu())
        return model.output(model.stack.norm(x))


@torch.no_grad()
def static(rounds: int, steps: int = 100) -> None:
    """The library's cache, which grows, beside a static one, plain and compiled."""
    model = models.load("prose")[0].eval()
    tokens = torch.randint(4, len(model.input.embedding.table), (steps,), generator=torch.Generator().manual_seed(0))
    plain = StaticStep(model)

    def growing() -> None:
        caches = model.caches(steps)
        for token in tokens:
            model(token.view(1, 1), caches)

    def with_static(step):
        def run() -> None:
            for position, token in enumerate(tokens):
                step(token.view(1, 1), torch.tensor([position]))

        return run

    expected = model(tokens[None])[0]
    found = torch.cat([plain(token.view(1, 1), torch.tensor([place]))[0] for place, token in enumerate(tokens)])
    torch.testing.assert_close(found, expected, rtol=1e-3, atol=1e-3)
    programs = {"a cache that grows": growing, "a static cache": with_static(plain)}
    if any(map(shutil.which, ("g++", "clang++", "cl"))):
        programs["a static cache, compiled"] = with_static(torch.compile(StaticStep(model)))
    else:
        console.print("no C++ compiler was found, so nothing is compiled")
    compare(f"`prose` reads {steps} tokens one by one", programs, "tokens", steps, rounds, time.process_time)


def run() -> None:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    products(rounds=25)
    shared_keys(rounds=25)
    drafts(rounds=9)
    static(rounds=9)
    torch.set_num_threads(threads)
