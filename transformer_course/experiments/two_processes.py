"""One batch, several processes: each takes its part, and they average their gradients, in ways that are not the same.

``launch()`` starts them as a cluster would, with torchrun; here all of them are on this computer.
Shapes: ``b`` batch, ``m`` English words, ``n`` Chinese tokens, ``p`` all parameters of the model in one row.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import torch
from jaxtyping import Float, Int
from torch import Tensor, distributed, nn
from torch.distributed.elastic.multiprocessing.errors import record
from torch.nn.parallel import DistributedDataParallel
from torch.nn.utils import parameters_to_vector, vector_to_parameters

from transformer_course import models
from transformer_course.data import number_pairs
from transformer_course.embedding import Vocabulary, pad_right
from transformer_course.models.recipes import columns, small_translator
from transformer_course.training import translation_loss
from transformer_course.transformer import Transformer

BATCH, STEPS, LR = 64, 10, 0.1
LOOPBACK = {"linux": "lo", "darwin": "lo0"}.get(sys.platform)  # no message leaves the computer, nor needs its name resolved

Pairs = tuple[Int[Tensor, "b m"], Int[Tensor, "b n"]]


def batch() -> tuple[Transformer, Pairs]:
    """Return the translator before training, and 64 pairs for it, the short numerals first: halves have unlike sizes.

    Every process that asks gets the same numbers.
    """
    _, words = models.load("translator")
    pairs = sorted(number_pairs(BATCH, 1).train, key=lambda pair: len(pair[1]))
    torch.manual_seed(0)
    model = small_translator(words["source"], words["target"])
    return model, tuple(map(pad_right, columns(pairs, words["source"], words["target"])))


def part(pairs: Pairs, rank: int, of: int) -> Pairs:
    """Return the rows of one process: the first ``b / of`` for rank 0, the next for rank 1, and so on."""
    source, target = pairs
    rows = slice(rank * len(source) // of, (rank + 1) * len(source) // of)
    return source[rows], target[rows]


def tokens(pairs: Pairs) -> int:
    """Return how many tokens are asked for: those of the targets that are not padding."""
    return int((pairs[1] != Vocabulary.pad).sum())


def gradient(model: nn.Module, pairs: Pairs, share: float = 1.0) -> Float[Tensor, "p"]:
    """Return the gradient of the pairs' mean loss, times ``share``."""
    model.zero_grad()
    (share * translation_loss(model, *pairs)).backward()
    return torch.cat([parameter.grad.flatten() for parameter in model.parameters()])


def step(model: nn.Module, direction: Float[Tensor, "p"]) -> None:
    """Take one step of plain gradient descent."""
    vector_to_parameters(parameters_to_vector(model.parameters()).detach() - LR * direction, model.parameters())


def mean_of_means(model: nn.Module, mine: Pairs) -> Float[Tensor, "p"]:
    """Each process sends the gradient of the mean over *its* tokens; all count alike."""
    together = gradient(model, mine, 1 / distributed.get_world_size())
    distributed.all_reduce(together)  # the sum over all processes, in its place, in each of them
    return together


def one_mean(model: nn.Module, mine: Pairs) -> Float[Tensor, "p"]:
    """Each process counts by its share of the tokens."""
    together = gradient(model, mine, _share(mine))
    distributed.all_reduce(together)
    return together


def _share(mine: Pairs) -> float:
    all_tokens = torch.tensor(tokens(mine))
    distributed.all_reduce(all_tokens)
    return tokens(mine) / all_tokens.item()


def by_torch(model: nn.Module, mine: Pairs) -> Float[Tensor, "p"]:
    """What torch's own wrapper makes of it."""
    return gradient(DistributedDataParallel(model), mine)


def by_torch_scaled(model: nn.Module, mine: Pairs) -> Float[Tensor, "p"]:
    """The same when each process has scaled its loss, so that the wrapper's mean becomes the right one."""
    return gradient(DistributedDataParallel(model), mine, _share(mine) * distributed.get_world_size())


WAYS = {
    "mean of means": mean_of_means,
    "one mean": one_mean,
    "DistributedDataParallel": by_torch,
    "the same, loss scaled": by_torch_scaled,
}


def launch(processes: int = 2) -> dict:
    """Start so many processes with torchrun, and return what the first of them found.

    For each of WAYS a gradient (p); ``trained``: the parameters (p) after ten steps of the right way; ``step`` and
    ``exchange``: milliseconds, median of the ten steps, in all and while gradients are exchanged.

    Raises RuntimeError with the processes' own words when one of them fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder, "found.pt")
        run = [sys.executable, "-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={processes}"]
        there = {**os.environ, "OMP_NUM_THREADS": "1"} | ({"GLOO_SOCKET_IFNAME": LOOPBACK} if LOOPBACK else {})
        done = subprocess.run([*run, "-m", __name__, str(found)], env=there, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"torchrun ended with status {done.returncode}: {done.stderr[-3000:]}")
        return torch.load(found)


@record  # so that torchrun tells why it failed
def _process(file: Path) -> None:
    """What each process runs; torchrun has told it by its environment who it is and how many there are."""
    distributed.init_process_group("gloo")
    rank, processes = distributed.get_rank(), distributed.get_world_size()
    model, pairs = batch()
    mine = part(pairs, rank, processes)
    found: dict = {name: way(model, mine) for name, way in WAYS.items()}
    steps, exchanges = [], []
    for _ in range(STEPS):
        distributed.barrier()  # so that none is timed while it waits for one that began later
        begun = time.perf_counter()
        step(model, one_mean(model, mine))
        steps.append(time.perf_counter() - begun)
        gradients = torch.zeros(sum(parameter.numel() for parameter in model.parameters()))
        distributed.barrier()
        begun = time.perf_counter()
        distributed.all_reduce(gradients)
        exchanges.append(time.perf_counter() - begun)
    found["trained"] = parameters_to_vector(model.parameters()).detach()
    found["step"], found["exchange"] = (1000 * statistics.median(seconds) for seconds in (steps, exchanges))
    if rank == 0:
        torch.save(found, file)
    distributed.barrier()  # nobody leaves while another still needs it
    distributed.destroy_process_group()
    os._exit(0)  # everything is written; on the ordinary way out, gloo's threads now and then abort a process


if __name__ == "__main__":
    _process(Path(sys.argv[1]))
