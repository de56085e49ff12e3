# %% [markdown]
# # 17 · What attention costs: what must grow when the text grows?
#
# Attention looks at every pair of tokens, and a long text has very many pairs. Note 1 counts this among the drawbacks: time
# and memory for long inputs grow sharply. You count the multiplications, measure the memory, find out which of the two can be
# avoided, and then make writing cheaper by not doing anything twice.
#
# About 30 minutes. Afterwards you can
#
# * say how many multiplications each part of a layer makes, and from which length on attention is the dearest;
# * work out a softmax in two pieces, by hand, without ever seeing the whole row;
# * say what a cache of keys and values saves, and how large it is for a model of any size.

# %% [markdown]
# **Recall** (click an answer to see what it leads to).
#
# *A decoder is given a text of 20 tokens, and then writes 5 more. How many passes is that, one after another?* (lesson 16)
# <details><summary>25, one for each token</summary>The 20 are known, so one pass reads them all.</details>
# <details><summary>5</summary>Yes: one pass reads the 20 and brings the first new token, and four more bring the others.</details>
# <details><summary>1</summary>For reading one would do. But what it writes it has to read before it can go on.</details>

# %% [markdown]
# *To all scores of a row, 7 is added. What becomes of the weights?* (lessons 02 and 14)
# <details><summary>They stay the same</summary>Yes: each exponential is multiplied by e⁷, and so is their sum. Today this is
# the key to everything.</details>
# <details><summary>They are multiplied by e⁷</summary>So are the exponentials. But then they are divided by their sum.</details>
# <details><summary>They come nearer to each other</summary>That happens when scores are *divided*.</details>

# %% [markdown]
# *A feed-forward network of width d has 4d hidden numbers. How many weights do its two matrices hold?* (lesson 09)
# <details><summary>4d²</summary>That is one of the two.</details>
# <details><summary>8d²</summary>Yes: d × 4d, and 4d × d.</details>
# <details><summary>16d²</summary>The matrix from hidden to hidden numbers would have so many. There is none.</details>

# %%
import math
from functools import partial

import numpy as np
import torch
from torch.nn import functional as F

from transformer_course import figures, models
from transformer_course.attention import scaled_dot_product_attention
from transformer_course.config import StackConfig
from transformer_course.exercises import reply
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

# %% [markdown]
# ## Count first
#
# A product of a matrix n × d with a matrix d × m has n · m numbers, and each of them is a dot product of d multiplications. So
# it makes n · d · m multiplications. (And about as many additions; we leave those out, here and below.) torch can count
# while it works:

# %% tags=["S22"]
left, right = torch.ones(3, 2), torch.ones(2, 5)
print(multiplications(lambda: left @ right), "multiplications;  3 · 2 · 5 =", 3 * 2 * 5)

# %% [markdown]
# A layer of width d reads n tokens. Its matrices are multiplied with n vectors each; the scores and the mixtures are products
# of n vectors with n others:
#
# | part | products | multiplications |
# | --- | --- | --- |
# | projections | n × d with d × d, four times (W_Q, W_K, W_V, W_O) | 4nd² |
# | **the table** | scores: n × d with d × n; mixtures: n × n with n × d | 2n²d |
# | feed-forward network | n × d with d × 4d, n × 4d with 4d × d | 8nd² |
#
# (Several heads change nothing: each is narrower, and there are more of them.)
#
# **Predict.** A layer is 64 wide. From which length on does the table cost more than the feed-forward network?
#
# * `"a"`: from about 64 tokens on
# * `"b"`: from about 256 tokens on
# * `"c"`: at no length: the network has far more weights, and each token passes through all of them

# %%
guess = ...

# %% tags=["S22"]
network = FeedForward(64, 4 * 64)
for n in (64, 128, 256, 512, 1024):
    x = torch.ones(n, 64)
    table = multiplications(partial(scaled_dot_product_attention, x, x, x))
    print(f"{n:4} tokens: table {table:11,}  network {multiplications(partial(network, x)):10,}")

# %%
reply("17.crossing", guess)

# %% [markdown]
# The formula says it at once: $2n^2d = 8nd^2$ where $n = 4d$. So "attention is quadratic" is a sentence about *long* texts. How
# long that is depends on the width. GPT-3 is 12,288 wide and reads 2,048 tokens (Brown and others 2020, table 2.1):

