# %% [markdown] minutes=50 lessons=["27"] stages=["B11"]
# # B12 · Learning from rewards
#
# **Where we stand.** Everything that your models can do, they learned by imitation: of a text, or of answers that were shown.
#
# **What is missing** is learning without right answers, from a judge that only says how good an answer was (lesson 27). Today
# a GPT of yours learns sums in this way. You write the three pieces that this takes: the advantages of answers in a group, the loss
# that turns them into a gradient, and the measure that tells what was learned.
#
# You need {lessons} and {stages}. The whole stage takes about {minutes} minutes, with a minute and a half of training.

# %%
import math

import torch

from transformer_course.exercises import check

# %% [markdown]
# ## 1 · Better than the others
#
# The model answers each sum several times. Answers to the same sum are neighbours in one long row, and so are their rewards. An
# answer's **advantage** is how much better it is than the others to the same prompt.
#
# Write `advantages(rewards, group)`. `rewards` has shape `(r,)`, and each `group` neighbours belong to one prompt. Subtract the
# mean of the group, and divide by its standard deviation, the one that divides by `group`. (In torch, `std` needs `correction=0`
# for this.) If all rewards of a group are equal, its advantages are 0. Return one row again, of shape `(r,)`.


# %% exercise="build.advantages" form="program" minutes=8 difficulty=2
def advantages(rewards, group):
    """How much better each answer is than its group, in standard deviations."""
    ### BEGIN SOLUTION
    rows = rewards.view(-1, group)
    difference = rows - rows.mean(dim=1, keepdim=True)
    deviation = rows.std(dim=1, keepdim=True, correction=0)
    return (difference / deviation.clamp(min=1e-6)).flatten()
    ### END SOLUTION


# %% tags=["not-graded"]
print(advantages(torch.tensor([1.0, 0, 0, 0, 1, 1, 1, 1]), group=4))

# %%
check("build.advantages")

# %% [markdown]
# ## 2 · The loss
#
# First a function that you will need three times. `log_probs(model, ids)` returns, for each token but the first, the logarithm
# of the probability that the model gave it, of shape `(r, n - 1)`. It is your `log_prob` of B11, without the sum.
#
# Then write `policy_loss(model, reference, ids, written, sampled, advantages, clip, kl_weight)`:
#
# * `ids` and `written`, of shape `(r, n)`, are prompts with their answers, as in B11: `written` is True for what the model wrote.
# * `sampled` has the `log_probs` of these tokens at the time when they were sampled, without a gradient. The **ratio** of a token is
#   its probability now, divided by the one at that time.
# * A token's loss is $-\min(\text{ratio} \cdot A, \; \text{clip}(\text{ratio}) \cdot A)$. $A$ is the advantage of its answer, and
#   the clip limits the ratio to the range from 1 − `clip` to 1 + `clip`.
# * To this, add `kl_weight` times $e^d - d - 1$, where $d$ is the token's log-probability in `reference`, minus that in `model`. It
#   estimates the **KL divergence**: 0 where both agree, and larger the further the model has moved. The reference gets no gradient.
# * Take the mean over each answer's tokens, then over the answers.


# %% exercise="build.policy_loss" form="program" minutes=15 difficulty=3
def log_probs(model, ids):
    """The log-probability of each token but the first, given those before it."""
    ### BEGIN SOLUTION
    return model(ids)[:, :-1].log_softmax(-1).gather(-1, ids[:, 1:, None])[..., 0]
    ### END SOLUTION


def policy_loss(model, reference, ids, written, sampled, advantages, clip, kl_weight):
    """The clipped policy loss, and what it costs to leave the reference."""
    ### BEGIN SOLUTION
    now, counts = log_probs(model, ids), written[:, 1:]
    with torch.no_grad():
        start = log_probs(reference, ids)
    ratio, a = (now - sampled).exp(), advantages[:, None]
    cost = -torch.minimum(ratio * a, ratio.clamp(1 - clip, 1 + clip) * a)
    d = start - now
    cost = cost + kl_weight * (d.exp() - d - 1)
    return ((cost * counts).sum(1) / counts.sum(1)).mean()
    ### END SOLUTION


# %%
check("build.policy_loss")

# %% [markdown]
# ## 3 · One of k
#
# How will you see what was learned? **pass@k** is the probability that at least one of k answers is right ({chen2021}). To draw k
# answers once and look would be a matter of luck. So more are drawn, n of them, and every set of k different ones counts. If c of n
# are right, $\binom{n - c}{k}$ of the $\binom{n}{k}$ sets hold only wrong ones.
#
# Write `pass_at_k(right, k)`. `right`, of shape `(b, n)`, says which of the n answers to each of b prompts are right. Return a
# tensor of shape `(b,)`: for each prompt, the fraction of all sets of k answers that hold a right one. `math.comb(n, k)` is the
# number of sets.


# %% exercise="build.pass_at_k" form="program" minutes=8 difficulty=2
def pass_at_k(right, k):
    """For each prompt, the probability that k of its answers hold a right one."""
    ### BEGIN SOLUTION
    n = right.shape[1]
    return torch.tensor([1 - math.comb(n - c, k) / math.comb(n, k) for c in right.sum(1).tolist()])
    ### END SOLUTION


# %% tags=["not-graded"]
one_of_four = torch.tensor([[True, False, False, False]])
print([pass_at_k(one_of_four, k).item() for k in (1, 2, 4)])

# %%
check("build.pass_at_k")
