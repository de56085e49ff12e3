# %% [markdown] minutes=19 seconds=5
# # 04 · Masks: how do you keep a token from looking where it must not?
#
# GPT-3 (2020) learned from pieces of text 2,048 tokens long, each taken in all at once ({brown2020}): at every token it had to
# predict the next one. But the next token is right there, in the same piece. What keeps the model from reading the answer? A
# mask does. Another mask hides padding: meaningless tokens that are added to short sequences, so that they fit into one array
# with longer ones. What matters is where in the calculation you apply a mask, and how you find out whether it works, because a
# model that cheats looks like a very good one.
#
# About {minutes} minutes, and half as long again for the parts under "Deeper". The first cell takes about {seconds}
# seconds. By the end, you will be able to
#
# * say what a causal mask and a padding mask contain, and which axis is which;
# * apply a mask in the right place, and say why it belongs there;
# * test a mask with a map of every pair of tokens.

# %%
import math

import torch
from torch import nn
from torch.nn import functional as F

from transformer_course import figures
from transformer_course.attention import (
    MultiHeadAttention,
    causal_mask,
    padding_mask,
    scaled_dot_product_attention,
)
from transformer_course.embedding import pad_right
from transformer_course.exercises import ask, predict, reveal
from transformer_course.inspection import perturbation_map

# %%
lit = ("encoder self-attention", "decoder self-attention", "cross-attention")
ax = figures.architecture(*lit, title="Lesson 04: which tokens attention may look at", small=True)

# %% [markdown]
# <!-- picture -->
# the three attention boxes, where a mask may be needed. One kind of mask hides the padding where sequences
# have different lengths. The other hides the future; the decoder's self-attention, which is called *masked*, always needs that
# one.
# <!-- end -->
#
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %% ask="04.recall"


# %% [markdown]
# ## Predicting the next token {#next-token}
#
# A model that generates text learns from finished texts. At each token it has to predict the next one, and it makes all these
# predictions at once, in one pass over the text (lesson 14). So while it predicts what follows token 1, token 2 is already
# there to be read. To keep the prediction honest, **token $i$ may look at tokens 1 to $i$, and at none after it.**
#
# Let the text be *red car orange*, with the vectors from lesson 02, the identity for W_Q, W_K and W_V, and unscaled scores:

# %%
names = ["red", "car", "orange"]
X = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
scores = X @ X.T
print(scores)

# %% [markdown]
# A **mask** says which query may look at which key. It has one row per query and one column per key. In this course, **True
# means "may look"**. This is the **causal mask** for three tokens. Its diagonal is True, because a token may look at itself:

# %% tags=["S17"]
may = causal_mask(3)
print(may)

# %% [markdown]
# Now where does the mask go?

# %% predict="04.row"


# %% tags=["S17", "E20"] jupyter={"source_hidden": true}
# The weights of all three tokens under the mask
masked = scores.masked_fill(~may, -math.inf)  # wherever "may" is False
weights = torch.softmax(masked, dim=-1)
print("scores:", masked, "weights:", weights, sep="\n")
reveal("04.row")

# %% [markdown]
# The result is as if *orange* were not there. For this to happen, the exponential of its score must be 0. No number has the
# exponential 0, but computers have minus infinity, `-inf`, and exp(−∞) = 0. So **set the forbidden scores to −∞, before
# softmax.**
#
# By hand: exp(0) = 1 and exp(1) = 2.7183, and their sum is 3.7183. So *car* gives *red* 0.2689 and itself 0.7311. *red* has
# only itself to look at. *orange* may look at everything, and keeps its weights from lesson 02.

# %%
ax = figures.schematic("mask")

# %% [markdown]
# <!-- picture -->
# the calculation so far, with one more step, the mask. (÷√d_k keeps the scores small: lesson 03.) Empty
# cells of the mask are False. The mask acts on the scores, before softmax, and the weights come out as 0 where it is empty.

# %% [markdown]
# ## The other place for a mask {#late-mask}
#
# One answer above was to set the forbidden weight to 0 *after* softmax. That looks reasonable, since everything above the
# diagonal is 0:

# %%
late = torch.softmax(scores, dim=-1) * may
print(late)
print("row sums:", late.sum(dim=-1))

# %% [markdown]
# The first two rows no longer sum to 1.

# %% predict="04.late"


# %%
def early_mask(x):
    return torch.softmax((x @ x.T).masked_fill(~causal_mask(len(x)), -math.inf), dim=-1) @ x


