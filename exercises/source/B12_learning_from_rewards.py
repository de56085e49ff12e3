# %% [markdown] minutes=50 lessons=["27"] stages=["B11"]
# # B12 · Learning from rewards
#
# **Where we stand.** Everything your models can do, they learned by imitation: of a text, or of answers that they were shown.
#
# **What is missing** is learning without right answers, from a judge that says only how good an answer was (lesson 27). Today
# your GPT learns sums in this way. You write the three pieces that this takes: the advantages of answers in a group, the loss
# that turns them into a gradient, and the measure that shows what was learned.
#
# You need {lessons} and {stages}. The whole stage takes about {minutes} minutes, with a minute and a half of training.

# %%
import math

import torch

from transformer_course.exercises import check
from transformer_course.experiments import effort
from transformer_course.experiments import own_rewards as sums
from transformer_course.experiments.records import recorded
from transformer_course.experiments.rewards import UNSEEN, examples
from transformer_course.my_transformer import GPT, answer_loss

torch.set_num_threads(1)

# %% [markdown]
# ## Sometimes right
#
# A model that is never right is never paid, so it has to begin by imitating. Your `GPT` reads sums as characters, such as
# `37+85=`, and learns the answers to 2,000 of them with your `answer_loss` from B11. It stops as soon as 40% of sampled
# answers are right, after about 20 seconds.


# %% tags=["not-graded"]
def learn_by_imitation(model):
    steps = effort.steps(1000, short=20)
    sums.imitate(model, answer_loss, steps=steps, seed=1, until=sums.ENOUGH)


taught = sums.trained(
    "imitation", sums.new_model(GPT, seed=1), learn_by_imitation, answer_loss
).model
for prompt, written in examples(taught, UNSEEN[:3]).items():
    print(prompt, *written)

# %% [markdown]
# These are eight sampled answers to each of three sums that the model has not seen. It gets some sums right sometimes; for
# others, all eight answers may be wrong.
#
# ## 1 · Better than the others
#
# From now on, nobody shows the model an answer. A program pays 1 for a right one, and 0 otherwise. The model answers each sum
# several times. Answers to the same sum are neighbours in one long row, and so are their rewards. An answer's **advantage** is
# how much better it is than the others to the same sum.
#
# Write `advantages(rewards, group)`. `rewards` has shape `(r,)`, and every `group` neighbours belong to one prompt. Subtract
# the mean of the group, and divide by its standard deviation, the one that divides by `group`. (In torch, `std` needs
# `correction=0` for this.) If all rewards of a group are 0, or all are 1, its advantages are 0. Return one row again, of
# shape `(r,)`.


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
# First, write a function that you will need three times. `log_probs(model, ids)` returns a tensor of shape `(r, n - 1)`: for
# each token but the first, the logarithm of the probability that the model gave it. It is your `log_prob` from B11, without
# the sum. (`model(ids)` returns logits, `(r, n, v)`.)
#
# Then write `policy_loss(model, reference, ids, written, sampled, advantages, clip, kl_weight)`:
#
# * `ids` and `written` have shape `(r, n)`, as in B11: `ids` holds prompts with their answers, and `written` is True for
#   what the model wrote.
# * `sampled` has the `log_probs` of these tokens at the time of sampling, without a gradient. The **ratio** of a token is its
#   probability now, divided by its probability at that time.
# * A token's loss is $-\min(\text{ratio} \cdot A, \; \text{clip}(\text{ratio}) \cdot A)$. $A$ is the advantage of its answer,
#   and the clip limits the ratio to the range from 1 − `clip` to 1 + `clip`.
# * To this, add `kl_weight` times $e^d - d - 1$, where $d$ is the token's log-probability in `reference`, minus that in
#   `model`. This term estimates the **KL divergence**: 0 where both agree, and larger the further the model has moved. The
#   reference gets no gradient.
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
# How will you see what was learned? **pass@k** is the probability that at least one of k answers is right ({chen2021}).
# Drawing just k answers would leave much to luck. So more are drawn, n of them, and every set of k different ones counts. If c
# of n are right, $\binom{n - c}{k}$ of the $\binom{n}{k}$ sets contain only wrong ones.
#
# Write `pass_at_k(right, k)`. `right`, of shape `(b, n)`, says which of the n answers to each of b prompts are right. Return a
# tensor of shape `(b,)`: for each prompt, the fraction of all sets of k answers that contain a right one. `math.comb(n, k)` is
# the number of sets.


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

