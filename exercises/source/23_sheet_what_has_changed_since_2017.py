# %% [markdown]
# # Sheet 23 · What has changed since 2017?
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
# ## 1 · Groups and windows
#
# A model has 48 layers with 16 heads of width 128, and reads a text of 32,000 tokens. The numbers in its cache have 16 bits. A
# GB is a billion bytes. Give a list of four numbers, correct to two decimal places:
#
# 1. the size of the cache in GB, if each head has its own keys and values, and each layer sees the whole text;
# 2. the same, if the 16 heads of each layer share 4 keys and 4 values per token;
# 3. the same as 2, but only 8 of the layers see the whole text. The other 40 have a window of 1,000 tokens, and keep only
#    those.
# 4. Another model has 3 layers, each with a window of 32 tokens, the token itself included. How many tokens *before* a token
#    can influence its output, at most?
#
# You can use the cell as a calculator.

# %% exercise="today.memory" form="by hand" minutes=6 difficulty=1
### BEGIN SOLUTION
# A key and a value for each token, layer and group; with windows, count the tokens that all layers keep.
per_token = 2 * 128 * 2 / 1e9
kept = 8 * 32000 + 40 * 1000
numbers = [per_token * 48 * 32000 * 16, per_token * 48 * 32000 * 4, per_token * kept * 4, 3 * 31]
### END SOLUTION

# %%
check("today.memory")

# %% [markdown]
# ## 2 · Which experts, and how much of each
#
# Write `mixing_weights(scores, k)`. `scores` has shape `(t, e)`: a router's scores of e experts for each of t tokens. Return
# the weights, also of shape `(t, e)`. In each row, the k experts with the highest scores share a weight of 1, by a softmax
# over these k scores. All others get exactly 0. No two scores of a row are equal, and some are above 1,000 or below −1,000.


# %% exercise="today.routing" form="program" minutes=8 difficulty=2
def mixing_weights(scores, k):
    """Return the weight of each expert for each token, (t, e)."""
    ### BEGIN SOLUTION
    lowest_chosen = np.sort(scores, axis=1)[:, [-k]]
    masked = np.where(scores >= lowest_chosen, scores, -np.inf)
    parts = np.exp(masked - masked.max(axis=1, keepdims=True))
    return parts / parts.sum(axis=1, keepdims=True)
    ### END SOLUTION


# %%
check("today.routing")

# %% [markdown]
# ## 3 · A fair comparison
#
# "For the same work per token, experts predict unseen text better than a dense network", someone says. **Plan runs that can
# show whether that is so.** The mixture has 8 experts with 86 hidden units each, and uses 2 for each token. All networks are
# SwiGLU.
#
# `plan` is a list of at most 20 runs. Each run is a mapping with five entries:
#
# | field | possible values | what it is |
# | --- | --- | --- |
# | `"network"` | `"experts"`, `"dense, 86 units"`, `"dense, 172 units"`, `"dense, 688 units"` | the mixture, or one network with that many hidden units |
# | `"text"` | `"training"`, `"unseen"` | the text on which the loss is measured |
# | `"steps"` | 5, 400 | training steps |
# | `"rate"` | 0.006, 0.012 | the learning rate at its peak |
# | `"seed"` | 0 to 9 | how the model starts, and which windows of the text it reads |
#
# (Either learning rate is fine.) For example, `[{"network": "experts", "text": "training", "steps": 5, "rate": 0.006, "seed":
# 0}]` is a plan with one run. You may build the list with a loop.

# %% exercise="today.control" form="plan an experiment" minutes=6 difficulty=2
### BEGIN SOLUTION
plan = [
    {"network": network, "text": "unseen", "steps": 400, "rate": 0.012, "seed": seed}
    for network in (
        "experts",
        "dense, 172 units",
    )  # two experts of 86 units are as much work as 172
    for seed in (0, 1, 2)
]
### END SOLUTION

# %%
check("today.control")

# %% [markdown]
# The lesson shows what came out of these runs.
#
# ## More practice {#practice}
#
# You can stop here: the rest is optional. In it, you write the loss that balances the experts.
#
# ## 4 · Spread the work
#
# Write `balance(probabilities, chosen)`. `probabilities` has shape `(t, e)`: the router's softmax over all e experts, for each
# of t tokens. `chosen` has shape `(t, k)`: the numbers of the k experts that each token uses, from 0 to e − 1. Return one
# number,
#
# $$e \sum_{i} f_i \, P_i,$$
#
# where $f_i$ is the fraction of all t · k choices that fell on expert i, and $P_i$ is the mean probability of expert i over
# the tokens. (In training, only $P_i$ passes a gradient on. Here, just compute the number.)


# %% exercise="today.balance" form="program" minutes=7 difficulty=2
def balance(probabilities, chosen):
    """Return how unevenly the experts are used: 1 if all are used equally."""
    ### BEGIN SOLUTION
    experts = probabilities.shape[1]
    shares = np.bincount(chosen.ravel(), minlength=experts) / chosen.size
    return experts * (shares * probabilities.mean(axis=0)).sum()
    ### END SOLUTION


# %%
check("today.balance")
