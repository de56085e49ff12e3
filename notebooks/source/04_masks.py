# %% [markdown]
# # 04 · Masks: how do you keep a token from looking where it must not?
#
# Attention looks at everything. Sometimes that is cheating: a model that is to guess the next word must not see it. And
# sometimes it is nonsense: where texts share an array, short ones are filled up with places that mean nothing. A mask forbids
# both. What matters is where in the calculation it goes, and how you find out whether it works.
#
# About 35 minutes. Afterwards you can
#
# * say what a causal mask and a padding mask hold, and which axis is which (you write both on the sheet);
# * find out what leaks, with a picture of every pair of tokens;
# * name four things that may happen to a token that is allowed to look nowhere, and say which one you want.

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

# %% [markdown]
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %%
ask("04.recall")

# %% [markdown]
# ## Guessing the next token
#
# A model that writes learns from finished texts: at each token it has to guess the next one. All these guesses are made at
# once, in one pass over the whole text (lesson 14). So while token 1 guesses token 2, token 2 already stands there to be
# read. For an honest guess, **token $i$ may look at tokens 1 to $i$, and at none after it.**
#
# We take up the three tokens of lesson 02, with the identity for W_Q, W_K and W_V, and scores that are not divided:

# %%
X = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
scores = X @ X.T
print(scores)

# %% [markdown]
# What may be looked at is written in a table of True and False with a row for each query and a column for each key: the
# **mask**. In this course, **True means "may look"**.

# %% tags=["S17"]
may = causal_mask(3)
print(may)

# %% [markdown]
# The diagonal is True: a token may look at itself. (Note 4 says that keys and values come from the *other* words.) Without
# itself, token 1 would have nothing to look at; this would be its row:

# %% tags=["E20"]
print((may & ~torch.eye(3, dtype=torch.bool))[0])  # & is "and", ~ is "not", eye is the diagonal

# %% [markdown]
# Now where in the calculation does the mask go? Token 2 has scores 0, 1, 1, and may not look at token 3.

# %%
predict("04.row")

# %% tags=["S17", "E20"] jupyter={"source_hidden": true}
masked = scores.masked_fill(~may, -math.inf)  # wherever "may" is False
weights = torch.softmax(masked, dim=-1)
print(masked)
print(weights)
reveal("04.row")

# %% [markdown]
# As if token 3 were not there. For this its exponential must be 0. No number has the exponential 0; but the computer knows
# minus infinity, `-inf`, and exp(−∞) = 0. So **the forbidden scores are set to −∞, before softmax.**
#
# By hand: exp(0) = 1 and exp(1) = 2.7183, the sum is 3.7183, and token 2 has weights 0.2689 and 0.7311. Token 1 has only
# itself. Token 3 may look at all, and has the weights that it had in lesson 02.
#
# (Note 4 says here that the mask sets the forbidden *weights* to −∞. Outputs mixed with such weights are lost: −∞ times 0 is
# not a number, `nan`, and −∞ times any other number is infinite.)

# %% tags=["E20"]
print(torch.softmax(scores, dim=-1).masked_fill(~may, -math.inf) @ X)

# %% [markdown]
# ## The other place for a mask
#
# Back to choice *a*: setting the forbidden weights to 0, after softmax. It looks reasonable, and everything above the
# diagonal is 0:

# %%
late = torch.softmax(scores, dim=-1) * may
print(late)
print("row sums:", late.sum(dim=-1))

# %% [markdown]
# Rows 1 and 2 no longer sum to 1, so outputs become smaller. Is that all?

# %%
predict("04.late")


# %%
def early_mask(x):
    return torch.softmax((x @ x.T).masked_fill(~causal_mask(len(x)), -math.inf), dim=-1) @ x


def late_mask(x):
    return (torch.softmax(x @ x.T, dim=-1) * causal_mask(len(x))) @ x


for token_3 in ([1.0, 1.0], [1.0, 5.0], [0.5, 0.0], [2.0, -1.0]):
    x = torch.tensor([[1.0, 0.0], [0.0, 1.0], token_3])
    print(f"token 3 = {token_3}   output 1: early {early_mask(x)[0]}, late {late_mask(x)[0]}")
reveal("04.late")

# %% [markdown]
# Token 3 stands in the sum below the fraction bar. Its own weight is crossed out, but it has made all others smaller, and
# by how much tells something about it: output 1 betrays token 3's score. **A zero in the table of weights does not show
# that nothing arrives.**
#
# (Dividing each row by what it now sums to would repair this, on paper. The sheet asks where it fails in the computer.)
#
# So what does show it? Change a token, and see whether an output moves; and do so for *every* token and *every* output. We
# call the table of the answers an **influence map**. `perturbation_map` makes it: it adds a fixed step to one token after
# another (evenly spaced numbers, from 0.5 for its first to 1.5 for its last), and notes how far each output moves: the largest
# change among its numbers.

# %% tags=["S17"]
print(perturbation_map(late_mask, X))
print(perturbation_map(early_mask, X))

