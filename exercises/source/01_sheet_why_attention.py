# %% [markdown]
# # Sheet 01 · Why attention?
#
# The core takes about {minutes} minutes. Below it is more practice, another {practice} minutes, which you can leave out. Each
# exercise has a cell for your answer and a cell that checks it. Run both with Shift + Enter, as often as you like. If an
# answer does not pass, the check says what is wrong. You can then unfold hints, one at a time, and after the last hint a
# solution. In a program, use NumPy or torch, whichever you like: the check passes arrays to your function, or tensors if it
# needs those. Your function must not change them.

# %%
import numpy as np

from transformer_course.exercises import check
from transformer_course.experiments.recall import recall_accuracy

# %% [markdown]
# ## 1 · What is left of the first token
#
# A memory holds one number, `h`. Before the first token it is 0, and at each token it becomes `w·h + x`. The **part** of the
# first token in `h` is the amount by which `h` would fall if the first token were 0. For example, let w = 0.5 and the tokens
# be 4, 1, 1. Then `h` is 4, 3, 2.5 after the three tokens, and the first token's part of it is 4, 2, 1.
#
# You may use a pocket calculator. Give three numbers, with three decimal places if they are not integers:
#
# 1. Now w = 0.8, and the tokens are one 3 and then eight 1s. **How large is the first token's part after the ninth token?**
# 2. Again w = 0.8. **How many further tokens does it take until less than a hundredth is left** of what the first token put
#    in?
# 3. An LSTM has such a factor too, its forget gate, and learns how large it should be. If the forget bias is log T, training
#    begins with a factor of about T / (T + 1). With T = 30, that is w = 30/31. **What fraction of the first token is left
#    after 60 further tokens**, in a sequence twice as long as the bias was meant for? (With a factor of 1/2, it would be
#    less than a billionth.)

# %% exercise="recurrence.fading" form="by hand" minutes=8 difficulty=1
### BEGIN SOLUTION
# 1. Eight further tokens, eight factors: 3 × 0.8⁸ = 0.5033.
# 2. 0.8²⁰ = 0.0115 and 0.8²¹ = 0.0092: the 21st is the first to fall below 0.01.
# 3. (30/31)⁶⁰ = 0.1398.
left = [0.503, 21, 0.140]
### END SOLUTION

# %%
check("recurrence.fading")

# %% [markdown]
# ## 2 · What the table supports
#
# Here is an experiment with numbers made up for this exercise. Three models with about the same number of parameters
# are trained in the same way, with three seeds each. The numbers are accuracies, one per seed. Guessing among eight tokens
# gives 0.125.
#
# | | length 10 | length 20 | length 50 |
# | --- | --- | --- | --- |
# | **LSTM, forget bias 0** | 1.00 · 1.00 · 1.00 | 0.13 · 0.97 · 0.12 | 0.12 · 0.13 · 0.12 |
# | **LSTM, forget bias log T** | 1.00 · 1.00 · 1.00 | 1.00 · 1.00 · 1.00 | 0.98 · 0.34 · 0.95 |
# | **attention** | 1.00 · 1.00 · 1.00 | 1.00 · 1.00 · 1.00 | 1.00 · 1.00 · 1.00 |
#
# Someone reads the table and writes: "LSTMs cannot carry a token through a sequence of 50 tokens. Only attention can."
#
# Give three things:
#
# * `"claim"`: which of these does the table support?
#   * `"a"` an LSTM cannot carry a token through a sequence of 50 tokens, so you need attention
#   * `"b"` an LSTM can carry a token through a sequence of 50 tokens, and with forget bias log T two of three runs did
#   * `"c"` an LSTM with forget bias log T remembers as reliably as attention
#   * `"d"` attention remembers through any sequence, however long
# * `"reason"`: which fact shows it?
#   * `"a"` at lengths 20 and 50, the mean of the first row is far below that of attention
#   * `"b"` the second row, which is an LSTM's, has 0.98 and 0.95 for the longest sequences
#   * `"c"` three seeds say nothing at all about what an LSTM can do
#   * `"d"` accuracies of 0.12 and 0.13 are no better than guessing
# * `"value"`: the highest accuracy of any LSTM on the longest sequences.

