"""One block of 2017 beside one of today, part by part: small language models of characters that differ in one part.

All read Python's documentation, with the same windows, steps and learning rate. Measured are bits per character of unseen
text, parameters, the memory of the cache, and seconds of processor time.

Shapes: ``b`` batch, ``n`` characters, ``v`` vocabulary.
"""

import math
import platform
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.data.python_docs import CHARACTERS, encode, python_docs
from transformer_course.data.windows import random_windows
from transformer_course.embedding import TokenEmbedding
from transformer_course.experiments.records import recorded
from transformer_course.experts import MixtureOfExperts, balancing_loss
from transformer_course.layers import FeedForward, LayerNorm
from transformer_course.masks import causal_mask
from transformer_course.modern import GroupedQueryAttention, RMSNorm, SwiGLU, sliding_window_mask
from transformer_course.positions import scheme
from transformer_course.training import train

D_MODEL, HEADS, LAYERS, LENGTH, BATCH = 64, 4, 2, 128, 16
STEPS, RATE, WARMUP = 400, 1.2e-2, 50
LONG = 4 * STEPS
OTHER_RATES, HIGHER = (6e-3, 2.4e-2), 4.8e-2
EXPERTS, CHOSEN, BALANCE = 8, 2, 0.01
HIDDEN = 4 * D_MODEL  # of the network of 2017; SwiGLU has 172, so that three matrices have as many weights as these two
GATED = 172
SEEDS = 3


