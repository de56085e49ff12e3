# %% [markdown]
# # Sheet 27 · Learning from rewards
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
# ## 1 · Four answers and one token
#
# A model samples four answers to one prompt, and a program pays 1, 0, 0 and 0 for them. An advantage is the reward minus the
# mean of its group, divided by the standard deviation of its group (the square root of the mean squared difference from the
# mean). The clip is 0.2.
#
# Give a list of five numbers, correct to two decimal places:
#
# 1. the advantage of the right answer;
# 2. the advantage of a wrong answer;
# 3. the advantage of an answer to another prompt, to which all eight answers are right;
# 4. the clipped loss of a token whose ratio is 1.5, in an answer with an advantage of 2;
# 5. the same for an answer with an advantage of −2.
#
# You can use the cell as a calculator.

# %% exercise="rewards.by_hand" form="by hand" minutes=6 difficulty=1
### BEGIN SOLUTION
# The mean is 0.25 and the deviation √0.1875 = 0.433. Where all are right, every difference is 0. The loss is minus the smaller of
# two products: 1.5 · 2 = 3 and 1.2 · 2 = 2.4; then 1.5 · (−2) = −3 and 1.2 · (−2) = −2.4.
numbers = [0.75 / 0.1875**0.5, -0.25 / 0.1875**0.5, 0, -2.4, 3]
### END SOLUTION

# %%
check("rewards.by_hand")

# %% [markdown]
# ## 2 · Better than its group
#
# Write `advantages(rewards)`. `rewards` has shape `(b, g)`: a row for each of b prompts, with the rewards of its g ≥ 2
# answers. In each row, subtract the row's mean, and divide by the row's standard deviation (with a division by g, not g − 1).
# If all rewards of a row are equal, its advantages are 0. (Its computed deviation may then be a rounding error, such as
# 1e-17.) The result has the same shape as `rewards`.


# %% exercise="rewards.advantages" form="program" minutes=8 difficulty=2
def advantages(rewards):
    """How much better each answer is than its group, in deviations of the group."""
    ### BEGIN SOLUTION
    difference = rewards - rewards.mean(axis=1, keepdims=True)
    deviation = rewards.std(axis=1, keepdims=True)
    return difference / np.where(deviation > 1e-8, deviation, 1)  # 0, but for rounding
    ### END SOLUTION


# %%
check("rewards.advantages")

# %% [markdown]
# ## 3 · What did the rewards teach?
#
# These rows are from the record that the lesson shows, with seed 0. pass@k is the probability that at least one of k samples
# is right, on unseen sums:
#
# | row | model | pass@1 | pass@8 |
# | --- | --- | --- | --- |
# | **A** | before | 0.44 | 0.91 |
# | **B** | A, then 120 steps of rewards | 0.67 | 0.94 |
# | **C** | as B, at five times the rate | 0.51 | 0.75 |
# | **D** | A, then the same number of updates by imitation, of the sums that it knew | 0.83 | 0.99 |
#
# **Which claim do these rows support?**
#
# * `"a"`: rewards taught the model many sums that it never got right before
# * `"b"`: rewards made the model give more often what it could already give
# * `"c"`: five times the rate only makes it learn faster
# * `"d"`: rewards teach more than imitation, because they show mistakes
#
# **What is the reason?**
#
# * `"a"`: from A to B, the first column rises by 0.23, and the second by far less
# * `"b"`: C is above A in the first column
# * `"c"`: B needed no right answers, only a judge
# * `"d"`: D is the best row in both columns
#
# Model A finds no right answer in eight attempts for about 9% of the sums. **Which number in the table would be close to 0.99,
# as in row D, if the rewards had taught the model most of these sums?**

# %% exercise="rewards.verdict" form="read a table" minutes=5 difficulty=2
### BEGIN SOLUTION
# 0.91 could have risen to 0.99, as imitation shows, and it rose to 0.94. B is above all right more often.
verdict = {"claim": "b", "reason": "a", "value": 0.94}
### END SOLUTION

# %%
check("rewards.verdict")

# %% [markdown]
# ## More practice {#practice}
#
# You can stop here: the rest is optional. You write pass@k and the whole loss, and find a hole in a judge.

# %% [markdown]
# ## 4 · One right answer is enough
#
# Write `pass_at_k(correct, samples, k)`. For each prompt, `samples` answers were drawn, and `correct`, of shape `(b,)`, says
# how many of them were right. Somebody picks k of these answers at random, all different. Return, for each prompt, the
# probability that at least one of the k is right: an array of shape `(b,)`. k is at most `samples`. `math.comb(n, k)` is the
# number of sets of k things out of n.


# %% exercise="rewards.pass_at_k" form="program" minutes=9 difficulty=2
def pass_at_k(correct, samples, k):
    """For each prompt, the probability that one of k answers is right."""
    ### BEGIN SOLUTION
    from math import comb

    return np.array([1 - comb(samples - int(c), k) / comb(samples, k) for c in correct])
    ### END SOLUTION


# %%
check("rewards.pass_at_k")

# %% [markdown]
# ## 5 · The loss
#
# Write `policy_loss(log_probs, sampled, advantages, mask, clip)`. It gets:
#
# * `log_probs`, `(r, n)`: the log-probability of each token of r answers, under the model that is being trained;
# * `sampled`, `(r, n)`: the same under the model that sampled the answers;
# * `advantages`, `(r,)`: one number per answer;
# * `mask`, `(r, n)`: True for the tokens of the answer, False for padding;
# * `clip`, a number such as 0.2.
#
# Average over the tokens of each answer first, then over the answers. Return one number.


# %% exercise="rewards.policy_loss" form="program" minutes=12 difficulty=3
def policy_loss(log_probs, sampled, advantages, mask, clip):
    """The clipped policy loss, averaged over each answer's tokens, then over the answers."""
    ### BEGIN SOLUTION
    ratio = np.exp(log_probs - sampled)
    a = advantages[:, None]
    loss = -np.minimum(ratio * a, np.clip(ratio, 1 - clip, 1 + clip) * a)
    return ((loss * mask).sum(axis=1) / mask.sum(axis=1)).mean()
    ### END SOLUTION


# %%
check("rewards.policy_loss")

# %% [markdown]
# ## 6 · A hole in the judge
#
# Before there were calculators, people checked a long sum by casting out nines: both sides must leave the same remainder when
# they are divided by 9. A program that pays for this never needs the sum itself:


# %%
def by_nines(a, b, answer):
    return float((a + b - answer) % 9 == 0)


print(by_nines(37, 85, 122), by_nines(37, 85, 112))

# %% [markdown]
# **Give `trap = (a, b, answer)` for which it pays although the answer is wrong.** a and b have two digits, and the answer is
# from 20 to 198.

# %% exercise="rewards.nines" form="find an input" minutes=4 difficulty=1
### BEGIN SOLUTION
# Any answer that is wrong by 9, 18, 27 … leaves the same remainder. Two digits in the wrong order always do.
trap = (37, 85, 113)
### END SOLUTION

# %%
check("rewards.nines")