def late_mask(x):
    return (torch.softmax(x @ x.T, dim=-1) * causal_mask(len(x))) @ x


for third in ([1.0, 1.0], [1.0, 5.0], [0.5, 0.0], [2.0, -1.0]):
    x = torch.tensor([[1.0, 0.0], [0.0, 1.0], third])
    early, late = (mask(x)[0].numpy().round(4) for mask in (early_mask, late_mask))
    print(f"token 3 = {third}: early {early}, late {late}")
reveal("04.late")

# %% [markdown]
# The sum in the denominator included token 3. Its own weight is deleted later, but by then the token has made all other weights
# smaller, and how much smaller depends on its score. **A weight of zero does not prove that a token has no influence.**
#
# So what does show it? Change one token, and see whether an output changes. Do this for *every* token and *every* output. We
# call the result an **influence map**. `perturbation_map` replaces each token in turn with a different one, and records how
# much each output changes (the largest change among its numbers). What matters is which changes are exactly 0:

# %% tags=["S17"]
print("masked after softmax:", perturbation_map(late_mask, X), sep="\n")
print("masked before softmax:", perturbation_map(early_mask, X), sep="\n")

# %% [markdown]
# Row 1, column 3 is the test that you have just run, with yet another vector as token 3. If you mask before softmax,
# everything above the diagonal is exactly 0. Now take six random tokens. A Transformer stacks layers, so we use two of them:
# once with the causal mask, and once with a single bit of it flipped, so that token 2 may look at token 5.


# %% tags=["S17"]
def two_layers(mask):
    def layer(x):
        return torch.softmax((x @ x.T).masked_fill(~mask, -math.inf), dim=-1) @ x

    return lambda x: layer(layer(x))


# %% tags=["S17"]
def map_of(attend, x, title, ax):
    changed = (perturbation_map(attend, x) != 0).float()
    inputs = [f"in {j + 1}" for j in range(len(x))]
    outputs = [f"out {i + 1}" for i in range(len(x))]
    return figures.heatmap(changed, outputs, inputs, title, digits=0, ax=ax)


six = torch.randn(6, 4, generator=torch.Generator().manual_seed(0))
flipped = causal_mask(6)
flipped[1, 4] = True
left, right = figures.panels(2)
ax = map_of(two_layers(causal_mask(6)), six, "Two layers, causal mask", left)
ax = map_of(two_layers(flipped), six, "One bit flipped", right)

# %% [markdown]
# <!-- picture -->
# each row is an output, and each column an input token that was changed. A dark cell with a 1 means that the output changes
# with that token.
# <!-- left -->
# the triangle is clean, and it would stay clean with any number of layers.
# <!-- right -->
# one bit of the mask is wrong: token 2 may look at token 5. This darkens five cells above the diagonal. Output 2 depends on
# token 5, and through it, in the second layer, also on tokens 3 and 4. Outputs 3 and 4 depend on token 5 through token 2.
# <!-- end -->
#
# A test that changes only the *last* token and looks only at the *first* output would find nothing here. So look at the whole
# map, for several random inputs.

# %% [markdown]
# ## Padding {#padding}
#
# Why else would you hide a token? Because it may be no token at all. Sequences that share an array, a **batch**, must have the
# same length. Shorter ones are extended with a token that means nothing, called **padding**. Below, each token is a row number
# in a table of vectors, and padding is 0:

# %%
tokens = pad_right([[7, 4, 9, 5], [6, 8]])
print(tokens)
table = torch.randn(10, 4, generator=torch.Generator().manual_seed(1))
batch = table[tokens]  # the vector of each token: (sequences, tokens, numbers) = (2, 4, 4)

# %% [markdown]
# Like any token, padding has a vector, and therefore a query, a key and a value. Without a mask, it gets some of the
# attention. The scores of this batch have shape (2, 4, 4): sequences, queries, keys.

# %% predict="04.padding"


# %% tags=["S17"]
real = padding_mask(tokens, pad=0)
print(real.int(), tuple(real.shape))
reveal("04.padding")

# %% [markdown]
# The mask has one row per sequence, which is stretched over all its queries. With this mask, the tokens *6* and *8* should get
# the outputs they get when alone:

# %% tags=["S17"]
alone, _ = scaled_dot_product_attention(batch[1, :2], batch[1, :2], batch[1, :2])
with_mask, _ = scaled_dot_product_attention(batch, batch, batch, mask=real)
without, _ = scaled_dot_product_attention(batch, batch, batch)
for name, output in (("alone", alone), ("with mask", with_mask[1]), ("without", without[1])):
    print(f"{name:9} token 6: {output[0].numpy().round(3)}  token 8: {output[1].numpy().round(3)}")