# %% exercise="recall.verdict" form="read a table" minutes=7 difficulty=2
### BEGIN SOLUTION
# The first row shows only that three LSTMs did not learn it. The second differs from it only in the forget bias, and two of
# its runs remember at length 50, one of them with 0.98: an LSTM can do it, although training does not succeed every time.
verdict = {"claim": "b", "reason": "b", "value": 0.98}
### END SOLUTION

# %%
check("recall.verdict")

# %% [markdown]
# ## More practice {#practice}
#
# You can stop here: the rest is optional. You count the steps between two tokens, write the recurrence for a whole batch,
# and plan an experiment. The Build does not ask for any of it.

# %% [markdown]
# ## 3 · How far is it from the first token to the last?
#
# A sequence has **1,025 tokens**, so the last comes 1,024 positions after the first. What is the **smallest number** of
# consecutive steps or layers after which the result for the last token can depend on the first?
#
# * **RNN.** The network has just read token 1. How many more steps does it need to read the last?
# * **Plain convolution, kernel 5.** In each layer, position i is computed from five positions of the layer below: its own, two
#   to the left and two to the right.
#
#   `o o i o o`
# * **Dilated convolution, kernel 3.** In each layer, position i is computed from three positions: its own, the one that is a
#   *gap* to the left, and the one that is a gap to the right. The gap is 1 in the first layer, 2 in the second, 4 in the
#   third, and doubles each time. With a gap of 2:
#
#   `o . i . o`
# * **Attention.** In each layer, every position is computed from all positions.
#
# Here is a small example with different numbers. The last of 7 tokens comes 6 positions after the first. The RNN needs 6
# steps. A plain convolution with kernel 7 sees three positions on each side, so it needs 2 layers. The dilated one reaches 1
# position after one layer, 1 + 2 = 3 after two, and 1 + 2 + 4 = 7 after three, so it needs 3 layers. (A layer that looks
# only to the left can use its whole kernel for that. Ours look to both sides. You can watch convolutions at work under
# *Deeper* in the lesson.)
#
# **Give four integers**: RNN, plain, dilated, attention.

# %% exercise="paths.lengths" form="in your head" minutes=10 difficulty=2
### BEGIN SOLUTION
# RNN: a step for each of the 1,024 tokens after the first. Plain: 2 positions per layer, 1,024 / 2. Dilated: L layers reach
# 1 + 2 + 4 + … = 2^L − 1 positions; 1,023 for L = 10, which is one short, and 2,047 for L = 11. Attention: one layer.
lengths = [1024, 512, 11, 1]
### END SOLUTION

# %%
check("paths.lengths")

# %% [markdown]
# ## Before the next exercise: a few words of NumPy {#primer}
#
# A model reads many sequences at once, a **batch**: arrays of the same shape, stacked along a new first axis. Three dots in an
# index, `x[..., t, :]`, stand for all axes that are not named. So the same line selects token `t` of one sequence `(n, d)`, or
# token `t` of every sequence in a batch `(b, n, d)`:

# %%
one = np.zeros((4, 3))  # four tokens with three numbers each
batch = np.zeros((5, 4, 3))  # five such sequences
print("token 2 of one sequence:  ", one[..., 2, :].shape)
print("token 2 of five sequences:", batch[..., 2, :].shape)
print("times a matrix (3, 6):    ", (batch[..., 2, :] @ np.zeros((3, 6))).shape)

# %% [markdown]
# `np.stack` turns a list of such pieces into one array again. Its `axis` says where the new axis goes in the result, and -2
# means that it becomes the second-to-last axis. `np.tanh` works number by number, and on numbers of any size:

# %%
pieces = [batch[..., t, :] for t in range(4)]
print("four pieces stacked:", np.stack(pieces, axis=-2).shape)
print("tanh:", np.tanh(np.array([-1000.0, 0.5, 1000.0])).round(4))

# %% [markdown]
# In torch you write `torch.stack(pieces, dim=-2)` and `torch.tanh`.

