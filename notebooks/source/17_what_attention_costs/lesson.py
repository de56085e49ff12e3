# %% [markdown] minutes=24
# # 17 · What attention costs: what must grow when the text grows?
#
# Attention compares every token with every other one. A novel has more than 100,000 tokens, so there are more than ten billion
# pairs. Can a model read a book? In 2020, GPT-3 could read 2,048 tokens at once ({brown2020}); four years later, Llama 3 could
# read about 128,000 ({grattafiori2024}). What does that cost, and how much of it comes from attention itself? You will count
# multiplications, measure memory, and find out which costs come only from the way we have computed attention so far.
#
# About {minutes} minutes, and half as long again for the parts under "Deeper". By the end, you will be able to
#
# * count the multiplications in each part of a layer;
# * compute a softmax in two pieces by hand, without ever having the whole row;
# * say what a key-value cache saves, and how large it is for a model of any size.

# %%
import math
from functools import partial
from itertools import pairwise

import numpy as np
import torch
from torch.nn import functional as F

from transformer_course import figures, models
from transformer_course.attention import scaled_dot_product_attention
from transformer_course.config import StackConfig
from transformer_course.exercises import ask, predict, reveal
from transformer_course.experiments.costs import (
    attention_in_blocks,
    memory,
    multiplications,
    seconds,
)
from transformer_course.layers import FeedForward
from transformer_course.masks import causal_mask
from transformer_course.transformer import Encoder

torch.set_num_threads(1)

# %%
lit = ("encoder self-attention", "decoder self-attention", "cross-attention")
ax = figures.architecture(*lit, title="Lesson 17: where tokens meet in pairs", small=True)

# %% [markdown]
# <!-- picture -->
# the map from lesson 00. Tokens meet in pairs only in the filled boxes: each query meets every key it may
# see. All other boxes work on one token at a time.
# <!-- end -->
#
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %% ask="17.recall"


# %% [markdown]
# ## Counting multiplications
#
# Multiply an n × d matrix by a d × m matrix. The result has n · m numbers, and each is a dot product, which takes d
# multiplications. So the matrix product takes n · d · m multiplications. `multiplications` counts those in the matrix products
# of a run, and nothing else: no additions, no exponentials, no divisions.

# %% tags=["S22"]
left, right = torch.ones(3, 2), torch.ones(2, 5)
print(multiplications(lambda: left @ right), "counted;  3 · 2 · 5 =", 3 * 2 * 5)

# %% [markdown]
# A layer of width d reads n tokens:
#
# | part | matrix products | multiplications |
# | --- | --- | --- |
# | projections | n × d times d × d, four times (W_Q, W_K, W_V, W_O) | 4nd² |
# | scores and weighted sums | n × d times d × n, and n × n times n × d | 2n²d |
# | feed-forward network | n × d times d × 4d, n × 4d times 4d × d | 8nd² |
#
# (Several heads do not change these numbers: there are more products, but each is narrower.) Only the second row has n². For
# long enough texts, its two products cost most ("Deeper" says how long).

# %% [markdown]
# ## Measuring memory
#
# Seconds pass; memory runs out. Take 4,096 tokens and one head of width 64. Queries, keys and values are three arrays of
# 4,096 × 64 numbers. With 4 bytes per number, each takes 1 MB, and so does the output. `memory` keeps track of everything that
# torch allocates during a run: `kept` is what remains at the end, and `working` is the largest amount in use at any time, not
# counting what is kept.

# %% predict="17.memory"


# %% tags=["S22"]
def drawn(n, seed=0):
    return torch.randn(3, n, 64, generator=torch.Generator().manual_seed(seed))


def plain(q, k, v):
    return scaled_dot_product_attention(q, k, v)[0]


used = memory(partial(plain, *drawn(4096)))
print(f"kept, the output: {used.kept / 1e6:.0f} MB;  working: {used.working / 1e6:.0f} MB")
reveal("17.memory")

# %% tags=["S22", "E23"]
lengths = [512, 1024, 2048, 4096]
working = [memory(partial(plain, *drawn(n))).working for n in lengths]
ratios = (f"{longer / shorter:.1f}" for shorter, longer in pairwise(working))
print("each doubling of the length multiplies the working memory by", *ratios)

# %% [markdown]
# Twice the text takes four times the memory. At 100,000 tokens and 4 bytes per number, a single score matrix would take 40 GB,
# and each head has its own. You may have read that this is simply the price of attention. Is it?