# %% [markdown]
# Row 1, column 3 is what we have just found: output 1 moves when token 3 is changed. Masked early, everything above the
# diagonal is exactly 0. Now six random tokens, as a picture: a cell is dark if the output moves at all.


# %% tags=["S17"]
def reach_map(attend, x, title, ax):
    moves = (perturbation_map(attend, x) != 0).float()
    inputs = [f"in {j + 1}" for j in range(len(x))]
    outputs = [f"out {i + 1}" for i in range(len(x))]
    return figures.heatmap(moves, outputs, inputs, title, digits=0, ax=ax)


six = torch.randn(6, 4, generator=torch.Generator().manual_seed(0))
left, right = figures.panels(2)
ax = reach_map(early_mask, six, "Masked before softmax", left)
ax = reach_map(late_mask, six, "Masked after softmax", right)

# %% [markdown]
# **In the picture:** a row for each output, a column for each input token that was changed. On the left is a clean
# triangle: each output depends on its own token and on what came before. On the right all is dark. Every output depends on
# every token, also on those that it must not know.
#
# Now the smallest fault possible. One single False in the mask becomes True: token 2 may look at token 5. In a Transformer,
# layers stand one after another; we take two.


# %% tags=["S17"]
def two_layers(mask):
    def layer(x):
        return torch.softmax((x @ x.T).masked_fill(~mask, -math.inf), dim=-1) @ x

    return lambda x: layer(layer(x))


flipped = causal_mask(6)
flipped[1, 4] = True
left, right = figures.panels(2)
ax = reach_map(two_layers(causal_mask(6)), six, "Two layers, causal mask", left)
ax = reach_map(two_layers(flipped), six, "One bit flipped", right)

# %% [markdown]
# **In the picture:** on the left the triangle stays a triangle; it would, with any number of layers. On the right one bit
# is wrong, and five cells above the diagonal are dark. Output 2 depends on token 5; through it, in the second layer, also
# on tokens 3 and 4; and outputs 3 and 4 depend on token 5 through token 2. (Output 3 and token 4 still have no connection.
# A third layer would make it.)
#
# A check that changes the *last* token and looks at the *first* output sees nothing of this:

# %% tags=["S17"]
moves = perturbation_map(two_layers(flipped), six) != 0
print("output 1 moves with token 6:", bool(moves[0, 5]))
print("dark cells above the diagonal:", int(moves.triu(1).sum()))  # triu(1): what stands above it
print("in 32 bits, 1 + exp(−17) is 1:", bool(torch.tensor(1.0) + math.exp(-17) == 1))

# %% [markdown]
# So look at the whole map, and know what it can say. A dark cell shows that something arrives in the computer; if that is a
# ten-millionth of the output, it may be mere rounding (on the sheet you compare with a tolerance for that). A light cell says
# that nothing arrived *for these tokens*, as far as numbers of 32 bits can show: where a forbidden score lies 17 or more
# below the row's largest, its trace in the sum is rounded away, and is there on paper all the same. So take several random
# inputs, and small numbers.

# %% [markdown]
# ## Empty places
#
# The second use. A **batch**, several texts in one array, needs texts of one length. Shorter ones are filled up with a token
# that means nothing, **padding**; here it has the number 0.

# %%
tokens = pad_right([[7, 4, 9, 5], [6, 8]])
print(tokens)
table = torch.randn(10, 4, generator=torch.Generator().manual_seed(1))
batch = table[tokens]  # each token's vector: (texts, tokens, numbers) = (2, 4, 4)

# %% [markdown]
# We always fill up on the *right*, so that real tokens keep their places, counted from the left.
#
# Padding has vectors, and so queries, keys and values, like any token. Without a mask it takes its share of attention. The
# scores of this batch have shape (2, 4, 4): texts, queries, keys.

# %%
predict("04.padding")

# %% tags=["S17"]
real = padding_mask(tokens, pad=0)
print(real)
print(tuple(real.shape))
reveal("04.padding")

# %% [markdown]
# One row of keys for each text, stretched over all its queries. The real tokens of text 2 must now come out as if the text
# had been alone:

# %% tags=["S17"]
alone, _ = scaled_dot_product_attention(batch[1, :2], batch[1, :2], batch[1, :2])
with_mask, _ = scaled_dot_product_attention(batch, batch, batch, mask=real)
without, _ = scaled_dot_product_attention(batch, batch, batch)
print("with the mask, as if alone:   ", torch.allclose(with_mask[1, :2], alone))
print("without the mask, as if alone:", torch.allclose(without[1, :2], alone))

# %% [markdown]
# What about the *queries* that are padding, the last two of text 2? They look at the real tokens, and give some output that
# nobody reads: no token may look at them, and the loss leaves them out (lesson 14).
#
# Several masks are joined by *and*: a query may look where one mask and the other say True.

# %% tags=["S17"]
both = causal_mask(4) & real  # (4, 4) and (2, 1, 4) give (2, 4, 4)
print(both[1].int())