# %% [markdown]
# The *queries* of padding get outputs too, but nothing uses them: no token looks at padding, and the loss leaves it out
# (lesson 14). Don't mask these rows: if *every* score of a row is −∞, softmax divides 0 by 0, and each weight is `nan`,
# *not a number*.
#
# You combine masks with *and*: a query may look where both masks say True.

# %% tags=["S17"]
both = causal_mask(4) & real  # (4, 4) and (2, 1, 4) give (2, 4, 4)
print("causal:", causal_mask(4).int(), "causal, without padding:", both[1].int(), sep="\n")

# %% [markdown]
# Only rows 3 and 4 differ, and they are padding themselves. With padding on the right, a causal mask already hides it from
# all real tokens. You need a padding mask where there is no causal one: in an encoder (lesson 12), and when a decoder looks
# at the source (lesson 13).

# %% [markdown]
# ## Two ways to call attention {#two-calls}
#
# torch offers attention in two forms, as a function (`F.scaled_dot_product_attention`) and as a module
# (`nn.MultiheadAttention`). Both take a boolean mask. We pass the same causal mask to both, and count the pairs in which an
# output depends on a later token.

# %% predict="04.calls"


# %% tags=["S17"] jupyter={"source_hidden": true}
torch.manual_seed(0)
module = nn.MultiheadAttention(4, num_heads=1, batch_first=True)
five, mask = table[[1, 2, 3, 4, 5]], causal_mask(5)
calls = {
    "function": lambda x: F.scaled_dot_product_attention(x, x, x, mask),
    "module": lambda x: module(x, x, x, attn_mask=mask)[0],
    "module, with ~mask": lambda x: module(x, x, x, attn_mask=~mask)[0],
}
for name, call in calls.items():
    leaks = int((perturbation_map(call, five) != 0).triu(1).sum())  # triu(1): above the diagonal
    print(f"{name:18} later tokens seen in {leaks} of 10 pairs")
reveal("04.calls")

# %% [markdown]
# Within one library, True has two opposite meanings, and nothing raises an error. (With our mask, the module's last token must
# not look at anything and gets `nan`; the other outputs look fine. The module's `key_padding_mask`, too, is True *at the
# padding*.) Whichever form you use, look at the influence map once. This course follows the function: **True may look.**

# %% [markdown]
# ## Before you go {#exit}

# %% ask="04.exit"


# %% [markdown]
# <!-- answer -->
# **How do you keep a token from looking where it must not?** Set the forbidden *scores* to −∞ before softmax, so that the
# forbidden keys are missing from the numerator and from the denominator. Then change each token, and see which outputs change.

# %% [markdown]
# To take away:
#
# <!-- takeaway -->
# * A causal mask is a triangle $(n, n)$, with True on and below the diagonal. A padding mask for $b$ sequences has shape $(b,
#   1, m)$, with one row of keys per sequence.
# * Masking after softmax leaks: the forbidden keys stay in the denominator.
# * Zeros in the weights prove nothing. An influence map does show what leaks.
# <!-- end -->
#
# A loss that is too good to be true is a reason to look for a leak. The head that you write in [stage B2 of the
# Build](../exercises/B2_one_head.ipynb) gets a causal mask, so it cannot read the answers that it is trained on.
#
# To read next:
#
# <!-- readings -->
# * {vaswani2017}, section 3.2.3: the three attention boxes, and the mask as −∞
#   inside the softmax.
# * {hinton2012}: dropout, which has its own part under "Deeper".

# %% [markdown]
# ## Deeper {#deeper}
#
# You can read each of these parts on its own; nothing later needs them.
#
# ### A very low number in place of −∞
#
# Many programs write −1000000000 (in code `-1e9`) in place of −∞. With our scores you cannot tell the difference, because exp
# of this number is so small that the computer stores exactly 0:

# %%
print(torch.softmax(scores.masked_fill(~may, -1e9), dim=-1))

# %% [markdown]
# A very low number goes wrong in two cases. The first raises an error. To save time and memory, models often compute with
# 16-bit numbers. There are two kinds: `bfloat16` can hold this number, if only roughly, but the largest number in `float16`
# is 65504:

# %% tags=["E11"]
print("bfloat16:", torch.zeros(1, dtype=torch.bfloat16).masked_fill(torch.tensor([True]), -1e9))
try:
    torch.zeros(1, dtype=torch.float16).masked_fill(torch.tensor([True]), -1e9)
