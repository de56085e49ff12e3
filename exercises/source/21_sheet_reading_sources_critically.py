# %% [markdown]
# # Sheet 21 · Reading sources critically
#
# Five exercises, about 35 minutes in all. Each has a cell for your answer and a cell that checks it. Run both with Shift +
# Enter, as often as you like. If an answer does not pass, the check says what is wrong with it. Below that you can unfold
# hints, one at a time, and after the last hint a solution.
#
# The claims go on counting where the lesson stopped. Not all of the six are false.

# %%
import numpy as np

from transformer_course.exercises import check

# %% [markdown]
# ## 1 · What it foretells, and what comes out (by hand, 5 minutes, ●○○)
#
# > **Claim 5.** LayerNorm brings every token's vector to length 1.
#
# Take LayerNorm as it starts: γ is all ones, β all zeros, and the tiny ε may be left out. The length of a vector is the root
# of the sum of its squares. Give a list of four numbers:
#
# 1. the length that the claim foretells for what LayerNorm makes of [3, −1, −3, 1];
# 2. the length that it really has;
# 3. the length of what LayerNorm makes of a token of 100 numbers (any token whose numbers are not all alike);
# 4. the length of what it makes of [9, −3, −9, 3], three times the first token.

# %% exercise="reading.lengths"
### BEGIN SOLUTION
# LayerNorm makes the mean of the squares 1 (the mean is 0 and the variance 1). So their sum is d, and the length √d.
lengths = [1, 2, 10, 2]
### END SOLUTION

# %%
check("reading.lengths")

# %% [markdown]
# (What is true, with γ = 1, β = 0 and d numbers that are not all alike: the length is √d.)
#
# ## 2 · Nearer to even (find an input, 6 minutes, ●●○)
#
# > **Claim 6.** Dividing all scores by a number above 1, as attention does with √d_k, brings *every* weight nearer to the even
# > share 1/n: large ones fall, small ones rise.


# %%
def weights(scores):
    exponentials = np.exp(np.array(scores) - np.max(scores))
    return exponentials / exponentials.sum()


for scores in ([2.0, 1.0, 0.0], [4.0, 0.0, 0.0, -1.0]):
    as_it_is, halved = weights(scores), weights(np.array(scores) / 2)
    print(as_it_is.round(4), "→", halved.round(4), "   even:", round(1 / len(scores), 4))

# %% [markdown]
# In both cases it is so. **Give `scores` for which it is not:** when all are divided by 2, some weight is *further* from 1/n
# than before, by at least 0.01. A list of 2 to 8 numbers between −20 and 20.

# %% exercise="reading.nearer"
### BEGIN SOLUTION
# A weight that is 1/n can only move away. The exponentials are 2, 1 and about 0: the middle weight is 1/3. Halved: 1.414, 1, 0.
scores = [0.6931, 0.0, -20.0]
### END SOLUTION

# %%
check("reading.nearer")

# %% [markdown]
# (What is true: the *largest* weight never rises, and the smallest never falls. Those in between go where they like.)
#
# ## 3 · The lower loss (find an input, 7 minutes, ●●○)
#
# > **Claim 7.** Of two models that are asked the same questions, the one with the lower loss gets at least as many tokens right.
#
# A vocabulary of three tokens; at each position, a model gives a row of three probabilities. The label is always the *first*
# token. A position is right when no other token of its row has as large a probability as the label; the loss is the mean of
# −ln p(label), as in lesson 14:


# %%
def loss_and_right(rows):
    rows = np.array(rows, float)
    return -np.log(rows[:, 0]).mean(), (rows[:, :1] > rows[:, 1:]).all(axis=1).sum()


print(
    loss_and_right([[0.6, 0.2, 0.2], [0.5, 0.4, 0.1]]),
    loss_and_right([[0.5, 0.3, 0.2], [0.2, 0.7, 0.1]]),
)

# %% [markdown]
# Here the claim holds. **Give `two_models = (a, b)` for which it does not:** a's loss is lower than b's by at least 0.05, and yet
# a gets fewer positions right. Both have the same number of rows, from 1 to 6. Each row holds three probabilities and sums to
# 1; labels have more than 0. (What is the smallest case?)

