"""What attention costs in memory, multiplications and seconds; and attention in blocks, which needs less memory.

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

BLOCK = 256  # rows per block
MIN_SECONDS = 0.1  # the minimum length of a timing round


@dataclass(frozen=True)
class Memory:
    """The bytes that a run allocated, not counting what was allocated before."""

    peak: int  # the most at any one time
    kept: int  # what remains at the end: the result

    @property
    def working(self) -> int:
        """The memory in use at the peak, without the result."""
        return self.peak - self.kept


def memory(run: Callable[[], object]) -> Memory:
    """Measure the memory that torch allocates on the CPU during ``run()``, including inside kernels.

    This uses torch's profiler, because Python's own ``tracemalloc`` does not see torch's memory.
    """
    os.environ.setdefault("KINETO_LOG_LEVEL", "99")  # or the profiler prints when it starts and stops
    with TemporaryDirectory() as folder:
        with torch.no_grad(), profile(activities=[ProfilerActivity.CPU], profile_memory=True) as trace_of_run:
            kept = run()  # a reference until the profiler has stopped, so that the result counts as kept
        trace_of_run.export_chrome_trace(str(trace := Path(folder) / "trace.json"))
        events = [event for event in json.loads(trace.read_text())["traceEvents"] if event["name"] == "[memory]"]
    del kept
    current = peak = 0
    for event in sorted(events, key=lambda event: event["args"]["Ev Idx"]):
        current += event["args"]["Bytes"]
        peak = max(peak, current)
    return Memory(peak, current)


def multiplications(run: Callable[[], object]) -> int:
    """Count the multiplications in all matrix products of ``run()``. Elementwise operations are not counted.

    The counter cannot see inside torch's fused attention kernel, so attention runs as its two separate products.
    """
    with torch.no_grad(), sdpa_kernel(SDPBackend.MATH), FlopCounterMode(display=False) as counter:
        run()
    return counter.get_total_flops() // 2  # the counter counts each multiplication together with its addition


def seconds(run: Callable[[], object], rounds: int = 3) -> float:
    """Return the CPU time of one ``run()``, summed over all threads, in the fastest of several rounds.

    Unlike wall-clock time, CPU time leaves out what the computer spends on other programs. A round repeats the run for at
    least ``MIN_SECONDS``, because on some systems this clock ticks only 64 times per second.
    """
    times = []
    for _ in range(rounds):
        start, elapsed, runs = time.process_time(), 0.0, 0
        while elapsed < MIN_SECONDS:
            with torch.no_grad():
                run()
            elapsed, runs = time.process_time() - start, runs + 1
        times.append(elapsed / runs)
    return min(times)


def attention_in_blocks(
    query: Float[Tensor, "n d"], key: Float[Tensor, "m d"], value: Float[Tensor, "m d_v"], size: int = BLOCK
) -> Float[Tensor, "n d_v"]:
    """Compute ordinary attention with at most ``size`` × ``size`` scores in memory: an online softmax over blocks of keys.

    Three running quantities are kept per query: the largest score so far, and, relative to it, the sum of the exponentials
    and the weighted sum of the values.
    Source: Milakov & Gimelshein 2018, "Online normalizer calculation for softmax", section 3 (the running maximum and sum);
    Rabe & Staats 2021, "Self-attention Does Not Need O(n²) Memory" (with the weighted sum); Dao et al. 2022, "FlashAttention",
    section 3.1 (in blocks of queries and keys).
    """
    output = query.new_empty(len(query), value.shape[1])
    for rows, q in zip(output.split(size), query.split(size), strict=True):
        largest = q.new_full((len(q), 1), -math.inf)
        total, weighted_sum = torch.zeros_like(largest), torch.zeros_like(rows)
        for k, v in zip(key.split(size), value.split(size), strict=True):
            scores = q @ k.T / math.sqrt(q.shape[1])
            new = torch.maximum(largest, scores.amax(1, keepdim=True))
            rescale, exponentials = torch.exp(largest - new), torch.exp(scores - new)
            total = total * rescale + exponentials.sum(1, keepdim=True)
            weighted_sum = weighted_sum * rescale + exponentials @ v
            largest = new
        rows.copy_(weighted_sum / total)
    return output