except RuntimeError as error:
    print("float16: ", type(error).__name__)

# %% [markdown]
# The second case is silent. Take a query that may look at *nothing at all*, because there is an empty sequence in the batch,
# or because you masked queries where you meant keys. What happens to it?

# %% tags=["E11"]
nowhere = torch.zeros(1, 3, dtype=torch.bool)  # one query, three keys, all forbidden
print("−1e9, weights:          ", scores[:1].masked_fill(~nowhere, -1e9).softmax(dim=-1))
print("−∞, weights:            ", scores[:1].masked_fill(~nowhere, -math.inf).softmax(dim=-1))
print("torch's function, output:", F.scaled_dot_product_attention(X[:1], X, X, nowhere))
try:
    scaled_dot_product_attention(X[:1], X, X, mask=nowhere)
except ValueError as error:
    print("this course:            ", error)

# %% [markdown]
# You get four different answers. With −1e9, all scores are equally low, and only differences matter (lesson 02). So the query
# spreads its attention evenly over **everything that is forbidden**. With −∞ you get 0/0, which is **NaN**, printed as `nan`.
# Since 0 · NaN is NaN again, later layers carry it even to tokens that give it a weight of 0. torch's function gives zeros (in
# the version used here, 2.13). This course's library raises an error and names the row. A query without a key means that
# something went wrong earlier, and the sooner you notice, the better.

# %% ask="04.deeper"


# %% [markdown]
# ### What an influence map can miss
#
# A dark cell shows that the computed output has changed. If the change is a ten-millionth of the output, it may be just
# rounding, so on the sheet you compare with a tolerance. A light cell shows only that nothing changed *for these tokens*,
# in 32-bit arithmetic. If you mask after softmax and a forbidden score is 17 or more below the largest of its row, its share
# of the sum is rounded away, although on paper it is not 0:

# %% tags=["S17"]
for gap in (15, 16, 17):
    print(f"1 + exp(−{gap}) − 1 = {(torch.tensor(1.0) + math.exp(-gap) - 1).item():.1e}")

# %% [markdown]
# So repeat the test with small vectors, whose scores lie close together.
#
# ### Divide again?
#
# Masking after softmax leaves rows that do not sum to 1. What if you divide each row by its new sum? On paper that is right,
# because the old sum cancels. The sheet asks where it fails on a computer.
#
# ### Dropout on the weights
#
# Something else sets attention weights to 0, for a different reason. **Dropout** sets numbers inside a model to 0 at random
# while it is being trained. A model that cannot rely on any single number should generalise better. Applied to attention
# weights, dropout sets each of them to 0 with probability $p$ at every step, and divides the others by $1 - p$.

# %% predict="04.dropout"


# %% tags=["S27"] jupyter={"source_hidden": true}
torch.manual_seed(0)
row = torch.tensor([0.5, 0.3, 0.2])
draws = torch.stack([F.dropout(row, p=0.25) for _ in range(10_000)])
print(draws[:4])
print("sums:", draws[:4].sum(dim=1), "  on average:", round(draws.sum(dim=1).mean().item(), 2))
reveal("04.dropout")

# %% [markdown]
# Each weight is kept in 3 of 4 cases, and is then multiplied by 4/3. On average this makes up for the missing ones; in a
# single draw of this row it never does.
#
# When you use a trained model, nothing should be random: the same text should give the same result. `eval()` turns dropout
# off.

# %% tags=["S27"]
attention = MultiHeadAttention(4, num_heads=1, dropout=0.25)  # the library's attention, as a module
for training in (True, False):
    attention.train(training)  # train(False) is what eval() does
    sums = attention(five[None], five[None], five[None], return_weights=True)[1].sum(dim=-1)
    print("training:" if training else "in use:  ", sums.detach())

# %% [markdown]
# ### In print
#
# Here are two statements that you may read elsewhere. The first: *keys and values come from the other words.* But a token's
# own key and value are included too. Otherwise *red* would have nothing to look at under a causal mask. This would be its row:

# %% tags=["E20"]
print((may & ~torch.eye(3, dtype=torch.bool))[0])  # & is "and", ~ is "not", eye is the diagonal

# %% [markdown]
# The second: *the mask sets the forbidden weights to −∞.* It sets *scores* to −∞, and the weights become 0. Weights of −∞
# would ruin the outputs: −∞ times 0 is NaN, and −∞ times any other number is infinite:

# %% tags=["E20"]
print(torch.softmax(scores, dim=-1).masked_fill(~may, -math.inf) @ X)
