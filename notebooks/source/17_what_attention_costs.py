# %% [markdown]
# # 17 · What attention costs: what must grow when the text grows?
#
# Attention looks at every pair of tokens, and a long text has very many pairs. Note 1 counts two things among the drawbacks:
# the work grows with n², and the memory for long inputs grows sharply. You count the multiplications, measure the memory, find
# out which of the two can be avoided, and then make writing cheaper by not doing anything twice.
#
# About 35 minutes. Afterwards you can
#
# * say how many multiplications each part of a layer makes, and from which length on the table of scores costs most;
# * work out a softmax in two pieces, by hand, without ever seeing the whole row;
# * say what a cache of keys and values saves, and how large it is for a model of any size.

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

# %% [markdown]
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %%
ask("17.recall")

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
# (Several heads change nothing in this count: each is narrower, and there are more of them. What is done number by number, like
# the exponentials, is left out here.)

# %%
predict("17.crossing")

# %% tags=["S22"]
network = FeedForward(64, 4 * 64)
for n in (64, 128, 256, 512, 1024):
    x = torch.ones(n, 64)
    table = multiplications(partial(scaled_dot_product_attention, x, x, x))
    print(f"{n:4} tokens: table {table:11,}  network {multiplications(partial(network, x)):10,}")
reveal("17.crossing")

# %% [markdown]
# The formula says it at once: $2n^2d = 8nd^2$ where $n = 4d$. So "attention is quadratic" is a sentence about *long* texts. How
# long that is depends on the width. GPT-3 is 12,288 wide and reads 2,048 tokens (Brown and others 2020, section 2.1). Every
# other one of its layers looks only near by; we count one that looks at everything, masked pairs too:

# %% tags=["S22"]
n, d = 2048, 12288
table, rest = 2 * n**2 * d, (4 + 8) * n * d**2
share = table / (table + rest)
print(f"the table makes {share:.1%} of a layer's multiplications; half of them at {6 * d:,} tokens")

# %% [markdown]
# ## Then measure
#
# Multiplications take time. Scores also have to be *somewhere*. Take 4,096 tokens and one head of 64 numbers. Queries, keys and
# values are arrays of 4,096 × 64 numbers; with 4 bytes for a number, each takes 1 MB, and so does the output. `memory` follows
# every piece that torch takes and gives back (with torch's own profiler): `kept` is what is left at the end, `working` the most
# that there was beside it.

# %%
predict("17.memory")


# %% tags=["S22"]
def drawn(n, seed=0):
    return torch.randn(3, n, 64, generator=torch.Generator().manual_seed(seed))


def plain(q, k, v):
    return scaled_dot_product_attention(q, k, v)[0]


taken = memory(partial(plain, *drawn(4096)))
print(f"kept, the output: {taken.kept / 1e6:.0f} MB;  beside it: {taken.working / 1e6:.0f} MB")
reveal("17.memory")

# %% [markdown]
# Three tables of 67 MB: scores, exponentials, weights. How does that grow with the length?

# %% tags=["S22", "E23"]
lengths = [512, 1024, 2048, 4096]
held = [memory(partial(plain, *drawn(n))).working for n in lengths]
print(
    "times as much at each doubling:",
    *(f"{longer / shorter:.1f}" for shorter, longer in pairwise(held)),
)

# %% [markdown]
# Twice the text, four times the memory: so far, note 1 is right. At 100,000 tokens one table would take 40 GB (with 4 bytes for
# a number), and each head has its own. Note 1 leaves it there.
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

# %%
predict("17.rescale")

# %% tags=["S22"]
for name, by_sum, by_mixture in (("both", 0.5, 0.5), ("neither", 1, 1), ("the sum", 0.5, 1)):
    total, mixture = by_sum * 1.25 + 17 / 16, by_mixture * 9 + 3
    print(f"{name:8} halved: sum {total:.4f}, mixture {mixture:5.2f}, output {mixture / total:.4f}")
reveal("17.rescale")

