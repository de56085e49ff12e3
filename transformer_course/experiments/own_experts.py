"""Stage B13 of the Build: experts in the learner's own Llama, their own model in eight bits, and tokens written ahead.

The Llama has the sizes of lesson 23, and trains as there. `record` trains it with the course's own parts, with and without
experts, with three seeds: about ten minutes on one thread. ``python -m transformer_course.experiments.records own_experts``
keeps what came out.
"""

import copy
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict

import torch
from jaxtyping import Float
from safetensors.torch import save
from torch import Generator, Tensor, nn
from torch.nn import functional as F

from transformer_course.data.python_docs import CHARACTERS, encode, python_docs
from transformer_course.experiments import effort, own_model
from transformer_course.experiments import since_2017 as blocks
from transformer_course.experiments.counting import NGram
from transformer_course.experiments.own_assistant import Start
from transformer_course.experiments.records import recorded
from transformer_course.training import train

SIZES = {"d_model": blocks.D_MODEL, "num_heads": blocks.HEADS, "num_groups": blocks.NEW.groups, "num_layers": blocks.LAYERS}
FILE = "B13-int8"
READ, COUNTED = 15_000, 150_000  # characters on which bits are measured, and those that the table counts
IN_VIEW = 3  # tokens at which the table looks
AHEAD, WRITTEN = 4, 60  # drafted tokens, and tokens of a text

Draft = Callable[[list[int]], Float[Tensor, "v"]]
Round = Callable[[Float[Tensor, "k+1 v"], Float[Tensor, "k v"], list[int], list[float]], tuple[Sequence[int], Tensor]]


# Experts


def dense_llama(make_llama: Callable, hidden: int, seed: int = 0) -> nn.Module:
    """Return a Llama of lesson 23's sizes, whose networks have so many hidden units."""
    torch.manual_seed(seed)
    return make_llama(len(CHARACTERS), **SIZES, d_ff=hidden)


def llama_with_experts(make_llama: Callable, make_experts: Callable, seed: int = 0) -> nn.Module:
    """Return the same Llama, with a mixture of as many active numbers as lesson 23's in place of each dense network."""
    model = dense_llama(make_llama, blocks.SPARSE.hidden, seed)
    for block in model.blocks:
        block.feed_forward = make_experts(blocks.D_MODEL, blocks.SPARSE.hidden, blocks.EXPERTS, blocks.CHOSEN)
    return model


def active_parameters(model: nn.Module) -> int:
    """Return how many parameters a token uses: of the experts, only the chosen ones."""
    experts = sum(weight.numel() for each in _mixtures(model) for weight in each.experts.parameters())
    return sum(weight.numel() for weight in model.parameters()) - experts * (blocks.EXPERTS - blocks.CHOSEN) // blocks.EXPERTS


def _mixtures(model: nn.Module) -> list[nn.Module]:
    return [block.feed_forward for block in model.blocks if hasattr(block.feed_forward, "balance")]


def train_experts(
    model: nn.Module, balance: float = blocks.BALANCE, seed: int = 0, after_step: Callable[[int, float], None] | None = None
) -> None:
    """Train as lesson 23 does; ``balance`` is the factor of the balancing loss of each layer."""
    read: dict[nn.Module, Tensor] = {}
    mixtures = _mixtures(model)
    hooks = [each.register_forward_pre_hook(lambda module, given: read.update({module: given[0]})) for each in mixtures]

    def loss_of(model, inputs, labels):
        loss = F.cross_entropy(model(inputs).flatten(0, 1), labels.flatten())
        return loss + balance * sum(each.balance(read[each]) for each in mixtures)

    batches = blocks.windows(encode(python_docs().train), seed)
    train(model, batches, loss_of, steps(), lr=blocks.RATE, warmup=blocks.WARMUP, after_step=after_step)
    for hook in hooks:
        hook.remove()
    model.eval()


def steps() -> int:
    """Return the number of steps: that of lesson 23."""
    return effort.steps(blocks.STEPS, short=3)


def bits_of_characters(model: nn.Module) -> float:
    """Return the bits per character on unseen text."""
    return blocks.bits_per_character(model, _unseen())


def _unseen() -> str:
    return python_docs().test[: effort.count(10**9, short=3000)]


