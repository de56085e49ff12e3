"""docs/formulas.md: each formula has its lesson and its name in the library, and gives the library's numbers.

What the library computes by definition, such as softmax, a layer or a loss, is compared with torch or with a loop in
tests/library.
"""

import functools
import importlib
import math
import re

import numpy as np
import pytest
import torch

from transformer_course import course
from transformer_course._util import paths
from transformer_course.attention import MultiHeadAttention, scaled_dot_product_attention, softmax
from transformer_course.layers import FeedForward

TEXT = (paths.ROOT / "docs" / "formulas.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in re.split(r" \| ", line.strip("| "))] for line in re.findall(r"^\| .+\$.+\|$", TEXT, re.MULTILINE)
]
WORDS = [row[0] for row in ROWS]
N, M, D = 5, 7, 6


@pytest.fixture(autouse=True)
def doubles():
    torch.manual_seed(0)
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


def found(words: str) -> object:
    """What the library's name in the row that begins so leads to."""
    [row] = [row for row in ROWS if row[0].startswith(words)]
    return resolve(row[4].strip("`"))


def resolve(dotted: str) -> object:
    module, _, name = dotted.rpartition(".")
    return getattr(importlib.import_module(f"transformer_course.{module}"), name)


def test_a_formula_has_its_shapes_its_lesson_and_its_name():
    for words, formula, shapes, lesson, name in ROWS:
        assert words
        assert shapes, words
        assert re.fullmatch(r"\$[^$]+\$([^$]*\$[^$]+\$)*[^$]*", formula), words
        number, path = re.fullmatch(r"\[(\d\d)\]\(\.\./notebooks/(\d\d_\w+)\.ipynb\)", lesson).groups()
        assert path == course.lesson(number).name, words
        assert callable(resolve(name.strip("`"))), words


def test_every_lesson_that_has_formulas_is_there():
    missing = {lesson.number for lesson in course.lessons()} - {"00", "21"} - {row[3][1:3] for row in ROWS}
    assert not missing, f"give each of these lessons a row: {sorted(missing)}"
    assert len(WORDS) == len(set(WORDS)) == TEXT.count("\n| ") - 2 * TEXT.count("| in words |")


COMPUTED: dict = {}


def formula(words: str):
    return lambda function: COMPUTED.setdefault(words, function)


def random(*shape: int) -> torch.Tensor:
    return torch.randn(*shape)