# %% tags=["S22"]
n, d = 2048, 12288
table, rest = 2 * n**2 * d, (4 + 8) * n * d**2
print(f"the table is {table / (table + rest):.1%} of a layer; half of it at {6 * d:,} tokens")

# %% [markdown]
# ## Then measure
#
# Multiplications take time. Scores also have to be *somewhere*. Take 4,096 tokens and one head of 64 numbers. Queries, keys and
# values are arrays of 4,096 × 64 numbers; with 4 bytes for a number, each takes 1 MB, and so does the output.
#
# **Predict.** We compute attention as in all lessons so far: scores, exponentials, weights, mixtures. Beside queries,
# keys, values and output, how much memory does it take at its worst moment?
#
# * `"a"`: about 1 MB: the weights of one query are used, and can go
# * `"b"`: about 67 MB: 4,096 × 4,096 numbers
# * `"c"`: about 200 MB

# %%
guess = ...


# %% tags=["S22"]
def drawn(n, seed=0):
    return torch.randn(3, n, 64, generator=torch.Generator().manual_seed(seed))


def plain(q, k, v):
    return scaled_dot_product_attention(q, k, v)[0]


taken = memory(partial(plain, *drawn(4096)))
print(f"kept, the output: {taken.kept / 1e6:.0f} MB;  beside it: {taken.working / 1e6:.0f} MB")

# %%
reply("17.memory", guess)

# %% [markdown]
# (`memory` follows each piece that torch takes and gives back, with torch's own profiler.) How does it grow? If it is
# proportional to $n^p$, then its logarithm is a straight line over the logarithm of $n$, and the **slope** of that line is $p$.
# We fit one, with its standard error:


# %% tags=["S22", "E23"]
def slope(lengths, values):
    (p, _), spread = np.polyfit(np.log(lengths), np.log(values), 1, cov=True)
    return p, math.sqrt(spread[0, 0])


lengths = [512, 1024, 2048, 4096]
p, error = slope(lengths, [memory(partial(plain, *drawn(n))).working for n in lengths])
print(f"slope of the memory {p:.1f}, standard error below 0.02: {error < 0.02}")

# %% [markdown]
# Twice the text, four times the memory: so far, note 1 is right. At 100,000 tokens one table would take 40 GB, and each head
# has its own. Note 1 says that this *must* be so.
#
# ## Must the table be there?
#
# It seems so. Softmax divides by a sum over the *whole* row, and before that it subtracts the row's largest score. Whoever has
# not seen the last score knows neither of the two. And yet the table need not be there. Here is one query with four keys.
# Its scores are multiples of ln 2, so that the exponentials are powers of 2; the values are single numbers.

# %% tags=["S22"]
scores, values = np.array([1, 3, 4, 0]) * math.log(2), np.array([4, 8, 2, 16])
exponentials = np.exp(scores)
print(exponentials.round(4), "sum", exponentials.sum().round(4))
print("output", (exponentials @ values / exponentials.sum()).round(4))

# %% [markdown]
# Now in two pieces of two keys, and the second piece comes only after the first has gone. Of the first, we keep three
# numbers:
#
# | | largest score | sum of the exponentials | mixture, not yet divided |
# | --- | --- | --- | --- |
# | scores 1, 3; values 4, 8 | 3 ln 2 | 2⁻² + 2⁰ = 1.25 | ¼ · 4 + 1 · 8 = 9 |
#
# (The exponentials are those of score minus largest.) Then the second piece arrives, with scores 4 and 0, and now 4 is the
# largest. With it subtracted, the new exponentials are 1 and 2⁻⁴ = 1/16. They bring 17/16 to the sum, and 1 · 2 + 1/16 · 16 =
# 3 to the mixture.
#
# **Predict.** What has to be done with the 1.25 and the 9 before these are added?
#
# * `"a"`: both are halved
# * `"b"`: nothing: they belong to the first two keys, which have not changed
# * `"c"`: the 1.25 is halved; the 9 is a mixture of values, and values know nothing of a largest score

# %%
guess = ...

# %% tags=["S22"]
for name, by_sum, by_mixture in (("both", 0.5, 0.5), ("neither", 1, 1), ("the sum", 0.5, 1)):
    total, mixture = by_sum * 1.25 + 17 / 16, by_mixture * 9 + 3
    print(f"{name:8} halved: sum {total:.4f}, mixture {mixture:5.2f}, output {mixture / total:.4f}")

# %%
reply("17.rescale", guess)