@torch.no_grad()
def shares(model: nn.Module) -> list[list[float]]:
    """Return for each layer which fraction of the choices falls on each expert, the largest first."""
    chosen: list[Tensor] = []
    hooks = [
        each.router.register_forward_hook(
            lambda module, given, scores: chosen.append(scores.topk(blocks.CHOSEN, dim=-1).indices.flatten())
        )
        for each in _mixtures(model)
    ]
    ids = encode(_unseen())
    model(ids[: len(ids) // blocks.LENGTH * blocks.LENGTH].reshape(-1, blocks.LENGTH)[:64])
    for hook in hooks:
        hook.remove()
    counts = (each.bincount(minlength=blocks.EXPERTS) for each in chosen)
    return [sorted((each / each.sum()).tolist(), reverse=True) for each in counts]


VERSIONS = {
    "dense": blocks.GATED,
    "dense, total size": blocks.WIDE.hidden,
    "experts": 0.0,
    "experts, balanced": blocks.BALANCE,
}


def found(version: str) -> list[float]:
    """Return the bits per character that were recorded of a version, one for each seed."""
    return [run["bits"] for run in recorded("own_experts")["runs"] if run["version"] == version]


def settings() -> dict[str, object]:
    """Return what decides the recorded results."""
    return {"sizes": SIZES, "versions": VERSIONS, "steps": blocks.STEPS, "rate": blocks.RATE, "seeds": blocks.SEEDS}


def _measured(version: str, seed: int) -> dict[str, object]:
    """Train one version with the course's own parts, which the sandbox of learners' code does not show."""
    from transformer_course import build_parts as parts

    if version.startswith("dense"):
        model, balance = dense_llama(parts.Llama, VERSIONS[version], seed), 0.0
    else:
        model, balance = llama_with_experts(parts.Llama, parts.Experts, seed), VERSIONS[version]
    start = time.process_time()
    train_experts(model, balance, seed)
    seconds = round(time.process_time() - start, 1)
    measured = {"version": version, "seed": seed, "parameters": sum(weight.numel() for weight in model.parameters())}
    measured |= {"active": active_parameters(model), "bits": round(bits_of_characters(model), 4), "seconds": seconds}
    return measured | {"shares": [[round(share, 4) for share in layer] for layer in shares(model)]}


def record() -> dict[str, object]:
    """Train every version with every seed."""
    return {"settings": settings(), "runs": [_measured(version, seed) for seed in range(blocks.SEEDS) for version in VERSIONS]}


# Eight bits


def in_int8(model: nn.Module, make_layer: Callable) -> nn.Module:
    """Return a copy of a model with ``make_layer(linear)`` in place of each linear layer."""
    model = copy.deepcopy(model)
    held = [(owner, name, child) for owner in model.modules() for name, child in owner.named_children()]
    for owner, name, child in held:
        if isinstance(child, nn.Linear):
            setattr(owner, name, make_layer(child))
    return model.eval()


def keep(begin: Start, model: nn.Module) -> None:
    """Save a model in eight bits as ``models/B13-int8.safetensors``, with its sizes and its tokenizer."""
    path = own_model.file_of(FILE)
    path.parent.mkdir(exist_ok=True)
    own_model.save(path, model, begin.tokenizer, asdict(begin.size))


def opened(make_gpt: Callable, make_layer: Callable, make_tokenizer: type) -> nn.Module:
    """Return the model that `keep` saved, in new objects of the learner's classes."""
    return own_model.load(FILE, lambda *sizes, **more: in_int8(make_gpt(*sizes, **more), make_layer), make_tokenizer)[0]


def file_size(model: nn.Module) -> int:
    """Return the bytes of a file with everything that a model stores."""
    return len(save({name: each.contiguous() for name, each in model.state_dict().items()}))


@torch.no_grad()
def bits(begin: Start, model: nn.Module) -> float:
    """Return the bits per character on an unseen part of Python's documentation."""
    text = python_docs().test[: effort.count(READ, short=2000)]
    ids, length = torch.tensor(begin.tokenizer.encode(text)), begin.size.length
    count = (len(ids) - 1) // length
    inputs, labels = (ids[shift : shift + count * length].reshape(count, length) for shift in (0, 1))
    nats = F.cross_entropy(model(inputs).flatten(0, 1), labels.flatten(), reduction="sum").item()
    return nats / math.log(2) / len(begin.tokenizer.decode(labels.flatten().tolist()))


def table(begin: Start, models: Mapping[str, nn.Module]) -> None:
    """Print the size of the file of each model, and its bits per character."""
    for name, model in models.items():
        print(f"{name:8} {file_size(model) / 1000:8,.0f} kB   {bits(begin, model):.4f} bits per character")


# Written ahead


def counts(begin: Start) -> Draft:
    """Return a table of counts of Python's documentation, in the model's tokens: it looks at the last three."""
    ids = begin.tokenizer.encode(python_docs().train[: effort.count(COUNTED, short=5000)])
    table = NGram([ids], len(begin.tokenizer), IN_VIEW + 1)
    return lambda ids: torch.from_numpy(table.distribution(tuple(ids[-IN_VIEW:]))).float()


def distributions(model: nn.Module, length: int) -> Callable[[list[int]], Float[Tensor, "n v"]]:
    """Return a function of ids that gives the distribution after each of the last ``length`` of them, in one pass."""

    @torch.no_grad()
    def read(ids: list[int]) -> Tensor:
        return model(torch.tensor([ids[-length:]]))[0].softmax(-1)

    return read


def written(begin: Start, draft: Draft, speculative: Round, prompt: str, seed: int) -> tuple[str, int, int]:
    """Return a text of the model, how many tokens it drew, and how many passes of the model that took."""
    read = distributions(begin.model, begin.size.length)
    generator = torch.Generator().manual_seed(seed)
    ids = begin.tokenizer.encode(prompt)
    first, passes = len(ids), 0
    while len(ids) - first < effort.count(WRITTEN, short=8):
        drafted: list[int] = []
        rows = []
        for _ in range(AHEAD):
            rows.append(draft([*ids, *drafted]))
            drafted.append(_drawn(rows[-1], generator))
        chances = torch.rand(AHEAD, generator=generator).tolist()
        kept, last = speculative(read([*ids, *drafted])[-AHEAD - 1 :], torch.stack(rows), drafted, chances)
        ids, passes = [*ids, *map(int, kept), _drawn(last, generator)], passes + 1
    return begin.tokenizer.decode(ids), len(ids) - first, passes


def _drawn(distribution: Float[Tensor, "v"], generator: Generator) -> int:
    return int(torch.multinomial(distribution, 1, generator=generator))


def first_tokens(speculative: Round, p: Float[Tensor, "k+1 v"], q: Float[Tensor, "k v"], seed: int = 0) -> list[float]:
    """Return how often each token comes first in many rounds."""
    generator, found = torch.Generator().manual_seed(seed), torch.zeros(p.shape[-1])
    rounds = effort.count(20_000, short=500)
    for _ in range(rounds):
        drafted = [_drawn(row, generator) for row in q]
        kept, last = speculative(p, q, drafted, torch.rand(len(q), generator=generator).tolist())
        found[kept[0] if len(kept) else _drawn(last, generator)] += 1
    return (found / rounds).tolist()