# %% [markdown]
# 1.25 and 9 were measured with 3 ln 2 subtracted. To be added to what was measured with 4 ln 2 subtracted, both need
# the factor $e^{3 \ln 2 - 4 \ln 2} = 1/2$. In general, with $m$ for the largest score so far, $\ell$ for the sum, and a bar for
# what the new piece alone brings, measured with the new $m'$:
#
# $$m' = \max(m, \text{new scores}), \qquad \ell' = e^{m - m'} \ell + \bar\ell, \qquad \text{mixture}' = e^{m - m'} \text{mixture} +
# \overline{\text{mixture}}$$
#
# Before the first piece, $m = -\infty$ and $\ell$ and the mixture are 0; at the end, divide the mixture by $\ell$. This is the
# **online softmax** ($m$ and $\ell$: Milakov and Gimelshein 2018; with the mixture: Rabe and Staats 2021). It is like a mean
# that is kept up to date by a sum and a count, without a list of all numbers. (There the comparison ends: a sum never has to be
# converted. Ours is kept in a currency that is devalued whenever a larger score comes along.)

# %% tags=["S22"]
full, moment = np.ones((12, 12)), np.zeros((12, 12))
moment[:4], moment[4:8, :4], moment[4:8, 4:8] = 0.3, 0.3, 1  # gone, gone, here
left, right = figures.panels(2, 4.2, 4.2)
numbers = [str(i + 1) for i in range(12)]
for values, title, ax in (
    (full, "Plain: all at once", left),
    (moment, "In blocks: one at a time", right),
):
    figures.heatmap(values, numbers, numbers, title, ax=ax)
    ax.set(xlabel="keys", ylabel="queries")

# %% [markdown]
# **In the picture:** the table of scores of twelve tokens; dark is what exists at one moment, pale what has been and is gone,
# white what is still to come. On the left, all of it exists. On the right, one block of four queries and four keys. It moves
# along the row, and each of its queries carries on what it keeps: two numbers, $m$ and $\ell$, and a mixture of $d_v$ numbers.
# Then come the next four queries.
#
# `attention_in_blocks` does that with blocks of 256 × 256. (You will write its heart yourself, on the sheet.) First: is it the
# same? We try three seeds, and then scores a hundred times as large, which give no number unless each row's largest is
# subtracted (lesson 02):

# %% tags=["S22"]
for factor in (1, 100):
    heads = [(factor * q, k, v) for q, k, v in (drawn(1000, seed) for seed in range(3))]
    apart = max((attention_in_blocks(*head) - plain(*head)).abs().max() for head in heads)
    print(f"scores times {factor}: blocks differ from plain by at most {apart:.4f}")

# %% [markdown]
# The blocks are no approximation.

# %%
predict("17.fewer")


# %% tags=["S22", "E23"]
def of_torch(q, k, v):
    return F.scaled_dot_product_attention(*(x[None, None] for x in (q, k, v)))


def cost(way, n):
    run = partial(way, *drawn(n))
    return memory(run).working, multiplications(run), seconds(run)


ways = {"plain": plain, "in blocks": attention_in_blocks, "torch's own": of_torch}
costs = {name: np.array([cost(way, n) for n in lengths]).T for name, way in ways.items()}
for name, (_, counted, _) in costs.items():
    times = counted[-1] / counted[0]
    print(f"{name:11} {counted[-1]:,.0f} multiplications, {times:.0f} times those of 512 tokens")
reveal("17.fewer")

# %% [markdown]
# And memory and time? What is proportional to $n^p$ is a straight line where equal steps are equal factors, on both axes, and the
# **slope** of that line is $p$. We fit one to the times, with its standard error. (`seconds` is the time that the processor has
# spent on a run, in the quickest of three rounds; what it spends on other programs does not count.)


# %% tags=["S22", "E23"]
def slope(values):
    (p, _), spread = np.polyfit(np.log(lengths), np.log(values), 1, cov=True)
    return p, math.sqrt(spread[0, 0])


