# %% [markdown]
# # Sheet 21 · Reading sources critically
#
# The core takes about {minutes} minutes. Below it is more practice, another {practice} minutes, which you can leave out.
# Each exercise has a cell for your answer and a cell that checks it. Run both with Shift + Enter, as often as you like. If an
# answer does not pass, the check says what is wrong. You can then unfold hints, one at a time, and after the last hint a
# solution.
#
# The six claims here are new. We wrote them in the style of texts that you may read, and not all of them are false.

# %%
import numpy as np

from transformer_course.exercises import check

# %% [markdown]
# ## 1 · What it predicts, and what comes out
#
# > **Claim 5.** LayerNorm gives every token's vector length 1.
#
# Take LayerNorm at the start of training: γ is all ones, β is all zeros, and you may leave out the tiny ε. The length of a
# vector is the square root of the sum of its squares. Give a list of four numbers:
#
# 1. the length that the claim predicts for the output of LayerNorm on [3, −1, −3, 1];
# 2. the length that this output really has;
# 3. the length of its output for a token of 100 numbers (any token whose numbers are not all equal);
# 4. the length of its output for [9, −3, −9, 3], three times the first token.

# %% exercise="reading.lengths" form="by hand" minutes=5 difficulty=1
### BEGIN SOLUTION
# After LayerNorm the mean is 0 and the variance 1, so the mean of the d squares is 1. Their sum is d, and the length √d.
lengths = [1, 2, 10, 2]
### END SOLUTION

# %%
check("reading.lengths")

# %% [markdown]
# <details><summary>What is true (open this once you have passed)</summary>With γ = 1, β = 0 and d numbers
# that are not all equal, the length is √d.</details>

# %% [markdown]
# ## 2 · Closer to even
#
# > **Claim 6.** If you divide all scores by the same number above 1, as attention does with √d_k, *every* weight gets closer to
# > 1/n: large ones fall, and small ones rise.


# %%
def weights(scores):
    exponentials = np.exp(np.array(scores) - np.max(scores))
    return exponentials / exponentials.sum()


for scores in ([2.0, 1.0, 0.0], [4.0, 0.0, 0.0, -1.0]):
    before, halved = weights(scores), weights(np.array(scores) / 2)
    print(before.round(4), "→", halved.round(4), "   1/n:", round(1 / len(scores), 4))

# %% [markdown]
# Both cases agree with the claim. **Give `scores` that contradict it:** when you divide all of them by 2, some weight gets
# *further* from 1/n, by at least 0.01. Give a list of 2 to 8 numbers between −20 and 20.

# %% exercise="reading.nearer" form="find an input" minutes=6 difficulty=2
### BEGIN SOLUTION
# A weight that is 1/n can only get further from it. The exponentials are 2, 1 and about 0, so the middle weight is 1/3. After
# halving they are 1.414, 1 and nearly 0.
scores = [0.6931, 0.0, -20.0]
### END SOLUTION

# %%
check("reading.nearer")

# %% [markdown]
# <details><summary>What is true (open this once you have passed)</summary>The <em>largest</em> weight never
# rises, and the smallest never falls. Those in between may do either.</details>

# %% [markdown]
# ## 3 · The lower loss
#
# > **Claim 7.** If two models predict the same labels, the one with the lower loss gets at least as many of them right.
#
# Take a vocabulary of three tokens. At each position, a model gives a row of three probabilities, and the label is always the
# *first* token. A position is right if the label has a larger probability than each of the other two. The loss is the mean
# of −ln p(label), as in lesson 14:


# %%
def loss_and_right(rows):
    rows = np.array(rows, float)
    return -np.log(rows[:, 0]).mean(), (rows[:, :1] > rows[:, 1:]).all(axis=1).sum()


model_a = [[0.6, 0.2, 0.2], [0.5, 0.4, 0.1]]
model_b = [[0.5, 0.3, 0.2], [0.2, 0.7, 0.1]]
for name, rows in {"a": model_a, "b": model_b}.items():
    loss, right = loss_and_right(rows)
    print(f"{name}: loss {loss:.4f}, {right} of {len(rows)} positions right")

# %% [markdown]
# Here the claim holds. **Give `two_models = (a, b)` that contradict it:** the loss of a is lower than that of b by at least
# 0.05, but a gets fewer positions right. Both have the same number of rows, from 1 to 6. Each row consists of three
# probabilities that sum to 1, and no label has probability 0. (What is the smallest case?)

# %% exercise="reading.lower_loss" form="find an input" minutes=7 difficulty=2
### BEGIN SOLUTION
# One position is enough. In b, the label is right with 0.4, because the other two have less. In a, it is wrong with 0.45.
a = [[0.45, 0.55, 0.0]]
b = [[0.4, 0.3, 0.3]]
two_models = (a, b)
### END SOLUTION

# %%
check("reading.lower_loss")