# %% [markdown]
# (Compare with the causal mask alone: only rows 3 and 4 of text 2 differ, which are padding themselves. With padding on the
# right, a causal mask hides it from every real token anyway. The padding mask is indispensable where there is no causal
# one: in an encoder, lesson 12, and when a decoder looks at the source, lesson 13.)

# %% [markdown]
# ## Two ways to call attention
#
# torch has attention twice, as a function and as a module, and both take a boolean mask. We give the same causal mask to
# both.

# %%
predict("04.conventions")

# %% tags=["S17"]
torch.manual_seed(0)
module = nn.MultiheadAttention(4, num_heads=1, batch_first=True)  # heads: lesson 05; here one
five = table[[1, 2, 3, 4, 5]]


def looks_ahead(attend):
    return bool((perturbation_map(attend, five) != 0).triu(1).any())


for name, mask in (("the mask", causal_mask(5)), ("its opposite", ~causal_mask(5))):
    # mask=mask: each function keeps the mask of its own round
    by_function = looks_ahead(lambda x, mask=mask: F.scaled_dot_product_attention(x, x, x, mask))
    by_module = looks_ahead(lambda x, mask=mask: module(x, x, x, attn_mask=mask)[0])
    print(f"{name}: the function looks ahead {by_function}, the module {by_module}")
reveal("04.conventions")

# %% [markdown]
# One word, True, with opposite meanings in one library; no error was raised, and all shapes agree. Whichever you use, look
# at the influence map once. This course follows the function: **True may look.**

# %% [markdown]
# ## A very low number in place of −∞
#
# Note 2's program writes −1000000000 (in code `-1e9`) in place of −∞. On rows like ours nobody can tell, since exp of it is
# so small that the computer holds exactly 0:

# %%
low = torch.softmax(scores.masked_fill(~may, -1e9), dim=-1)
print("the same weights:", torch.equal(low, weights))

# %% [markdown]
# In two cases it goes wrong. The first is loud. To save time and space, models are often computed in numbers of 16 bits,
# and of the two kinds in use, `float16` ends at 65504. There, `masked_fill` refuses the number:

# %% tags=["E11"]
print("bfloat16:", torch.zeros(1, dtype=torch.bfloat16).masked_fill(torch.tensor([True]), -1e9))
try:
    torch.zeros(1, dtype=torch.float16).masked_fill(torch.tensor([True]), -1e9)
except RuntimeError as error:
    print("float16: ", type(error).__name__)

# %% [markdown]
# (`bfloat16` reaches further and rounds more coarsely.) The second case is silent. Take a query that may look at *nothing
# at all*: an empty text has slipped into the batch, or somebody masked queries instead of keys. What happens to it?

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
# Four answers. With −1e9, all scores are equally low, and only differences count (lesson 02): when nothing is allowed, the
# query looks evenly at **everything that is forbidden**. With −∞ it is 0/0, not a number (or −∞ minus −∞, where the largest
# score is subtracted first); and since 0 · nan is nan again, later layers carry that even to tokens whose weight for it is
# 0. torch's function gives zeros (in the version used here, 2.13). And this course's library refuses, and names the row: a
# query without a key means that something went wrong before, and the earlier one hears of it, the better.

# %% [markdown]
# ## Dropout on the weights
#
# One thing more sets attention weights to 0, and for another reason. **Dropout** sets numbers inside a model to 0 at
# random, while it is being trained: a model that cannot rely on any single one is meant to generalise better. Here it is
# applied to the attention weights: at each step, each of them is set to 0 with a probability $p$, and the others are
# divided by $1 - p$.

# %%
predict("04.dropout")

# %% tags=["S27"]
torch.manual_seed(0)
row = torch.tensor([0.5, 0.3, 0.2])
draws = torch.stack([F.dropout(row, p=0.25) for _ in range(10_000)])
print(draws[:4])
print("sums:", draws[:4].sum(dim=1), "  on average:", round(draws.sum(dim=1).mean().item(), 2))
reveal("04.dropout")

# %% [markdown]
# Each weight is kept in 3 cases of 4, and is then 4/3 as large: that makes up for the missing ones on average, and hardly
# ever in a single draw.
#
# When a trained model is used, nothing should be random: the same text should give the same result. `eval()` turns dropout
# off.

# %% tags=["S27"]
attention = MultiHeadAttention(4, num_heads=1, dropout=0.25)
for training in (True, False):
    attention.train(training)  # train(False) is what eval() does
    sums = attention(five[None], five[None], five[None], return_weights=True)[1].sum(dim=-1)
    print("training:" if training else "in use:  ", sums.detach())

# %% [markdown]
# ## Before you go

# %%
ask("04.exit")

# %% [markdown]
# **How do you keep a token from looking where it must not?** Set the forbidden *scores* to −∞ before softmax, so that the
# forbidden keys are missing both above the fraction bar and below it; and then change each token, and look at which outputs
# move: a table of zeros shows nothing.