@dataclass(frozen=True)
class Parts:
    """What a model is made of; the defaults are those of 2017."""

    order: str = "post"  # where the norms are: after each sum, or "pre": before each sublayer
    norm: str = "LayerNorm"
    network: str = "ReLU"
    hidden: int = HIDDEN  # hidden units of the network; of each expert, if there are experts
    positions: str = "sinusoidal"
    groups: int = HEADS  # keys and values per token and layer
    window: int = LENGTH  # how many tokens each one sees
    experts: int = 1
    balance: float = 0.0  # the factor of the balancing loss

    def cache(self, length: int = LENGTH) -> int:
        """Return the bytes of the cache of a text of ``length`` tokens, at 4 bytes per number.

        Texts longer than `LENGTH` are as they would be in a model with more positions: no window has that length.
        """
        kept = length if self.window == LENGTH else min(length, self.window)
        return 2 * LAYERS * kept * self.groups * (D_MODEL // HEADS) * 4


NORMS = {"LayerNorm": LayerNorm, "RMSNorm": RMSNorm}
NETWORKS = {"ReLU": FeedForward, "SwiGLU": SwiGLU}

OLD = Parts()
NEW = Parts(order="pre", norm="RMSNorm", network="SwiGLU", hidden=GATED, positions="rotary", groups=HEADS // 2)
WIDE = replace(NEW, hidden=EXPERTS * GATED // CHOSEN)
SPARSE = replace(NEW, hidden=GATED // CHOSEN, experts=EXPERTS)

VERSIONS = {
    "2017": OLD,
    "norm in front": replace(OLD, order="pre"),
    "RMSNorm": replace(OLD, norm="RMSNorm"),
    "SwiGLU": replace(OLD, network="SwiGLU", hidden=GATED),
    "rotation": replace(OLD, positions="rotary"),
    "2 groups": replace(OLD, groups=2),
    "1 group": replace(OLD, groups=1),
    "window of 32": replace(OLD, window=32),
    "today": NEW,
    "today, no rotation": replace(NEW, positions="sinusoidal"),
    "today, window of 32": replace(NEW, window=32),
    "today, norm behind": replace(NEW, order="post"),
    "today, LayerNorm": replace(NEW, norm="LayerNorm"),
    "today, ReLU": replace(NEW, network="ReLU", hidden=HIDDEN),
    "today, 4 groups": replace(NEW, groups=HEADS),
    "dense, total size": WIDE,
    "experts": SPARSE,
    "experts, balanced": replace(SPARSE, balance=BALANCE),
}


class Block(nn.Module):
    """Attention and a network for each token, with the parts that `Parts` names."""

    def __init__(self, parts: Parts):
        super().__init__()
        self.norm_1, self.norm_2 = (NORMS[parts.norm](D_MODEL) for _ in range(2))
        self.attention = GroupedQueryAttention(D_MODEL, HEADS, parts.groups, bias=False, positions=parts.positions)
        networks = [NETWORKS[parts.network](D_MODEL, parts.hidden) for _ in range(parts.experts)]
        self.network = networks[0] if parts.experts == 1 else MixtureOfExperts(D_MODEL, networks, CHOSEN)
        self.pre = parts.order == "pre"

    def forward(self, x: Float[Tensor, "b n d"], mask: Tensor) -> Float[Tensor, "b n d"]:
        """Return the residual stream after both sublayers."""
        if self.pre:
            y = self.norm_1(x)
            x = x + self.attention(y, y, y, mask)
            return x + self.network(self.norm_2(x))
        x = self.norm_1(x + self.attention(x, x, x, mask))
        return self.norm_2(x + self.network(x))


class LanguageModel(nn.Module):
    """Predict the next character with `LAYERS` blocks."""

    def __init__(self, parts: Parts, seed: int = 0):
        super().__init__()
        torch.manual_seed(seed)
        self.parts = parts
        self.tokens = TokenEmbedding(len(CHARACTERS), D_MODEL)
        self.positions = scheme(parts.positions).embedding(D_MODEL, LENGTH)
        self.blocks = nn.ModuleList(Block(parts) for _ in range(LAYERS))
        self.final_norm = NORMS[parts.norm](D_MODEL) if parts.order == "pre" else nn.Identity()
        self.output = nn.Linear(D_MODEL, len(CHARACTERS), bias=False)

    def forward(self, tokens: Int[Tensor, "b n"]) -> Float[Tensor, "b n v"]:
        """Return logits for the character after each of ``tokens``, at most `LENGTH` of them."""
        n = tokens.shape[1]
        mask = causal_mask(n) if self.parts.window >= n else sliding_window_mask(n, self.parts.window)
        x = self.tokens(tokens)
        x = x if self.positions is None else self.positions(x)
        for block in self.blocks:
            x = block(x, mask)
        return self.output(self.final_norm(x))

    @property
    def mixtures(self) -> list[MixtureOfExperts]:
        """The mixtures of experts of all blocks."""
        return [block.network for block in self.blocks if isinstance(block.network, MixtureOfExperts)]


def parameters(parts: Parts) -> int:
    """Return how many parameters a model has."""
    return sum(weights.numel() for weights in LanguageModel(parts).parameters())


def active_parameters(parts: Parts) -> int:
    """Return how many parameters a token uses: of the experts, only the chosen ones."""
    unused = (parts.experts - CHOSEN) * LAYERS * 3 * D_MODEL * parts.hidden if parts.experts > 1 else 0
    return parameters(parts) - unused


def loss_of(model: LanguageModel, inputs: Tensor, labels: Tensor) -> Tensor:
    """Return the mean loss per character, in nats, with the balancing loss of the experts if the model has one."""
    loss = F.cross_entropy(model(inputs).flatten(0, 1), labels.flatten())
    if model.parts.balance:
        loss = loss + model.parts.balance * sum(balancing_loss(each.routing) for each in model.mixtures)
    return loss


def windows(ids: Int[Tensor, "n"], seed: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield batches of windows, the same for each model with the same seed."""
    generator = torch.Generator().manual_seed(seed)
    while True:
        yield random_windows(ids, BATCH, LENGTH, generator)


def trained(
    parts: Parts,
    text: str,
    seed: int = 0,
    steps: int = STEPS,
    rate: float = RATE,
    after_step: Callable[[int, float], None] | None = None,
) -> LanguageModel:
    """Return a model of these parts, trained on a text."""
    model = LanguageModel(parts, seed)
    train(model, windows(encode(text), seed), loss_of, steps, lr=rate, warmup=WARMUP, after_step=after_step)
    return model.eval()


@torch.no_grad()
def bits_per_character(model: LanguageModel, text: str) -> float:
    """Return the mean of -log₂ p over the characters of a text, read in windows of `LENGTH`; the rest is left out."""
    ids = encode(text)
    count = (len(ids) - 1) // LENGTH
    inputs, labels = (ids[shift : shift + count * LENGTH].reshape(count, LENGTH) for shift in (0, 1))
    total = sum(
        F.cross_entropy(model(x).flatten(0, 1), y.flatten(), reduction="sum").item()
        for x, y in zip(inputs.split(64), labels.split(64), strict=True)
    )
    return total / labels.numel() / math.log(2)


@torch.no_grad()
def shares_of_experts(model: LanguageModel, text: str) -> list[list[float]]:
    """Return for each layer which fraction of the choices falls on each expert, on the first 64 windows of a text."""
    model(encode(text)[: 64 * LENGTH].reshape(64, LENGTH))
    return [[round(share, 4) for share in mixture.routing.shares.tolist()] for mixture in model.mixtures]


def measured(version: str, seed: int, steps: int = STEPS, rate: float = RATE) -> dict[str, object]:
    """Train one model, and return what is recorded of it."""
    text, start = python_docs(), time.process_time()
    model = trained(VERSIONS[version], text.train, seed, steps, rate)
    seconds = time.process_time() - start
    found = {"version": version, "seed": seed, "steps": steps, "rate": rate}
    found |= {"bits": round(bits_per_character(model, text.test), 4), "seconds": round(seconds, 1)}
    return found | ({"shares": shares_of_experts(model, text.test)} if model.mixtures else {})


def plan() -> list[tuple[str, int, int, float]]:
    """Return every run that is recorded: version, seed, steps and rate. All have three seeds, those at other rates one."""
    runs = [(version, seed, STEPS, RATE) for seed in range(SEEDS) for version in VERSIONS]
    runs += [(version, 0, STEPS, rate) for version in ("2017", "today") for rate in OTHER_RATES]
    runs += [("norm in front", 0, STEPS, rate) for rate in (*OTHER_RATES, HIGHER)]
    return runs + [(version, 0, LONG, RATE) for version in ("2017", "rotation", "today")]


def found(version: str, what: str = "bits", steps: int = STEPS, rate: float = RATE) -> list:
    """Return what was recorded of a version, one value for each seed."""
    runs = recorded("since_2017")["runs"]
    return [run[what] for run in runs if (run["version"], run["steps"], run["rate"]) == (version, steps, rate)]


def settings() -> dict[str, object]:
    """Return what decides the recorded results."""
    sizes = {"width": D_MODEL, "heads": HEADS, "layers": LAYERS, "length": LENGTH, "batch": BATCH}
    training = {"steps": STEPS, "rate": RATE, "warmup": WARMUP, "experts": EXPERTS, "chosen": CHOSEN}
    return (
        sizes
        | training
        | {"versions": {version: asdict(parts) for version, parts in VERSIONS.items()}, "runs": [[*run] for run in plan()]}
    )


def record() -> dict[str, object]:
    """Train every model of the plan, which takes about twenty minutes; see `records`."""
    return {"settings": settings(), "python": platform.python_version(), "runs": [measured(*run) for run in plan()]}