# %% [markdown]
# 1.25 and 9 were measured with 3 ln 2 subtracted. To be added to what was measured with 4 ln 2 subtracted, both need
# the factor $e^{3 \ln 2 - 4 \ln 2} = 1/2$. In general, with $m$ for the largest score so far, $\ell$ for the sum, and a bar for
# what the new piece alone brings, measured with the new $m'$:
#
# $$m' = \max(m, \text{new scores}), \qquad \ell' = e^{m - m'} \ell + \bar\ell, \qquad \text{mixture}' = e^{m - m'} \text{mixture} +
# \overline{\text{mixture}}$$
#
# At the end, divide the mixture by $\ell$. This is the **online softmax** (Milakov and Gimelshein 2018). It is like a mean that is
# kept up to date by a sum and a count, without a list of all numbers. (There the comparison ends: a sum never has to be
# converted. Ours is kept in a currency that is devalued whenever a larger score comes along.)
#
# Nothing here is an approximation. Why, then, subtract the largest at all? Because $e^{1000}$ is no number that a computer has.

# %% tags=["S22"]
full, moment = np.ones((12, 12)), np.zeros((12, 12))
moment[:4], moment[4:8, :4], moment[4:8, 4:8] = 0.15, 0.15, 1  # gone, gone, here
left, right = figures.panels(2, 3.4, 3.4)
for values, title, ax in ((full, "Plain", left), (moment, "In blocks", right)):
    figures.heatmap(values, [""] * 12, [""] * 12, title, ax=ax)
    ax.set(xlabel="keys", ylabel="queries")

# %% [markdown]
# **In the picture:** the table of scores of twelve tokens; dark is what exists at one moment, pale what has been and is gone.
# On the left, all of it exists. On the right, one block of four queries and four keys. It moves along the row, and each of its
# queries carries on what it keeps: two numbers, $m$ and $\ell$, and a mixture of $d_v$ numbers. Then come the next four queries.
#
# `attention_in_blocks` does that with blocks of 256 × 256. (You will write its heart yourself, on the sheet.) First: is it
# the same? With three seeds, with blocks of other sizes, and with scores a hundred times as large:

# %% tags=["S22"]
for seed in range(3):
    q, k, v = drawn(1000, seed)
    for size, factor in ((256, 1), (7, 1), (256, 100)):
        blocks = attention_in_blocks(factor * q, k, v, size)
        torch.testing.assert_close(blocks, plain(factor * q, k, v), rtol=1e-4, atol=1e-4)
print("The same outputs, but for rounding.")

# %% [markdown]
# **Predict.** 4,096 tokens again. Compared with plain attention, how many multiplications does it make in its matrix products?
#
# * `"a"`: fewer: each block has a fixed size, so it all grows with n, no longer with n²
# * `"b"`: more: the saved memory is paid for, since scores are computed anew in each block
# * `"c"`: exactly as many

# %%
guess = ...


# %% tags=["S22", "E23"]
def of_torch(q, k, v):
    return F.scaled_dot_product_attention(*(x[None, None] for x in (q, k, v)))


