"""What attention costs: the memory that a run takes, the multiplications that it makes, its seconds; and attention in blocks.

Shapes: ``n`` queries, ``m`` keys, ``d`` width.
"""

import json
import math
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.profiler import ProfilerActivity, profile
from torch.utils.flop_counter import FlopCounterMode

BLOCK = 256  # rows of a block
LEAST = 0.1  # seconds of a round


@dataclass(frozen=True)
class Memory:
    """Bytes that a run took beside what was there before it."""

    peak: int  # the most at any time
    kept: int  # what is left when it ends: its result

    @property
    def working(self) -> int:
        """What it took beside its result, and gave back again."""
        return self.peak - self.kept


def memory(run: Callable[[], object]) -> Memory:
    """Run it and follow every allocation of torch on the processor, those inside a kernel included.

    Python's own ``tracemalloc`` does not see torch's memory, so torch's profiler is asked.
    """
    os.environ.setdefault("KINETO_LOG_LEVEL", "99")  # else the profiler tells the terminal that it starts and stops
    with TemporaryDirectory() as folder:
        with torch.no_grad(), profile(activities=[ProfilerActivity.CPU], profile_memory=True) as seen:
            kept = run()  # held until the profiler has ended, so that it counts as kept
        seen.export_chrome_trace(str(trace := Path(folder) / "trace.json"))
        events = [event for event in json.loads(trace.read_text())["traceEvents"] if event["name"] == "[memory]"]
    del kept
    now = most = 0
    for event in sorted(events, key=lambda event: event["args"]["Ev Idx"]):
        now += event["args"]["Bytes"]
        most = max(most, now)
    return Memory(most, now)


def multiplications(run: Callable[[], object]) -> int:
    """Count the multiplications in all matrix products of a run; what is done number by number is not counted.

    torch's own attention is one kernel, into which the counter cannot look: it is taken apart into its two products.
    """
    with torch.no_grad(), sdpa_kernel(SDPBackend.MATH), FlopCounterMode(display=False) as counter:
        run()
    return counter.get_total_flops() // 2  # it counts each with its addition


def seconds(run: Callable[[], object], rounds: int = 3) -> float:
    """Return the processor's time for a run in the quickest of some rounds, all threads together.

    Time in which the machine did something else does not count, as it would by the clock on the wall. A round is as many runs
    as ``LEAST`` takes, for on some systems this clock ticks only 64 times a second.
    """
    times = []
    for _ in range(rounds):
        start, taken, runs = time.process_time(), 0.0, 0
        while taken < LEAST:
            with torch.no_grad():
                run()
            taken, runs = time.process_time() - start, runs + 1
        times.append(taken / runs)
    return min(times)


def attention_in_blocks(
    query: Float[Tensor, "n d"], key: Float[Tensor, "m d"], value: Float[Tensor, "m d_v"], size: int = BLOCK
) -> Float[Tensor, "n d_v"]:
    """Attend as ever, with no more than ``size`` × ``size`` scores at a time: an online softmax over blocks of keys.

    For each block of queries three things run along: the largest score so far, the sum of the exponentials, and the mixture of
    the values, both relative to that largest score.
    Source: Milakov & Gimelshein 2018, "Online normalizer calculation for softmax", section 3 (the running maximum and sum);
    Rabe & Staats 2021, "Self-attention Does Not Need O(n²) Memory" (with the mixture); Dao et al. 2022, "FlashAttention",
    section 3.1 (in blocks of queries and keys).
    """
    output = query.new_empty(len(query), value.shape[1])
    for rows, q in zip(output.split(size), query.split(size), strict=True):
        largest = q.new_full((len(q), 1), -math.inf)
        total, mixture = torch.zeros_like(largest), torch.zeros_like(rows)
        for k, v in zip(key.split(size), value.split(size), strict=True):
            scores = q @ k.T / math.sqrt(q.shape[1])
            new = torch.maximum(largest, scores.amax(1, keepdim=True))
            rescale, exponentials = torch.exp(largest - new), torch.exp(scores - new)
            total = total * rescale + exponentials.sum(1, keepdim=True)
            mixture = mixture * rescale + exponentials @ v
            largest = new
        rows.copy_(mixture / total)
    return output