def waves(d: int) -> torch.Tensor:
    return 10_000 ** (-2 * torch.arange(d // 2) / d)


@formula("score")
def _(attention):
    q, k = random(N, D), random(M, D)
    _, weights = attention(q, k, random(M, 3), scale=1.0)
    return weights, softmax(torch.stack([torch.stack([qi @ kj for kj in k]) for qi in q]))


@formula("how fast a weight")
def _(library):
    s = random(M)
    a = library(s)
    return torch.autograd.functional.jacobian(library, s).diagonal(), a * (1 - a)


@formula("mask")
def _(attention):
    q, k, v, mask = random(N, D), random(M, D), random(M, 3), torch.arange(N * M).reshape(N, M) % 3 > 0
    return attention(q, k, v, mask)[1], softmax((q @ k.T / math.sqrt(D)).where(mask, -math.inf))


@formula("dropout")
def _(library):
    x = torch.ones(1000)
    return library(x, 0.2, True).unique(), torch.tensor([0.0, 1 / (1 - 0.2)])


@formula("parameters of the four matrices")
def _(library):
    with_biases, without = (sum(library(MultiHeadAttention(D, 2, bias=bias)).values()) for bias in (True, False))
    return torch.tensor([without, with_biases]), torch.tensor([4 * D * D, 4 * D * D + 4 * D])


@formula("how many tokens a clock hand")
def _(library):
    first_step = library(2, D)[1, 0::2].asin()  # how far each hand has turned after one token
    return 2 * math.pi / first_step, 2 * math.pi * 10_000 ** (2 * torch.arange(D // 2) / D)


@formula("the dot product of two positions")
def _(library):
    table = library(30, D)
    return table[21] @ table[4], torch.cos(17 * waves(D)).sum()


@formula("parameters of a feed-forward network")
def _(library):
    return torch.tensor(sum(library(FeedForward(D, 11)).values())), torch.tensor(2 * D * 11 + 11 + D)


def one_text() -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Logits, labels with one padding at the end, and the log-probability of each of the others."""
    logits, labels = random(1, N, 9), torch.tensor([[4, 8, 5, 2, 0]])
    return logits, labels, torch.stack([softmax(logits[0, t])[labels[0, t]].log() for t in range(4)])


@formula("loss of a model")
def _(library):
    return library(torch.zeros(1, 1, 9), torch.tensor([[4]])), torch.tensor(math.log(9))


@formula("perplexity")
def _(library):
    return library(torch.zeros(1, 3, 9), torch.tensor([[4, 1, 3]])).exp(), torch.tensor(9.0)


@formula("a sequence's log-probability")
def _(library):
    logits, labels, logs = one_text()
    return library(logits, labels), logs.sum()[None]


@formula("multiplications")
def _(library):
    run = functools.partial(scaled_dot_product_attention, random(N, D), random(M, D), random(M, D))
    return torch.tensor(library(run)), torch.tensor(2 * N * M * D)


@formula("online softmax")
def _(library):
    q, k, v = random(1, D), random(M, D), random(M, D)
    largest, total, mixture = -math.inf, 0.0, torch.zeros(D)
    for keys, values in zip(k.split(3), v.split(3), strict=True):
        s = (q @ keys.T)[0] / math.sqrt(D)
        new = max(largest, s.max().item())
        total = total * math.exp(largest - new) + (s - new).exp().sum()
        mixture = mixture * math.exp(largest - new) + (s - new).exp() @ values
        largest = new
    return library(q, k, v, 3)[0], mixture / total


@formula("an image as patches")
def _(library):
    return torch.tensor(library(random(2, 8, 6), 2).shape), torch.tensor([2, (8 // 2) * (6 // 2), 2 * 2])


@formula("contribution")
def _(library):
    attention, x = MultiHeadAttention(D, 1, bias=False), random(1, M, D)
    output, a = attention(x, x, x, return_weights=True)
    return output, torch.einsum("bhnm,bhmd->bnd", a, library(attention, x))


@formula("alternative weights")
def _(library):
    a, v = softmax(random(M)).numpy(), random(M, 3).numpy()
    c = library(a, v) - a
    assert np.abs(c).max() > 0.01
    return torch.from_numpy(np.append(c @ v, c.sum())), torch.zeros(4)


@formula("fine-tuning on answers")
def _(library):
    logits, labels = random(2, 3, 5), torch.tensor([[-100, 4, 0], [1, -100, -100]])
    log_p = logits.log_softmax(-1)
    return library(logits, labels), -(log_p[0, 1, 4] + log_p[0, 2, 0] + log_p[1, 0, 1]) / 3


@formula("LoRA")
def _(library):
    layer = library(torch.nn.Linear(D, M, bias=False), rank=2, alpha=3.0)
    torch.nn.init.normal_(layer.lora_b)
    x, w, a, b = random(N, D), layer.weight.T, layer.lora_a.T, layer.lora_b.T
    return layer(x), x @ w + 3 / 2 * x @ a @ b


@formula("direct preference optimisation")
def _(library):
    class Table(torch.nn.Module):
        """A bigram model: each token's logits depend on that token alone."""

        def __init__(self):
            super().__init__()
            self.logits = random(5, 5)

        def forward(self, ids):
            return self.logits[ids]

    model, reference = Table(), Table()
    written = torch.tensor([[False, True, True]])
    chosen, rejected = torch.tensor([[0, 1, 2]]), torch.tensor([[0, 3, 3]])

    def log_p(table, a, b, c):
        rows = table.logits.log_softmax(-1)
        return rows[a, b] + rows[b, c]

    lead, before = (log_p(table, 0, 1, 2) - log_p(table, 0, 3, 3) for table in (model, reference))
    return library(model, reference, (chosen, written), (rejected, written), 0.3), -(0.3 * (lead - before)).sigmoid().log()


@formula("advantage")
def _(library):
    r = random(3, 5)
    return library(r), torch.stack([(row - row.mean()) / ((row - row.mean()) ** 2).mean().sqrt() for row in r])


@formula("clipped policy loss")
def _(library):
    new, old, a = -random(4, 1).abs(), -random(4, 1).abs(), random(4)
    rho = new.exp() / old.exp()
    losses = -torch.minimum(rho[:, 0] * a, rho[:, 0].clamp(0.9, 1.1) * a)
    return library(new, old, a, torch.ones(4, 1).bool(), 0.1), losses.mean()


@formula("KL divergence")
def _(library):
    p, q = softmax(random(5)), softmax(random(5))
    return library(p.log(), q.log()), q / p - (q / p).log() - 1


@formula("the best distribution for a reward")
def _(library):
    p, r = softmax(random(5)), random(5)
    tilt = p * (r / 0.3).exp()
    return library(p.log(), r, 0.3), tilt / tilt.sum()


@formula("pass@k")
def _(library):
    return library([0, 2, 6], 6, 3), torch.tensor([0.0, 1 - math.comb(4, 3) / math.comb(6, 3), 1.0])


@pytest.mark.parametrize("words", COMPUTED)
def test_the_formula_gives_what_the_library_gives(words):
    library, by_formula = COMPUTED[words](found(words))
    torch.testing.assert_close(library, by_formula, rtol=1e-9, atol=1e-9, check_dtype=False)
    assert library.numel() == by_formula.numel() > 0