def cost(way, n):
    run = partial(way, *drawn(n))
    return memory(run).working, multiplications(run), seconds(run, rounds=8192 // n)


ways = {"plain": plain, "in blocks": attention_in_blocks, "torch's own": of_torch}
costs = {name: np.array([cost(way, n) for n in lengths]).T for name, way in ways.items()}
for name in ("plain", "in blocks"):
    counted = costs[name][1]
    print(f"{name:9} {counted[-1]:,.0f} multiplications, slope {slope(lengths, counted)[0]:.1f}")

# %%
reply("17.fewer", guess)

# %% tags=["S22", "E23"]
left, right = figures.panels(2, 5.0, 4.0)
megabytes = {name: bytes_ / 1e6 for name, (bytes_, _, _) in costs.items()}
figures.curves(lengths, megabytes, "Memory", "tokens", "MB", log="xy", ax=left)
milliseconds = {name: 1e3 * times for name, (_, _, times) in costs.items()}
_ = figures.curves(lengths, milliseconds, "Time", "tokens", "ms", log="xy", ax=right)

# %% [markdown]
# **In the picture:** one head of 64 numbers, over the length of the text; on both axes equal steps are equal factors. On the
# left the memory beside the output. Plain attention climbs to four times as much with each doubling: slope 2. Attention in
# blocks is one flat line. torch's own attention, which the library calls, works in blocks too, and levels off. On the right
# the time: all three climb, and none is flat. (A clock is no counter: what else the machine does shows too. And plain
# attention often climbs even more steeply than its multiplications, since it has ever larger tables to carry to and fro.)

# %% tags=["S22", "E23"]
held = {name: bytes_ for name, (bytes_, _, _) in costs.items()}
print("blocks: the same memory at each length:", len(set(held["in blocks"])) == 1)
for name in ("in blocks", "torch's own"):
    print(f"plain holds over 50 times as much as {name}:", held["plain"][-1] > 50 * held[name][-1])
slow = [times[-1] > 16 * times[0] for _, _, times in costs.values()]
print("eight times the text, over 16 times the time, for all three:", all(slow))

# %% [markdown]
# So note 1's sentence has two halves. **That the work grows with n² is so in blocks too**: no product was saved, and the clock
# agrees. That memory grows with n² is true of one way to compute attention, and not of attention: **the table need never
# exist.** (That this can be done
# was shown in 2021 by Rabe and Staats; FlashAttention, Dao and others 2022, made it the usual way. On graphics processors it is
# also quicker, though it multiplies no less: what it saves is the carrying.)
#
# ## Writing: do nothing twice
#
# A decoder writes one token after another (lesson 16). Must it read all it has, each time anew? Take one head with a causal
# mask and random weights, and a text of six tokens, first all at once and then token by token. The new token needs its own
# query, which looks at all keys and mixes all values. Of the earlier tokens it needs keys and values, and these have been
# computed before. So they are kept:

# %% tags=["S22"]
x, W_Q, W_K, W_V = torch.randn(4, 6, 6, generator=torch.Generator().manual_seed(0))
at_once = scaled_dot_product_attention(x @ W_Q, x @ W_K, x @ W_V, causal_mask(6))[0]

K, V = torch.empty(0, 6), torch.empty(0, 6)  # the cache: nothing yet
for t in range(6):
    new = x[t : t + 1]
    K, V = torch.cat([K, new @ W_K]), torch.cat([V, new @ W_V])
    output, _ = scaled_dot_product_attention(new @ W_Q, K, V)
    torch.testing.assert_close(output[0], at_once[t])
print("each token's output is the same; the cache holds", tuple(K.shape), "and", tuple(V.shape))

# %% [markdown]
# No mask was needed: the future is not there yet. But with several layers, the keys of the second are made of what the first
# put out. May those be kept? Only if an old token's vector never changes when a new one comes. We put a seventh token behind six,
# in a stack of two layers, and look whether the first six move:

# %% tags=["S22"]
torch.manual_seed(0)
stack = Encoder(StackConfig(d_model=8, num_heads=2, num_layers=2, d_ff=16, dropout=0.0))
text = torch.randn(1, 7, 8)
for name, mask in (("causal", causal_mask(7)), ("no mask", torch.ones(7, 7, dtype=torch.bool))):
    moved = (stack(text, mask)[:, :6] - stack(text[:, :6], mask[:6, :6])).abs().max().item()
    print(f"{name}: the old vectors move: {moved > 1e-5}")

# %% [markdown]
# So the cache is a gift of the causal mask; an encoder has none. Now the whole thing: `gpt-pre`, a GPT of six layers that the
# course ships, reads one of the longest names in Unicode, 84 tokens with `begin`, one at a time. Once with
# caches. And once as if each time were the first: all tokens so far go in.
#
# **Predict.** At the last token, how many times fewer multiplications does it make with the cache?
#
# * `"a"`: about 2 times: keys and values are kept, but queries, scores and the feed-forward network remain
# * `"b"`: 84 times
# * `"c"`: 84 × 84 times: the table has so many scores

# %%
guess = ...

# %% tags=["S22"]
model, vocabularies = models.load("gpt-pre")
name = "ARABIC LIGATURE UIGHUR KIRGHIZ YEH WITH HAMZA ABOVE WITH ALEF MAKSURA ISOLATED FORM"
vocabulary = vocabularies["text"]
text = torch.tensor([[vocabulary.begin, *vocabulary.encode(name)]])
n = text.shape[1]

caches, kept, anew = model.caches(n), [], []
for t in range(1, n + 1):
    kept.append(multiplications(partial(model, text[:, t - 1 : t], caches)))
    anew.append(multiplications(partial(model, text[:, :t])))
print(
    f"token {n}: {kept[-1]:,} with the cache, {anew[-1]:,} without, {anew[-1] / kept[-1]:.0f} times"
)

# %%
reply("17.cache", guess)

# %% tags=["S22"]
left, right = figures.panels(2, 5.0, 3.8)
for values, title, ax in ((np.array, "One step", left), (np.cumsum, "All steps so far", right)):
    lines = {"anew": values(anew) / 1e6, "with the cache": values(kept) / 1e6}
    figures.curves(np.arange(n) + 1, lines, title, "token", "million multiplications", "xy", ax=ax)

# %% [markdown]
# **In the picture:** the same model and the same text. On the left what each token costs: with the cache, hardly more for the
# last than for the first (only its row of scores grows), and without it in proportion to the length. On the right the
# sum. The two lines part from the first token on.
#
# Fewer multiplications are not yet less time. We take the clock, for eight copies of the text side by side:


# %% tags=["S22"]
def read(texts, caches=None):
    for t in range(1, n + 1):
        logits = model(texts[:, t - 1 : t], caches) if caches else model(texts[:, :t])
    return logits[:, -1]


texts = text.repeat(8, 1)
took_anew = seconds(partial(read, texts), rounds=1)
took_kept = seconds(lambda: read(texts, model.caches(n)), rounds=1)
print(f"multiplications in all: {sum(anew) / sum(kept):.0f} times fewer")
print("seconds: over 2 times fewer:", took_anew > 2 * took_kept)

# %% [markdown]
# It is quicker, about five times here, but by far less than the count says. The products of one token are so small that the way
# to them takes longer than the multiplying. In larger models and longer texts the count weighs more.
#
# And what is kept must be somewhere:

# %% tags=["S22"]
caches = model.caches(n)
with torch.no_grad():
    torch.testing.assert_close(read(text, caches), read(text), rtol=1e-3, atol=1e-3)
held = sum(kept.nbytes for cache in caches for kept in cache.all())
print(f"the caches hold {held:,} bytes;  2 · 6 · {n} · 128 · 4 = {2 * 6 * n * 128 * 4:,}")

# %% [markdown]
# A key and a value, for each layer and each token, each of $d_\text{model}$ numbers over all heads: $2 \cdot \text{layers} \cdot n
# \cdot d_\text{model}$ numbers. (The library takes the room for all of them at once: to join two arrays, as we did, copies the
# whole past at each step.)
#
# ## A hundred thousand tokens
#
# Put together, for a model of GPT-3's size, 96 layers and 12,288 wide, with 2 bytes for a number:

# %% tags=["S22", "E23"]
n, d, layers, heads, width = 100_000, 12288, 96, 96, 2
print(f"one table of one head:      {n * n * width / 1e9:7.0f} GB")
print(f"a block of 256 by 256:      {256 * 256 * width / 1e9:7.4f} GB")
print(f"the cache of one text:      {2 * layers * n * d * width / 1e9:7.0f} GB")
print(f"… with keys of one head:    {2 * layers * n * d // heads * width / 1e9:7.1f} GB")
print(f"the table's share of the multiplications: {n / (n + 6 * d):.0%}")

# %% [markdown]
# The blocks have removed the table, and now the *cache* is what does not fit. It grows only with n, but with a large factor:
# 4.7 MB for each token. So there are models in which all heads share one key and one value (multi-query attention, Shazeer 2019;
# the fourth line), or a few do.

# %% [markdown]
# ## Before you go
#
# *Somebody says: "With FlashAttention, attention is linear." What is right about it?*
# <details><summary>Its time</summary>It makes as many multiplications as plain attention: n² d for the scores, and again for the
# mixtures.</details>
# <details><summary>Its memory</summary>Yes: beside a few blocks it needs what goes in and what comes out, and these grow with
# n.</details>
# <details><summary>Both, if it only looks at nearby tokens</summary>Then it would be another function. Blocks give exactly the
# same output.</details>

# %% [markdown]
# *After the first block: largest score 2, sum 3. The second block has the one score 5. What is the sum now?*
# <details><summary>4</summary>The 3 was measured with 2 subtracted, the 1 with 5. First convert.</details>
# <details><summary>3 e⁻³ + 1</summary>Yes: a factor $e^{2 - 5}$ for the old sum, and the new largest brings $e^0 = 1$.</details>
# <details><summary>3 e³ + 1</summary>The largest has risen, so the old exponentials become smaller in proportion.</details>

# %% [markdown]
# **What must grow when the text grows?** The multiplications of attention, with n²; for writing, a cache of keys and values,
# with n. The n × n table of weights need not exist at all.