megabytes, milliseconds, slopes = {}, {}, []
for name, (held, _, times) in costs.items():
    megabytes[f"{name}: {held[-1] / 1e6:.1f} MB at {lengths[-1]:,}"] = held / 1e6
    p, error = slope(times)
    milliseconds[f"{name}: slope {p:.2f} ± {error:.2f}"] = 1e3 * times
    slopes.append(p)
left, right = figures.panels(2, 5.0, 4.0)
figures.curves(lengths, megabytes, "Memory", "tokens", "MB", log="xy", ax=left)
figures.curves(lengths, milliseconds, "Processor time", "tokens", "ms", log="xy", ax=right)
assert slopes[0] > 1.5
assert all(1.5 < p < 2.5 for p in slopes[1:])  # a clock is no counter: the band is wide

# %% [markdown]
# **In the picture:** one head of 64 numbers, over the length of the text. On the left the memory beside the output. Plain
# attention climbs to four times as much with each doubling. Attention in blocks is one flat line. torch's own attention, which
# the library calls, works in blocks too, and levels off. On the right the time: all three climb, and none is flat. Blocks and
# torch's own climb with a slope of about 2. Plain attention climbs at least as steeply, mostly more: what it spends beyond the
# others is not spent on multiplications, for it makes just as many.
#
# So work and memory part. **That the work grows with n² is so in blocks too**: no product was saved, and the time grows with
# it. That memory grows with n² is true of one way to compute attention, and not of attention: **the table need never exist.**
# (Rabe and Staats showed it in 2021; FlashAttention, Dao and others 2022, made it the usual way. On graphics processors it is
# also quicker, though it multiplies no less: what it saves is the carrying of tables to and fro.)
#
# ## Writing: do nothing twice
#
# A decoder writes one token after another (lesson 16). Must it read all it has, each time anew? Take one head with a causal
# mask and random matrices, and a text of six tokens, first all at once and then token by token. The new token needs its own
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
# in a stack of two layers, and look whether the vectors of the first six change:

# %% tags=["S22"]
torch.manual_seed(0)
stack = Encoder(StackConfig(d_model=8, num_heads=2, num_layers=2, d_ff=16, dropout=0.0))
seven = torch.randn(1, 7, 8)
for name, mask in (("causal", causal_mask(7)), ("no mask", torch.ones(7, 7, dtype=torch.bool))):
    change = (stack(seven, mask)[:, :6] - stack(seven[:, :6], mask[:6, :6])).abs().max().item()
    print(f"{name}: the old vectors change: {change > 1e-5}")

# %% [markdown]
# So the cache is a gift of the causal mask; an encoder has none. (Where a decoder looks at an encoder, those keys and values
# never change, and are computed once.)
#
# Now the whole thing. `gpt-pre`, a GPT of six layers, 128 wide, that the course ships, reads one of the longest names in Unicode,
# token after token: once with caches, and once as if each time were the first, with all tokens so far going in. First: does it
# say the same?


# %% tags=["S22"]
def read(texts, caches=None):
    logits = []
    for t in range(1, texts.shape[1] + 1):
        given = texts[:, t - 1 : t] if caches else texts[:, :t]
        logits.append(model(given, caches)[:, -1])
    return torch.stack(logits, dim=1)


model, vocabularies = models.load("gpt-pre")
letters = "ARABIC LIGATURE UIGHUR KIRGHIZ YEH WITH HAMZA ABOVE WITH ALEF MAKSURA ISOLATED FORM"
vocabulary = vocabularies["text"]
text = torch.tensor([[vocabulary.begin, *vocabulary.encode(letters)]])
tokens = text.shape[1]
with torch.no_grad():
    torch.testing.assert_close(read(text, model.caches(tokens)), read(text), rtol=1e-3, atol=1e-3)
print(f"the same logits at each of the {tokens} tokens, but for rounding")

# %%
predict("17.cache")

