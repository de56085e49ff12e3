"""One batch, several processes: each computes the gradient of its shard, and these are averaged in different ways.

``launch()`` starts them with torchrun, as on a cluster, but all on this computer.
Shapes: ``b`` batch, ``m`` English words, ``n`` Chinese tokens, ``p`` all parameters of the model as one vector.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
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
LOOPBACK = {"linux": "lo", "darwin": "lo0"}.get(sys.platform)  # no message leaves the computer or needs its name resolved

Pairs = tuple[Int[Tensor, "b m"], Int[Tensor, "b n"]]


def batch() -> tuple[Transformer, Pairs]:
    """Return the untrained translator and 64 pairs, shortest numerals first, so that halves differ in their number of tokens.

    Every process gets the same model and the same pairs.
    """
    _, words = models.load("translator")
    pairs = sorted(number_pairs(BATCH, 1).train, key=lambda pair: len(pair[1]))
    torch.manual_seed(0)
    model = small_translator(words["source"], words["target"])
    return model, tuple(map(pad_right, columns(pairs, words["source"], words["target"])))


def shard(pairs: Pairs, rank: int, processes: int) -> Pairs:
    """Return the rows of one process: the first ``b / processes`` for rank 0, the next for rank 1, and so on."""
    source, target = pairs
    rows = slice(rank * len(source) // processes, (rank + 1) * len(source) // processes)
    return source[rows], target[rows]


def count_tokens(pairs: Pairs) -> int:
    """Count the tokens that the model has to predict: the target tokens that are not padding."""
    return int((pairs[1] != Vocabulary.pad).sum())


def token_fraction(mine: Pairs) -> float:
    """Return this process's fraction of all tokens; the counts are exchanged."""
    all_tokens = torch.tensor(count_tokens(mine))
    distributed.all_reduce(all_tokens)
    return count_tokens(mine) / all_tokens.item()


def gradient(model: nn.Module, pairs: Pairs, scale: float = 1.0) -> Float[Tensor, "p"]:
    """Return the gradient of the pairs' mean loss, times ``scale``."""
    model.zero_grad()
    (scale * translation_loss(model, *pairs)).backward()
    return torch.cat([parameter.grad.flatten() for parameter in model.parameters()])


def step(model: nn.Module, direction: Float[Tensor, "p"]) -> None:
    """Take one step of plain gradient descent."""
    vector_to_parameters(parameters_to_vector(model.parameters()).detach() - LR * direction, model.parameters())


def mean_of_means(model: nn.Module, mine: Pairs) -> Float[Tensor, "p"]:
    """Average the gradients of all processes, each of the mean loss over *its* tokens, with equal weights."""
    total = gradient(model, mine, 1 / distributed.get_world_size())
    distributed.all_reduce(total)  # in place: every process gets the sum over all of them
    return total


def one_mean(model: nn.Module, mine: Pairs) -> Float[Tensor, "p"]:
    """Weight the gradient of each process by its fraction of the tokens."""
    total = gradient(model, mine, token_fraction(mine))
    distributed.all_reduce(total)
    return total


def by_torch(model: nn.Module, mine: Pairs) -> Float[Tensor, "p"]:
    """Let torch's own wrapper average the gradients."""
    return gradient(DistributedDataParallel(model), mine)


def by_torch_scaled(model: nn.Module, mine: Pairs) -> Float[Tensor, "p"]:
    """Use the same wrapper, with the loss of each process scaled so that the wrapper's average is correct."""
    return gradient(DistributedDataParallel(model), mine, token_fraction(mine) * distributed.get_world_size())


METHODS = {
    "mean of means": mean_of_means,
    "one mean": one_mean,
    "DistributedDataParallel": by_torch,
    "the same, loss scaled": by_torch_scaled,
}


def timed_steps(model: nn.Module, mine: Pairs) -> dict[str, float]:
    """Take ten steps in place with the gradient of ``one_mean``; return the median milliseconds of each part of a step.

    Run in one process alone, a step has no ``waiting`` and no ``exchange``.
    """
    together = distributed.is_initialized()
    scale = token_fraction(mine) if together else 1.0
    seconds: dict[str, list[float]] = {}

    def timed(name: str, part: Callable, *arguments):
        start = time.perf_counter()
        result = part(*arguments)
        seconds.setdefault(name, []).append(time.perf_counter() - start)
        return result

    for _ in range(STEPS):
        direction = timed("forward and backward", gradient, model, mine, scale)
        if together:
            timed("waiting", distributed.barrier)  # for the slower process; without it, this would count as exchange
            timed("exchange", distributed.all_reduce, direction)
        timed("update", step, model, direction)
    return {name: 1000 * statistics.median(times) for name, times in seconds.items()}


def launch(processes: int = 2) -> dict:
    """Start this many processes with torchrun, and return the measurements of the first one as a dictionary.

    For each of ``METHODS`` it holds a gradient (p). ``trained`` holds the parameters (p) after ten steps of ``one_mean``,
    and ``milliseconds`` what `timed_steps` returned for them.

    Raises RuntimeError with the processes' error output if one of them fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder, "found.pt")
        run = [sys.executable, "-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={processes}"]
        environment = {**os.environ, "OMP_NUM_THREADS": "1"} | ({"GLOO_SOCKET_IFNAME": LOOPBACK} if LOOPBACK else {})
        done = subprocess.run([*run, "-m", __name__, str(found)], env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"torchrun ended with status {done.returncode}: {done.stderr[-3000:]}")
        return torch.load(found)


@record  # so that torchrun reports the cause of a failure
def _process(file: Path) -> None:
    """Run one process. torchrun sets its rank and the number of processes in the environment."""
    distributed.init_process_group("gloo")
    rank, processes = distributed.get_rank(), distributed.get_world_size()
    model, pairs = batch()
    mine = shard(pairs, rank, processes)
    found: dict = {name: method(model, mine) for name, method in METHODS.items()}
    distributed.barrier()  # so that the first step does not wait for a process that starts later
    found["milliseconds"] = timed_steps(model, mine)
    found["trained"] = parameters_to_vector(model.parameters()).detach()
    if rank == 0:
        torch.save(found, file)
    distributed.barrier()  # so that no process exits while another still needs it
    distributed.destroy_process_group()
    os._exit(0)  # all output is written; on a normal exit, gloo's threads occasionally abort the process


if __name__ == "__main__":
    _process(Path(sys.argv[1]))