# %% exercise="reading.lower_loss"
### BEGIN SOLUTION
# One position is enough. b is right with 0.4, since the others have less; a is wrong with 0.45, since another one has more.
a = [[0.45, 0.55, 0.0]]
b = [[0.4, 0.3, 0.3]]
two_models = (a, b)
### END SOLUTION

# %%
check("reading.lower_loss")

# %% [markdown]
# (What is true: when the loss over n positions is below ln 2 / n, all n are right. A position that is not right gives its
# label at most 1/2, and so adds at least ln 2 to the sum.)
#
# ## 4 · Linear? (write a trial, 10 minutes, ●●●)
#
# > **Claim 8.** A function is linear if it doubles whenever its input doubles.
#
# A function f is **linear** when it does with a sum what it does with the parts, f(x + y) = f(x) + f(y), and with a multiple
# the same multiple, f(c·x) = c·f(x), for all x and y and all numbers c, negative ones too. A product with a matrix is so.
#
# Here is a feed-forward network without biases. When its input doubles, so does what comes out, three times out of three:


# %%
def network(x):
    d = x.shape[1]
    w1, w2 = np.random.default_rng(d).standard_normal((2, d, 3 * d))
    return np.maximum(0, x @ w1) @ w2.T


for seed in range(3):
    x = np.random.default_rng(seed).standard_normal((5, 3))
    print(np.allclose(network(2 * x), 2 * network(x)))

# %% [markdown]
# It is not linear all the same. **Write `is_linear(f)`**, which returns True when f is linear, as far as a few tries can tell,
# and False when it is not. f takes an array of shape `(n, d)` with finite numbers, one row a token, any n and d, and returns an
# array of the same shape. Given the same input, it always returns the same.
#
# The check calls your trial with six linear functions and with ten that are not. Some of these go wrong with negative numbers
# only. One cuts off at 6, so it goes wrong with large numbers only, such as 10 or 20. (Beside a million, what is small does not
# show any more, such as a bias.) Compare with `np.allclose(a, b)`, never with `==`.


# %% exercise="reading.test_linear"
def is_linear(f):
    """True when f(x + y) = f(x) + f(y) and f(c x) = c f(x), as far as a few tries can tell."""
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
# ## 5 · On which side? (read a table, 6 minutes, ●●○)
#
# > **Claim 9.** If a model's attention gets a padding mask, then, whatever its positions, it makes no difference to the real
# > tokens on which side the padding stands, left or right.
# >
# > **Claim 10.** The same, for a model with rotary positions.
#
# An encoder of two layers, untrained, reads four tokens with three of padding behind them, and then with the three *before*
# them, so that each token stands three places further on. The numbers say how far the outputs of the four tokens move from one
# to the other (the largest change of any of their numbers), for three seeds:
#
# | row | positions | padding mask | | | |
# | --- | --- | --- | --- | --- | --- |
# | **A** | none | yes | 0.00 | 0.00 | 0.00 |
# | **B** | sinusoids, added to the vectors | yes | 1.71 | 1.37 | 3.08 |
# | **C** | rotary | yes | 0.00 | 0.00 | 0.00 |
# | **D** | rotary | no | 0.05 | 0.06 | 0.02 |
#
# Give three things:
#
# * `"claim"`: which of the two holds?
#   * `"a"` both
#   * `"b"` claim 10 alone
#   * `"c"` claim 9 alone
#   * `"d"` neither
# * `"reason"`:
#   * `"a"` a mask hides the padding from everyone, so what is left is the same text
#   * `"b"` the tokens stand three places further on, and every model with positions notices that
#   * `"c"` row D moves as well, so it is the mask that decides
#   * `"d"` what is added to a vector is another row three places on; rotary scores depend on distances alone, and these stay
# * `"value"`: the *smallest* number of the table that speaks against claim 9.

# %% exercise="reading.padding_side"
### BEGIN SOLUTION
# Row B has the mask, and its outputs move all the same, by 1.37 at least. Row D has none: claim 9 says nothing about it.
verdict = {"claim": "b", "reason": "d", "value": 1.37}
### END SOLUTION

# %%
check("reading.padding_side")

# %% [markdown]
# (Row A is claim 9's other case: without positions it holds too. And C is three seeds of one size, no proof; the proof is that
# rotary scores depend on distances alone, lesson 08.)