# %% tags=["S22"]
caches, kept, anew = model.caches(tokens), [], []
for t in range(1, tokens + 1):
    kept.append(multiplications(partial(model, text[:, t - 1 : t], caches)))
    anew.append(multiplications(partial(model, text[:, :t])))
for t in (1, 2, tokens):
    fewer = anew[t - 1] / kept[t - 1]
    print(
        f"token {t:2}: {anew[t - 1]:11,} anew, {kept[t - 1]:9,} with the cache, {fewer:2.0f} times"
    )
print(f"all {tokens}:   {sum(anew) / sum(kept):.0f} times fewer")
reveal("17.cache")

# %% tags=["S22"]
lines = {"anew": np.array(anew) / 1e6, "with the cache": np.array(kept) / 1e6}
_ = figures.curves(
    np.arange(tokens) + 1, lines, "What each token costs", "token", "million multiplications"
)

# %% [markdown]
# **In the picture:** the same model and the same text, and what each token costs. Both lines begin together. With the cache the
# last token costs hardly more than the first (11% more: its row of scores and its mixture are longer). Without it, the cost
# grows a little faster than the text (93 times for 84 tokens). What all tokens cost together is the area under a line: a strip
# and a triangle.
#
# Fewer multiplications are not yet less time. We take the processor's time, for one text, and for sixteen side by side:

# %% tags=["S22"]
gains = []
for copies in (1, 16):
    texts = text.repeat(copies, 1)
    took_anew = seconds(partial(read, texts), rounds=1)
    took_kept = seconds(lambda texts=texts: read(texts, model.caches(tokens)), rounds=1)
    gains.append(took_anew / took_kept)
print("one text takes less time with the cache:", gains[0] > 1.2)
print("sixteen gain over 1.5 times as much:", gains[1] > 1.5 * gains[0])

# %% [markdown]
# The count says 43 for each of them. The clock said about 2 or 3 for one text, when we tried, and about 8 for sixteen. With
# one row at a time the products are so small that much of the time goes into starting them; with sixteen rows less of it.
#
# And what is kept must be somewhere:

# %% tags=["S22"]
held = sum(array.nbytes for cache in caches for array in cache.contents())
print(f"the caches hold {held:,} bytes;  2 · 6 · {tokens} · 128 · 4 = {2 * 6 * tokens * 128 * 4:,}")

# %% [markdown]
# A key and a value, for each layer and each token, each of $d_\text{model}$ numbers over all heads: $2 \cdot \text{layers} \cdot n
# \cdot d_\text{model}$ numbers.
#
# ## A hundred thousand tokens
#
# Put together, for a model of GPT-3's size, 96 layers and 12,288 wide, with 2 bytes for a number:

# %% tags=["S22", "E23"]
long, width, layers, heads, bytes_each = 100_000, 12288, 96, 96, 2
print(f"one table of one head:                 {long**2 * bytes_each / 1e9:7.0f} GB")
print(f"a block of 256 by 256:                 {256**2 * bytes_each / 1e9:7.4f} GB")
print(f"the model's parameters, 12d² a layer:  {12 * layers * width**2 * bytes_each / 1e9:7.0f} GB")
cache = 2 * layers * long * width * bytes_each
print(f"the cache of one text:                 {cache / 1e9:7.0f} GB")
print(f"… with keys and values of one head:    {cache / heads / 1e9:7.1f} GB")

# %% [markdown]
# The blocks have removed the table, and now the cache of *one* text is larger than the model. It grows only with n, but with a
# factor of 2 · layers · width numbers: 4.7 MB for each token. So there are models in which all heads share one key and one value
# (multi-query attention, Shazeer 2019; the last line), or in which a few heads together share one (grouped-query attention).

# %% [markdown]
# ## Before you go

# %%
ask("17.exit")

# %% [markdown]
# **What must grow when the text grows?** In every exact way that we have run, the multiplications of attention grow with n²,
# and who writes keeps a cache that grows with n, or works more in its place; the n × n table need not exist at all.