# %% [markdown]
# <details><summary>What is true (open this once you have passed)</summary>If the loss over n positions is
# below ln 2 / n, all n are right. At a position that is not right, the label has a probability of at most 1/2, so it adds at
# least ln 2 to the sum.</details>

# %% [markdown]
# ## More practice {#practice}
#
# You can stop here: the rest is optional. You write a test and compare two claims with a table. The Build does not ask for
# either.

# %% [markdown]
# ## 4 · Is it linear?
#
# > **Claim 8.** If the output of a function doubles whenever its input doubles, the function is linear.
#
# A function f is **linear** if f(x + y) = f(x) + f(y) and f(c·x) = c·f(x), for all inputs x and y and all numbers c, including
# negative ones. Multiplying by a matrix is linear.
#
# Here is a feed-forward network without biases. When its input doubles, so does its output, for three random inputs:


# %%
def network(x):
    d = x.shape[1]
    w1, w2 = np.random.default_rng(d).standard_normal((2, d, 3 * d))
    return np.maximum(0, x @ w1) @ w2.T


for seed in range(3):
    x = np.random.default_rng(seed).standard_normal((5, 3))
    print("largest difference:", np.abs(network(2 * x) - 2 * network(x)).max().round(4))

# %% [markdown]
# And yet it is not linear. **Write `is_linear(f)`**, which returns True if f is linear, as far as a few inputs can tell, and
# False if it is not. f takes an array of shape `(n, d)` with finite numbers, one row per token, for any n and d, and returns
# an array of the same shape. It always returns the same output for the same input.
#
# The check calls your test with six linear functions and with eleven that are not. (Its messages call the linear ones right
# and the others broken.) Some of the eleven go wrong only with negative numbers, and one goes wrong only with sums of
# different inputs. One replaces all numbers above 6 with 6, so it goes wrong only with larger numbers, such as 10 or 20. (But
# do not test only with numbers near a million: something small, such as a bias, is then lost in rounding.) Compare with
# `np.allclose(a, b)`, never with `==`.


# %% exercise="reading.test_linear" form="write a test" minutes=10 difficulty=3
def is_linear(f):
    """True if f(x + y) = f(x) + f(y) and f(c x) = c f(x), as far as a few inputs can tell."""
    ### BEGIN SOLUTION
    rng = np.random.default_rng(0)
    for size in (1, 20):
        x, y = size * rng.standard_normal((2, 5, 3))
        if not np.allclose(f(x + y), f(x) + f(y)) or not np.allclose(f(-3 * x), -3 * f(x)):
            return False
    return True
    ### END SOLUTION


# %%
check("reading.test_linear")

# %% [markdown]
# ## 5 · On which side?
#
# > **Claim 9.** In every model whose attention has a padding mask, the real tokens have the same outputs with the padding on the
# > left as with the padding on the right, whatever positions the model uses.
# >
# > **Claim 10.** In every model that has both a padding mask and rotary positions, the real tokens have the same outputs with
# > the padding on the left as with the padding on the right.
#
# An untrained encoder of two layers reads four tokens, first with three positions of padding *after* them, then with the three
# *before* them, so that each token is three positions further on. For each of three seeds, the table gives the
# largest change of any number in the outputs of the four tokens:
#
# | row | positions | padding mask | seed 0 | seed 1 | seed 2 |
# | --- | --- | --- | --- | --- | --- |
# | **A** | none | yes | 0.00 | 0.00 | 0.00 |
# | **B** | sinusoids, added to the vectors | yes | 1.71 | 1.37 | 3.08 |
# | **C** | rotary | yes | 0.00 | 0.00 | 0.00 |
# | **D** | rotary | no | 0.05 | 0.06 | 0.02 |
#
# Give three things:
#
# * `"claim"`: which of the two claims agree with the table?
#   * `"a"`: both
#   * `"b"`: only claim 10
#   * `"c"`: only claim 9
#   * `"d"`: neither
# * `"reason"`:
#   * `"a"`: a mask hides the padding from all tokens, so the same text is left
#   * `"b"`: the tokens are three positions further on, and every model with positions depends on that
#   * `"c"`: row D changes as well, so it is the mask that decides
#   * `"d"`: three positions further on, a different row is added to each vector; but rotary scores depend only on distances,
#     and these stay the same
# * `"value"`: the *smallest* number in the table that contradicts claim 9.

# %% exercise="reading.padding_side" form="read a table" minutes=6 difficulty=2
### BEGIN SOLUTION
# Row B has the mask, and still its outputs change, by at least 1.37. Row D has no mask, so claim 9 is not about it.
verdict = {"claim": "b", "reason": "d", "value": 1.37}
### END SOLUTION

# %%
check("reading.padding_side")

# %% [markdown]
# <details><summary>What is true (open this once you have passed)</summary>Claim 9 also holds in row A, without
# positions. Row C shows three seeds at one size, which does not prove anything. The proof is that rotary scores depend only on
# distances: lesson 08.</details>