# %% [markdown]
# ## A softmax in two pieces
#
# Must all the scores exist at once? It seems so. Softmax divides by a sum over the *whole* row, and before that it subtracts
# the largest score of the row. Until you have seen the last score, you know neither.
#
# Here is one query with four keys. Its scores are multiples of ln 2, so that the exponentials are powers of 2.

# %% tags=["S22"]
scores, values = np.array([1, 3, 4, 0]) * math.log(2), np.array([4, 8, 2, 16])
exponentials = np.exp(scores)
print(exponentials.round(4), "sum", exponentials.sum().round(4))
print("output", (exponentials @ values / exponentials.sum()).round(4))

# %% [markdown]
# Now the keys arrive in two pieces, and the second comes only when the first is gone. From the first piece, we keep three
# numbers (the exponentials are taken after subtracting the largest score):
#
# | | largest score | sum of the exponentials | weighted sum of the values, not yet divided |
# | --- | --- | --- | --- |
# | scores ln 2, 3 ln 2; values 4, 8 | 3 ln 2 | ¼ + 1 = 1.25 | ¼ · 4 + 1 · 8 = 9 |
#
# <!-- paper -->
# **Your turn, on paper.** The second piece has scores 4 ln 2 and 0, and values 2 and 16. Its largest score, 4 ln 2, is larger
# than the one before, so it is what you subtract from both scores. What are its sum and its weighted sum?
#
# <!-- compare -->
# <details><summary>Compare</summary>The exponentials are 1 and 1/16. So the sum is 17/16, and the weighted sum is
# 1 · 2 + 1/16 · 16 = 3.</details>
# <!-- end -->
#
# Both sums have to be added to what we kept.

# %% predict="17.two_pieces"


# %% tags=["S22"]
for name, factor_1, factor_2 in (("both", 0.5, 0.5), ("neither", 1, 1), ("the sum", 0.5, 1)):
    total, weighted = factor_1 * 1.25 + 17 / 16, factor_2 * 9 + 3
    print(f"{name:8} halved: {weighted:5.2f} / {total:.4f} = {weighted / total:.4f}")
reveal("17.two_pieces")

# %% [markdown]
# For 1.25 and 9, we subtracted 3 ln 2; for the second piece, it was 4 ln 2. So the 1.25 and the 9 need the factor
# $e^{3 \ln 2 - 4 \ln 2} = 1/2$. In general, let $m$ be the largest score so far, $\ell$ the sum and $u$ the weighted sum, and
# let a bar mark what the new piece contributes, computed with the new $m'$:
#
# $$m' = \max(m, \text{new scores}), \qquad \ell' = e^{m - m'} \ell + \bar\ell, \qquad u' = e^{m - m'} u + \bar u$$
#
# Before the first piece, $m = -\infty$ and $\ell$ and $u$ are 0. (If a mask has so far hidden every key from a query, its $m'$
# is still $-\infty$, and $m - m'$ is not a number. Then leave $\ell$ and $u$ at 0.) At the end, the output is $u / \ell$. This
# is the **online softmax**. It works like a running mean, which needs only a sum and a count. (One thing is different: $\ell$
# and $u$ are kept in a currency that is devalued whenever a larger score comes along.)

# %%
ax = figures.schematic("blocks")

# %% [markdown]
# <!-- picture -->
# the score matrix at one moment. Dark cells are scores in memory; pale cells are scores that are not.
# <!-- left -->
# all of them are in memory.
# <!-- right -->
# only one block is. It moves from left to right, and we keep $m$, $\ell$ and $u$ for each query.
# <!-- end -->
#
# `attention_in_blocks` does this with blocks of 256 × 256 scores. Does it give the same output? We try three random heads, and
# then the same heads with scores a hundred times as large:

# %% tags=["S22"]
for factor in (1, 100):
    heads = [(factor * q, k, v) for q, k, v in (drawn(1000, seed) for seed in range(3))]
    apart = max((attention_in_blocks(*head) - plain(*head)).abs().max() for head in heads)
    print(f"scores times {factor}: the outputs differ by at most {apart:.4f}")

# %% [markdown]
# This is exact attention. What does it cost?

# %% predict="17.fewer"


# %% tags=["S22", "E23"]
for name, attend in (("plain", plain), ("in blocks", attention_in_blocks)):
    counted = [multiplications(partial(attend, *drawn(n))) for n in (512, 4096)]
    print(f"{name:9} {counted[0]:,} for 512 tokens, {counted[1]:,} for 4096")
reveal("17.fewer")