# %% [markdown]
# ## 4 · Every state, of every sequence
#
# Write the recurrence with matrices, h_t = tanh(h_{t−1} w_h + x_t w_x), and return **all** its states. The state before the
# first token is zero.
#
# * `x` has shape `(n, d)`, one sequence of n tokens, or `(b, n, d)`, a batch of b independent sequences;
# * `w_h` has shape `(k, k)` and `w_x` has shape `(d, k)`: a state has k numbers, and k usually differs from d;
# * the result has shape `(n, k)`, or `(b, n, k)` for a batch, and row t holds the state after token t.
#
# Some of the sums inside tanh are near 900.


# %% exercise="recurrence.states" form="program" minutes=20 difficulty=2
def states(x, w_h, w_x):
    """All states of h_t = tanh(h_{t-1} w_h + x_t w_x), zero before the first token."""
    ### BEGIN SOLUTION
    h = np.zeros(w_h.shape[0])  # the first sum makes it (b, k) if x is a batch
    found = []
    for t in range(x.shape[-2]):
        h = np.tanh(h @ w_h + x[..., t, :] @ w_x)
        found.append(h)
    return np.stack(found, axis=-2)
    ### END SOLUTION


# %%
check("recurrence.states")

# %% [markdown]
# ## 5 · Plan the experiment
#
# Someone has trained two LSTMs on the lesson's memory test and reports:
#
# | model | hidden | forget_bias | length | seed | | accuracy |
# | --- | --- | --- | --- | --- | --- | --- |
# | lstm | 32 | 0.0 | 20 | 0 | | 0.13 |
# | lstm | 64 | 3.0 | 20 | 1 | | 1.00 |
#
# "So an LSTM with twice as many numbers in its state can remember a token past 19 others." Perhaps. But the reason may also be
# the forget bias, or luck.
#
# **Plan the runs that can test this claim: is it the larger state that makes the difference?** A plan is a list of runs, and
# each run gives all five fields:
#
# | field | what it is | possible values |
# | --- | --- | --- |
# | `"model"` | what is trained | `"rnn"`, `"lstm"`, `"attention"` |
# | `"hidden"` | how many numbers its state has; more means more parameters | 32, 64, 128 |
# | `"forget_bias"` | the forget bias at the start of training (log 20 is 3.0, log 50 is 3.9) | 0.0, 3.0, 3.9 |
# | `"length"` | how many tokens a sequence has, the T of the lesson | 5, 10, 20, 50 |
# | `"seed"` | which random numbers training starts with | 0, 1, 2, … 9 |
#
# Two runs that agree in all five fields give the same result. You know this from the lesson, for LSTMs with hidden 32:
#
# | length | 5 | 10 | 20 | 50 |
# | --- | --- | --- | --- | --- |
# | forget bias 0 | remembers | remembers, mostly | guesses | guesses |
# | forget bias log T | remembers | remembers | remembers | remembers |
#
# The check looks only at your plan, not at any results: could these runs separate the effect of the size from that of
# everything else, luck included? An experiment compares two groups of runs, and the group to compare with is called the
# *control*. Use at least as many seeds as the lesson did. Training costs time, so plan at most 20 runs. You may write out the
# list, or build it with a loop. One run looks like this:

# %%
{"model": "rnn", "hidden": 128, "forget_bias": 0.0, "length": 5, "seed": 9}

# %% exercise="recall.plan" form="plan" minutes=15 difficulty=3
### BEGIN SOLUTION
# Two groups that differ in size only, where the small model only guesses, with the same three seeds.
plan = [
    {"model": "lstm", "hidden": hidden, "forget_bias": 0.0, "length": 20, "seed": seed}
    for hidden in (32, 64)
    for seed in (0, 1, 2)
]
### END SOLUTION

# %%
check("recall.plan")

# %% [markdown]
# Once your plan has passed, you can run it: write True in place of False. Each run trains for about a second. This cell is not
# graded.

# %% tags=["not-graded"]
if False:
    for run in plan:
        print(run, recall_accuracy(**run))

# %% [markdown]
# If both groups only guess, the larger state has not helped. The claim has then lost its support, and the forget bias is the
# next suspect. If the larger models remember, the claim has passed its first test.
