# %% [markdown]
# # Sheet 25 · Small and fast
#
# The core takes about {minutes} minutes. Below it is more practice, another {practice} minutes, which you can leave out. Each
# exercise has a cell for your answer and a cell that checks it. Run both with Shift + Enter, as often as you like. If an
# answer does not pass, the check says what is wrong. You can then unfold hints, one at a time, and after the last hint a
# solution. In a program, use NumPy or torch, whichever you like: the check passes arrays to your function, or tensors if it
# needs those. Your function must not change them.

# %%
import numpy as np

from transformer_course.exercises import check

# %% [markdown]
# ## 1 · Does it fit?
#
# A model has 7 billion weights, 32 layers, and 32 heads of width 128. Its weights are quantized to 4 bits, in groups of 32
# with a scale of 16 bits. The numbers in its cache have 16 bits. A GB is a billion bytes. Give a list of four numbers, correct
# to two decimal places:
#
# 1. the size of the weights, in GB;
# 2. the size of the cache of one text of 4,000 tokens, in GB, if each head has its own keys and values;
# 3. the same if the 32 heads share 4 keys and 4 values per token and layer;
# 4. the average number of tokens per pass, if a draft has 3 tokens and each is kept with probability 0.6, given that those
#    before it were kept.
#
# You can use the cell as a calculator.

# %% exercise="fast.memory" form="by hand" minutes=7 difficulty=1
### BEGIN SOLUTION
# 16 bits for 32 weights are half a bit for each. A cache has a key and a value: a factor of 2.
numbers = [
    7 * 4.5 / 8,
    2 * 32 * 32 * 128 * 4000 * 2 / 1e9,
    2 * 32 * 4 * 128 * 4000 * 2 / 1e9,
    1 + 0.6 + 0.6**2 + 0.6**3,
]
### END SOLUTION

# %%
check("fast.memory")

# %% [markdown]
# ## 2 · A row that groups save
#
# These functions say how many numbers of a row of eight become 0 with codes from −7 to 7: with one scale for the whole row,
# and with a scale for each group of four.


# %%
def lost_by_row(row):
    row = np.array(row)
    scale = np.abs(row).max() / 7
    return int((np.rint(row / scale) == 0).sum())


def lost_in_groups(row):
    return lost_by_row(row[:4]) + lost_by_row(row[4:])


example = [0.6, -0.2, 0.7, 0.01, 1.0, -0.03, 0.4, 0.9]
print(lost_by_row(example), lost_in_groups(example))

# %% [markdown]
# Here both methods lose the same two numbers. **Give a `row` of eight numbers that loses some numbers with one scale, and none
# in groups.** Each number has a magnitude from 0.5 to 10.

# %% exercise="fast.outlier" form="find an input" minutes=5 difficulty=2
### BEGIN SOLUTION
# With a 10 in the row, everything below 10/14 = 0.71 is lost. So the small numbers go into the group that has no 10.
row = [0.5, -0.6, 0.6, 0.5, 10.0, -3.0, 2.0, 1.0]
### END SOLUTION

# %%
check("fast.outlier")

# %% [markdown]
# ## 3 · Rounding a matrix
#
# Write `rounded(weights, bits, group_size)`. `weights` has shape `(rows, columns)`, and `group_size` divides `columns`. Each
# group of `group_size` neighbours in a row has its own scale: the group's largest magnitude, divided by the largest code,
# which is $2^{\text{bits} - 1} - 1$. Round each weight to the nearest multiple of its scale, and return these numbers, in the
# shape of `weights`. A group of zeros stays as it is. (No weight is exactly halfway between two multiples.)


# %% exercise="fast.quantize" form="program" minutes=9 difficulty=2
def rounded(weights, bits, group_size):
    """Round the weights to a few bits, with one scale per group of neighbours in a row."""
    ### BEGIN SOLUTION
    groups = weights.reshape(len(weights), -1, group_size)
    scales = np.abs(groups).max(axis=-1, keepdims=True) / (2 ** (bits - 1) - 1)
    scales = np.where(scales == 0, 1, scales)
    return (np.rint(groups / scales) * scales).reshape(weights.shape)
    ### END SOLUTION


# %%
check("fast.quantize")

# %% [markdown]
# ## More practice {#practice}
#
# You can stop here: the rest is optional. You write the rule of speculative sampling.
#
# ## 4 · Keep or replace
#
# Write `rule(p, q)`. `p` and `q` have the same shape: `(v,)`, or with more axes before the last one. The last axis of `p`
# holds the model's probabilities of v tokens, and the last axis of `q` holds the draft's. Both sum to 1, and no number in `q`
# is 0. Return `np.stack([keep, replacement])`:
#
# * `keep` holds for each token the probability of keeping it, once it has been drafted;
# * `replacement` is the distribution from which a token is drawn if the drafted one is rejected. If p and q are equal at some
#   position, nothing is ever rejected there; the replacement is then p.


# %% exercise="fast.rule" form="program" minutes=9 difficulty=3
def rule(p, q):
    """Return the probability of keeping each token, and the distribution that replaces it."""
    ### BEGIN SOLUTION
    keep = np.minimum(1, p / q)
    missing = np.maximum(p - q, 0)
    total = missing.sum(axis=-1, keepdims=True)
    replacement = np.where(total > 0, missing / np.where(total > 0, total, 1), p)
    return np.stack([keep, replacement])
    ### END SOLUTION


# %%
check("fast.rule")