# %% [markdown] seconds=5
# What about memory and time? (This takes about {seconds} seconds.)


# %% tags=["S22", "E23"]
def torchs_own(q, k, v):
    return F.scaled_dot_product_attention(*(x[None, None] for x in (q, k, v)))


def slope(values):
    """The slope of a line through the logarithms."""
    return np.polyfit(np.log(lengths), np.log(values), 1)[0]


megabytes, milliseconds = {}, {}
for name, attend in {
    "plain": plain,
    "in blocks": attention_in_blocks,
    "torch's": torchs_own,
}.items():
    runs = [partial(attend, *drawn(n)) for n in lengths]
    megabytes[name] = np.array([memory(run).working / 1e6 for run in runs])
    times = np.array([1e3 * seconds(run) for run in runs])
    milliseconds[f"{name}: slope {slope(times):.1f}"] = times
left, right = figures.panels(2, 5.0, 4.0)
figures.curves(lengths, megabytes, "Working memory", "tokens", "MB", log="xy", ax=left)
ax = figures.curves(lengths, milliseconds, "Time", "tokens", "ms", log="xy", ax=right)

# %% [markdown]
# <!-- picture -->
# one head of width 64, for texts of four lengths. On both axes, equal steps mean equal factors, so a cost that is
# proportional to $n^p$ is a straight line, and $p$ is its **slope**.
# <!-- left -->
# plain attention climbs by a factor of 4 with each doubling. The line for attention in blocks is flat. torch's own attention
# works in blocks too, and its memory levels off.
# <!-- right -->
# processor time climbs for all three, with a slope of about 2 (for plain attention, often more).
# <!-- end -->
#
# So the two costs can be separated. **The work of attention grows with n², even in blocks. The n × n score matrix need never
# exist.**

# %% [markdown]
# ## The key-value cache
#
# A decoder generates one token after another (lesson 16). Does it have to process all tokens again at every step? Take one
# head with a causal mask. The new token needs its own query, and the keys and values of all tokens so far. But the keys and
# values of the earlier tokens have already been computed, so we keep them. This is a **key-value cache**:

# %%
ax = figures.schematic("cache")

# %% [markdown]
# <!-- picture -->
# three steps of generation. Queries, keys and values in strong colours are computed in this step; pale keys and values come
# from earlier steps. Each step computes only one query, one key, one value and one row of weights (whose shades show how large
# the weights are).

# %% tags=["S22"]
x, W_Q, W_K, W_V = torch.randn(4, 6, 6, generator=torch.Generator().manual_seed(0))
at_once = scaled_dot_product_attention(x @ W_Q, x @ W_K, x @ W_V, causal_mask(6))[0]

K, V, differences = torch.empty(0, 6), torch.empty(0, 6), []
for t in range(6):
    new = x[t : t + 1]
    K, V = torch.cat([K, new @ W_K]), torch.cat([V, new @ W_V])
    output, _ = scaled_dot_product_attention(new @ W_Q, K, V)
    differences.append((output[0] - at_once[t]).abs().max().item())
print(
    f"largest difference: {max(differences):.4f}; the cache: K {tuple(K.shape)}, V {tuple(V.shape)}"
)

# %% [markdown]
# No mask is needed here, because later tokens do not exist yet. But the keys of a second layer are computed from the output of
# the first. We may keep them only if the vectors of earlier tokens never change when a new one arrives. So we let a stack of
# two layers read six tokens, and then the same six and a seventh. How much do the first six vectors change?

# %% tags=["S22"]
torch.manual_seed(0)
# the library's stack of layers; the mask decides whether it works like an encoder or like a decoder
stack = Encoder(StackConfig(d_model=8, num_heads=2, num_layers=2, d_ff=16, dropout=0.0))
seven = torch.randn(1, 7, 8)
for name, mask in (("causal", causal_mask(7)), ("no mask", torch.ones(7, 7, dtype=torch.bool))):
    change = (stack(seven, mask)[:, :6] - stack(seven[:, :6], mask[:6, :6])).abs().max().item()
    print(f"{name}: {change:.2f}")

# %% [markdown]
# So the cache works because of the causal mask; without one, as in an encoder, self-attention cannot use a cache. (In
# cross-attention, keys and values come from the finished source. They never change, so they are computed only once.)
#
# Now let `gpt-pre`, the GPT for names from lesson 16 (6 layers, width 128), read one of the longest names in Unicode, without
# a cache and with one.