# %% [markdown]
# ## Before
#
# Here are the percentages for 300 unseen sums, from 16 answers to each and from the most probable one ("greedy"), before any
# reward:

# %% tags=["not-graded"]
sums.print_table({"imitation": taught}, pass_at_k)

# %% [markdown]
# The brackets hold 95% intervals: they show how far a number might be off because these 300 sums were drawn, and not others.
#
# ## One step
#
# Now everything comes together. **Predict:** what is the loss of the first update?

# %% tags=["not-graded"]
ids, rewards = sums.attempt(taught, torch.Generator().manual_seed(0))
written, better = sums.written_in(ids), advantages(rewards, sums.GROUP)
with torch.no_grad():
    sampled = log_probs(taught, ids)
loss = policy_loss(taught, taught, ids, written, sampled, better, clip=0.2, kl_weight=0.04)
print(f"{rewards.mean():.2f} of the answers are right; the loss is {abs(loss.item()):.4f}")

# %% [markdown]
# The loss is 0: all ratios are 1, and the advantages of a group cancel. The same is true of the first update with each new set
# of answers, however good the model is (apart from the KL). Only the gradient of this loss matters, so watch the rewards.
#
# ## It learns from rewards
#
# `sums.improve` repeats this step: 16 sums out of 2,000 new ones, eight answers each, rewards, your `advantages`, your
# `log_probs` as `sampled`, and two updates with your `policy_loss`. The reference is the model at the start. The 120 steps
# take about 15 seconds.
#
# **Predict:** which will rise more, pass@1 or pass@8? And would the same number of imitation updates do better?


# %% tags=["not-graded"]
def learn_from_rewards(model):
    return sums.improve(
        model, advantages, log_probs, policy_loss, effort.steps(sums.STEPS, short=2), seed=1
    )


functions = advantages, log_probs, policy_loss
found = sums.trained("rewards", taught, learn_from_rewards, *functions)
for name, values in found.measured.items():
    print(f"{name:6}", *sums.means(values, together=20))

# %% [markdown]
# Each number is the mean of 20 steps: the fraction of answers that are right, and the KL from the model to its start.
#
# The control has no judge. For the same number of updates, it goes on imitating the 2,000 sums that it knows:


# %% tags=["not-graded"]
def imitate_more(model):
    steps = effort.steps(sums.STEPS * sums.UPDATES, short=2)
    sums.imitate(model, answer_loss, steps=steps, seed=11)


more = sums.trained("more-imitation", taught, imitate_more, answer_loss).model
sums.print_table({"before": taught, "rewards": found.model, "more imitation": more}, pass_at_k)

# %% [markdown]
# ## Three seeds, and five times the rate
#
# You ran seed 1. We recorded three seeds, with two more versions: imitation of the very sums that the judge was asked about,
# and rewards at five times the learning rate.

# %%
record = recorded("own_rewards")
for version in ("before", *sums.VERSIONS):
    print(version)
    for kind in ("greedy", "pass@1", "pass@8"):
        print(
            f"   {kind}",
            *(f"{100 * seed[version][kind][0]:3.0f}%" for seed in record["seeds"].values()),
        )
print("KL in the first five steps, at each rate:")
for version in sums.VERSIONS[:2]:
    print("   ", *(seed[version]["kl"][0] for seed in record["seeds"].values()))
print("recorded on", record["day"])

# %% [markdown]
# Each row shows seeds 0, 1 and 2; each number has an interval of 2 to 6 points on either side.
#
# * Rewards raise pass@1 by 13 to 22 points with every seed, and pass@8 by 7. In lesson 27, pass@8 hardly
#   moved; that was a different model, and we do not know which difference matters.
# * Was it the rewards? The same number of imitation updates raises pass@1 as well. Imitating the known sums raises it by
#   more with two seeds; imitating the new ones, by more with one seed and by as much with another. With seed 2, rewards reach
#   66%, and imitation 63% and 51%. (Imitation has its own learning rate, ten times as high. We tuned neither.) So this does
#   not show that either teaches more. Rewards needed no answers, only a check.
# * At five times the rate, pass@8 falls with every seed, by 7 to 21 points. The KL warns at once: it is 6 to 11 times as high.
#
# The models are in `models/` in your folder, as `B12-imitation`, `B12-rewards` and `B12-more-imitation`. The cells above can
# load them another day.
#
# ## What you can claim now
#
# *My own model got better at sums that nobody showed it, because a program told it which of its attempts were right.* You can
# say by how much, with an interval, and compared with which control. You can also say what your loss cannot tell you: it
# begins at 0, however good the model is.