# %% tags=["S22"]
def read(tokens, caches=None):
    logits = []
    for t in range(1, tokens.shape[1] + 1):
        # The cache has counted the tokens before, and so knows the position of a single one.
        given = tokens[:, t - 1 : t] if caches else tokens[:, :t]
        logits.append(model(given, caches)[:, -1])
    return torch.stack(logits, dim=1)


model, vocabularies = models.load("gpt-pre")
name = "ARABIC LIGATURE UIGHUR KIRGHIZ YEH WITH HAMZA ABOVE WITH ALEF MAKSURA ISOLATED FORM"
vocabulary = vocabularies["text"]
text = torch.tensor([[vocabulary.begin, *vocabulary.encode(name)]])
n = text.shape[1]
with torch.no_grad():
    with_cache = read(text, model.caches(n))  # one empty cache per layer, with room for n tokens
    difference = (with_cache - read(text)).abs().max()
print(f"{n} tokens; largest difference between their logits: {difference:.2f}")

# %% predict="17.cache"


# %% tags=["S22"]
caches, cached, uncached = model.caches(n), [], []
for t in range(1, n + 1):
    cached.append(multiplications(partial(model, text[:, t - 1 : t], caches)))
    uncached.append(multiplications(partial(model, text[:, :t])))
for t in (1, 2, n):
    print(f"token {t:2}: {uncached[t - 1]:11,} without a cache, {cached[t - 1]:9,} with one")
print(f"all {n}:   {sum(uncached) / sum(cached):.0f} times fewer")
reveal("17.cache")

# %% tags=["S22"]
lines = {"without a cache": np.array(uncached) / 1e6, "with a cache": np.array(cached) / 1e6}
title, ylabel = "What each token costs", "million multiplications"
ax = figures.curves(np.arange(n) + 1, lines, title, "token", ylabel)

# %% [markdown]
# <!-- picture -->
# the multiplications for each token. With the cache, the last token costs a tenth more than the first.
# Without it, the cost grows a little faster than the number of tokens. The total cost is the area under each line.
# <!-- end -->
#
# The price is memory. For each token, every layer keeps a key and a value, each with $d_\text{model}$ numbers across all
# heads:

# %% tags=["S22"]
size = sum(array.nbytes for cache in caches for array in cache.contents())
print(f"the caches hold {size:,} bytes;  2 · 6 layers · {n} · 128 · 4 = {2 * 6 * n * 128 * 4:,}")

# %% [markdown]
# So a cache has $2 \cdot \text{layers} \cdot n \cdot d_\text{model}$ numbers. At GPT-3's size, 100,000 tokens need a cache of
# 472 GB, more than the model's own 348 GB. Mistral 7B ({jiang2023}) shares keys and values and forgets distant ones, so it
# needs 0.5 GB instead of 52.4 (see "Deeper").

# %% [markdown]
# ## Before you go {#exit}

# %% ask="17.exit"


# %% [markdown]
# <!-- answer -->
# **What must grow when the text grows?** In every version that we have tried, the multiplications of exact attention grow with
# n². The memory for scores need not grow at all. So a book still takes ten billion scores per head, but never all of them at
# once. When a model generates, its cache grows with n; without a cache, it would
# have to process all tokens again at every step.

# %% [markdown]
# To take away:
#
# <!-- takeaway -->
# * Scores and weighted sums together cost $2n^2d$ multiplications per layer, the projections $4nd^2$, and the feed-forward
#   network $8nd^2$.
# * The online softmax keeps the largest score so far, a sum and a weighted sum, and rescales both sums when the largest
#   score grows.
# * A cache saves work, but has to keep $2 \cdot \text{layers} \cdot n \cdot d_\text{model}$ numbers in memory. For
#   self-attention, it needs a causal mask.
# <!-- end -->
#
# In [stage B7](../exercises/B7_writing.ipynb) of the Build you write a cache, and measure what it saves. The model of [stage
# B8](../exercises/B8_real_text.ipynb) generates without one.
#
# To read next:
#
# <!-- readings -->
# * {milakov2018}: the running maximum and the running sum.
# * {rabe2021}: exact attention without the score matrix.
# * {dao2022}: FlashAttention, exact and fast on graphics processors.

# %% [markdown]
# ## Deeper {#deeper}
#
# You can read each of these parts on its own. Only stage B9 of the Build needs one of them, the last.
#
# ### When does the score matrix cost most?
#
# Compare the multiplications for scores and weighted sums (*score matrix* for short) with those in the feed-forward network
# of the same layer, at width 64.

# %% predict="17.crossing"


# %% tags=["S22"]
network = FeedForward(64, 4 * 64)
for length in (64, 128, 256, 512, 1024):
    x = torch.ones(length, 64)
    matrix = multiplications(partial(scaled_dot_product_attention, x, x, x))
    ffn = multiplications(partial(network, x))
    print(f"{length:4} tokens: score matrix {matrix:11,}  network {ffn:10,}")
reveal("17.crossing")

# %% [markdown]
# The formulas say so directly: $2n^2d = 8nd^2$ when $n = 4d$. So "attention is quadratic" is a statement about *long* texts,
# and how long they must be depends on the width. GPT-3 has width 12,288 and reads 2,048 tokens ({brown2020}, section 2.1).
# In every second layer, tokens attend only to nearby ones. We count the work of one of the other layers, with its whole
# score matrix, masked pairs included. The rest of a layer is the projections and the network, $12 n d^2$ together, so the
# score matrix takes half the work when $n = 6d$:

# %% tags=["S22"]
tokens, d = 2048, 12288
matrix, rest = 2 * tokens**2 * d, (4 + 8) * tokens * d**2
print(f"the score matrix takes {matrix / (matrix + rest):.1%} of a layer's multiplications")
print(f"it takes half of them at {6 * d:,} tokens")

# %% [markdown]
# ### Fewer multiplications, but how much less time?
#
# By our count, the cache reduces the work by a factor of 43. Now we measure processor time for one name, and for sixteen
# copies of it side by side.

# %% tags=["S22", "nbval-ignore-output"]
for copies in (1, 16):
    batch = text.repeat(copies, 1)
    uncached_time = seconds(partial(read, batch), rounds=1)
    cached_time = seconds(lambda batch=batch: read(batch, model.caches(n)), rounds=1)
    print(f"{copies:2} names: {uncached_time / cached_time:.1f} times less time with the cache")

# %% [markdown]
# The times depend on the machine; we measured factors of 2 to 3 for one name and 8 to 10 for sixteen. With a batch of one, the
# products are so small that starting them takes much of the time. On graphics processors something else often limits the
# speed: each step has to fetch all parameters and the whole cache from memory.
#
# ### What current models have changed
#
# Computing in blocks has removed the score matrix. What remains is the cache. At GPT-3's size, with 96 layers of width 12,288
# and 2 bytes per number, the cache of *one* text of 100,000 tokens would be larger than the model. (A layer has $12 d^2$
# parameters: $4 d^2$ in the projections, $8 d^2$ in the network.)

# %% tags=["S22", "E23"]
long, width, layers, bytes_each = 100_000, 12288, 96, 2
for name, numbers in (
    ("one score matrix of one head", long**2),
    ("a block of 256 by 256 scores", 256**2),
    ("the parameters, 12 d² per layer", 12 * layers * width**2),
    ("the cache of one text", 2 * layers * long * width),
):
    print(f"{name:32} {numbers * bytes_each / 1e9:8.4f} GB")

# %%
ax = figures.schematic("shared_keys")

# %% [markdown]
# <!-- picture -->
# four heads and one token. In the original Transformer, each head has its own key and value. In **grouped-query attention**,
# the heads of a group share one key and one value ({ainslie2023}); in **multi-query attention**, all heads do ({shazeer2019}).
# On the right is a **sliding window**: each query attends only to the last few tokens, so older keys and values can be
# dropped.
# <!-- end -->
#
# Mistral 7B ({jiang2023}) has 32 layers, each with 32 heads of width 128, which share 8 keys and values per token. Its window
# is 4,096 tokens. Here is the size of its cache for 100,000 tokens, and what the size would be with other choices:

# %% tags=["S22"]
layers, heads, width, bytes_each = 32, 32, 128, 2
for name, shared, kept in (
    ("one key per head (32), all tokens", heads, long),
    ("8 shared keys, all tokens", 8, long),
    ("1 shared key, all tokens", 1, long),
    ("8 shared keys, window of 4,096", 8, 4096),
):
    print(f"{name:34} {2 * layers * kept * shared * width * bytes_each / 1e9:5.1f} GB")

# %% [markdown]
# Sharing changes the function that the model computes, so a model has to be trained (or trained further) with it. The same is
# true of the window. One layer then no longer sees far back, but through 32 layers, information can still travel from window
# to window. What these changes cost in quality has to be measured for each task. Computing in blocks and keeping a cache, in
# contrast, do not change the output.
