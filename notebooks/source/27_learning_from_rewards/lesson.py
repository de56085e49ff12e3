# %% [markdown] minutes=23
# # 27 · Learning from rewards: what can a model learn from a judge?
#
# Somebody who is told nothing but "right" or "wrong" can still get better at sums. Can a language model? In January 2025, the
# makers of DeepSeek-R1 published one trained in this way. It tried mathematics problems, a program compared its final answers
# with the known results, and in this training nobody showed it a single solution. On a school competition's problems, correct
# first attempts rose from 15.6% to 71.0% ({deepseek2025}). Nearly all models in this course have learned by imitation, which
# needs the right next token at every position. What if there is only a judge?
#
# About {minutes} minutes. By the end, you will be able to
#
# * compute the advantages of a group of answers, and tell which tokens' probabilities the clipped loss still changes;
# * say what rewards did here to pass@1 and pass@8 (right in one try or in eight), and give one reason;
# * name two signs that learning from rewards is going wrong.

# %%
import copy

import numpy as np
import torch

from transformer_course import explorables, figures
from transformer_course.exercises import ask, predict, reveal
from transformer_course.experiments import effort, judged_answers, written_steps
from transformer_course.experiments.records import recorded
from transformer_course.experiments.rewards import (
    ENOUGH,
    IMITATED,
    LIMIT,
    PROMPT,
    REWARDED,
    UNSEEN,
    evaluate,
    examples,
    imitate,
    learn_from_rewards,
    new_model,
    prompt_ids,
    text,
)
from transformer_course.rewards import (
    answer_log_probs,
    group_advantages,
    policy_loss,
    sample_answers,
    scored,
)

torch.set_num_threads(1)

# %%
ax = figures.architecture(
    "output softmax", title="Lesson 27: who judges what is drawn here?", small=True
)

# %% [markdown]
# <!-- picture -->
# the map from lesson 00. No box is new. What changes is where the gradient comes from: not from labels, but from a program
# that looks at what was sampled from the highlighted box.
# <!-- end -->
#
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %% ask="27.recall"


# %% [markdown] seconds=15
# ## Sometimes right {#sometimes-right}
#
# The model is a GPT of 103,000 parameters that reads sums as characters, such as `37+85=`. First it imitates right answers to
# 2,000 sums, and we stop as soon as 40% of 400 sampled answers are right. This takes about {seconds} seconds.

# %% tags=["M5"]
before = new_model(seed=0)
_ = imitate(before, IMITATED, until=ENOUGH)

# %% [markdown]
# Now it answers two unseen sums, eight times each, sampled at temperature 1 (lesson 16). Below them you see how well it does on
# 300 unseen sums, from 16 samples for each: **pass@k** is the probability that at least one of k samples is right
# ({chen2021}). So pass@1 is how often it is right, and pass@8 is the fraction of sums that it *can* get right, in eight
# tries.

# %% tags=["M5", "nbval-ignore-output"]
for prompt, written in examples(before, UNSEEN[:2]).items():
    print(prompt, *written)
at_first = evaluate(before)
for k in (1, 8):
    print(f"pass@{k}: {at_first[k]}")

# %% [markdown]
# The model can do these sums, but not every time. (The brackets hold 95% intervals. pass@1 need not be the 0.40 from other
# sums.)
#
# ## A judge, and a group {#judge}
#
# A **reward** is a number that a program gives to a whole answer. Our program computes the sum itself, and stands in for a
# judge that can check an answer but not write one.


# %%
def right(prompt, answer):
    """1 if the answer is the sum that the prompt asks for. `text` turns ids into characters."""
    a, b = text(prompt)[:-1].split("+")
    return float(text(answer) == str(int(a) + int(b)))


# %%
ax = figures.schematic("rewards")

# %% [markdown]
# <!-- picture -->
# one prompt, with g = 4 sampled answers. The program pays 1 for each right one. Then each answer is compared with its own
# group: its **advantage** is the reward minus the group's mean, divided by the group's standard deviation (the one that
# divides by g, not g − 1). Answers above the mean become more probable, and those below it less.
# <!-- end -->
#
# Learning from such comparisons among answers to the *same* prompt is called **GRPO**, for group relative policy optimization
# ({shao2024}). In this field, a model that chooses is called a policy.

# %%
three_right, seven_right = [1.0] * 3 + [0.0] * 5, [1.0] * 7 + [0.0]
for line in group_advantages(torch.tensor([three_right, seven_right])):
    print(line.numpy().round(2))

# %% [markdown]
# In the first group, each of the three right answers is 1.29 standard deviations above the mean. In the second, seven are
# right, and now the single *wrong* one stands out. What about a prompt that is even easier?

# %% predict="27.equal"


# %%
print(group_advantages(torch.ones(1, 8)).numpy())
reveal("27.equal")

# %% [markdown]
# ## A loss with a limit {#limit}
#
# An advantage has to become a gradient. Let the **ratio** of a token be its probability under the current model, divided by
# its probability under the model that sampled it. Raising the product of ratio and advantage makes tokens of good answers more
# probable. But sampling is slow, so one set of answers serves for several updates. It was drawn from the *old* model and says
# less and less about the new one, so we limit how far it may push. The **clipped policy loss** of a token ({schulman2017}) is
#
# $$-\min(\text{ratio} \cdot A, \; \text{clip}(\text{ratio}, 0.8, 1.2) \cdot A)$$
#
# where $A$ is the advantage of its answer. For $A = 1$:
#
# | ratio | ratio · A | clipped · A | loss | still changed? |
# | --- | --- | --- | --- | --- |
# | 0.9 | 0.9 | 0.9 | −0.9 | yes |
# | 1.5 | 1.5 | 1.2 | −1.2 | no: it has gone far enough |
# | 0.5 | 0.5 | 0.8 | −0.5 | yes: it went the wrong way |
#
# <!-- paper -->
# **Your turn, on paper.** A token of a *bad* answer, $A = -1$, has the ratio 0.5. What is its loss, and is the token still
# being changed?
#
# <!-- compare -->
# <details><summary>Compare</summary>The products are −0.5 and −0.8. The smaller one is −0.8, so the loss is 0.8. It comes from
# the clipped ratio, which is constant, so there is no gradient: the token has become improbable enough.</details>
# <!-- end -->
#
# One more term keeps the model near its start: 0.04 times an estimate of the **KL divergence**, which measures how far its
# probabilities have moved since then. Here is one update, up to the gradient (`LIMIT` is four tokens, including the end):

# %% tags=["M5"]
model = copy.deepcopy(before)
answers = sample_answers(model, prompt_ids(REWARDED[:16]), group=8, limit=LIMIT)
advantages = group_advantages(scored(right, answers).view(16, 8)).flatten()

log_probs = answer_log_probs(model, answers.tokens, PROMPT)
start = answer_log_probs(before, answers.tokens, PROMPT)
loss = policy_loss(
    log_probs, answers.log_probs, advantages, answers.mask, 0.2, start, kl_weight=0.04
)
loss.backward()
ratios = (log_probs - answers.log_probs).exp()[answers.mask]
print(f"ratios from {ratios.min():.2f} to {ratios.max():.2f}")

# %% [markdown]
# Only tokens of the answer have a loss. Nothing has been updated yet: all ratios are 1 and the KL is 0. So each token's loss is
# minus its advantage, and a group's advantages cancel: the loss is about 0, but its gradient is not. The clip can act from the
# *second* update of each set, the KL from the second update overall. `learn_from_rewards` takes 120 steps, each with a set of
# answers and two updates, on 2,000 new sums.

# %% predict="27.pass"


# %% [markdown] seconds=25
# It takes about {seconds} seconds.

# %% tags=["M5", "nbval-ignore-output"]
after = copy.deepcopy(before)
history = learn_from_rewards(after, right, effort.steps(120))
later = evaluate(after)
for k in (1, 8, 16):
    print(f"pass@{k}: {at_first[k]}, then {later[k]}")

# %% jupyter={"source_hidden": true}
if effort.setting() != "light":
    assert later[1].value > at_first[1].value + 0.1
assert abs(later[8].value - at_first[8].value) < 0.15

# %%
reveal("27.pass")

# %% [markdown]
# You ran one seed; we recorded three. The next three sections show recorded runs too.

# %% tags=["M5"]
seeds = recorded("rewards")["seeds"].values()
ks = (1, 2, 4, 8, 16)


def passes(version):
    return [[seed[version]["pass"][str(k)][0] for k in ks] for seed in seeds]


same, new = "imitation, same sums as before", "imitation, new sums"
ax = figures.curves(
    ks,
    {version: passes(version) for version in ("before", "rewards")},
    "Three seeds, recorded",
    "k",
    "pass@k",
    "x",
)

# %% [markdown]
# <!-- picture -->
# lines are medians of three seeds, and bands show the range. The lines start far apart and meet. At k = 16 nothing is left of
# the gain. (There is even a small drop, but the intervals overlap; yours are printed above.)
# <!-- end -->
#
# So rewards sharpened the model: what it could already do sometimes, it now does more often. One reason: an answer that is
# never sampled is never paid for. But rarely solved sums could have gained too, and with them pass@8. (The same has been found
# in large models, and is debated: {yue2025}.)
#
# But pass@8 began at 0.91. Was there any room?
#
# ## The control: more imitation {#control}
#
# Did that gain need rewards at all? The same model imitates for as many updates (240): once on the 2,000 sums that it knew,
# and once on those that the judge was asked about, with their right answers. The learning rates are 0.003 for imitation
# and 0.0003 for rewards; we tuned neither.

# %% predict="27.control"


# %% tags=["M5"]
for version in ("before", "rewards", same, new):
    first, eighth = np.array(passes(version))[:, [0, 3]].T
    print(f"{version}\n    pass@1 {first.round(2)}   pass@8 {eighth.round(2)}")
reveal("27.control")

# %% [markdown]
# Imitation of the sums that it knew wins with every seed. It raises pass@8 to between 0.96 and 0.99, so there was room. With
# new sums, it wins with two seeds and ties with one; we do not know why. So **here imitation taught more**; stage B12 is less
# clear. But imitation needs right answers, and it is often easier to check an answer than to write one: whether a program
# passes its tests, or a proof holds.
#
# ## Five times the rate {#rate}
#
# How large may the steps be? We change only the learning rate for rewards, from 0.0003 to 0.0015:

# %% tags=["M5"]
fast = "rewards, 5 times the rate"
kinds = {"right": ("Answers that are right", "fraction"), "kl": ("KL", "nats per token")}
for ax, (name, (title, label)) in zip(figures.panels(2), kinds.items(), strict=True):
    lines = {
        version: [seed[version]["history"][name] for seed in seeds] for version in ("rewards", fast)
    }
    figures.curves(np.arange(5, 125, 5), lines, title, "step", label, ax=ax)

# %% [markdown]
# <!-- picture -->
# lines are medians of three seeds, and bands show the range; each point is the mean of five steps.
# <!-- left -->
# at five times the rate, the mean of the first five steps is already below the start (0.42 to 0.44).
# <!-- right -->
# at that rate, the KL jumps up within the first steps.
# <!-- end -->
#
# For how many sums can the fast model still find the answer? (A token is *beyond the clip* if its ratio is outside 0.8
# to 1.2.)

# %% tags=["M5"]
for version in ("rewards", fast):
    early = [seed[version]["first steps"] for seed in seeds]
    print(version)
    print("    pass@8:", np.round([row[3] for row in passes(version)], 2))
    print("    beyond the clip in step 1:", np.round([first["clipped"][0] for first in early], 2))
    print("    KL in step 2:", np.round([first["kl"][1] for first in early], 2))

# %% [markdown]
# The reward recovers, and hides that pass@8 ends 0.12 to 0.22 below where it began: eight attempts now solve fewer sums.
# Two numbers warn at once: after the first update, more tokens are beyond the clip, and in step 2 the KL is over ten times as
# high. (In a run of your own, compare with two steps at a smaller rate.) The clip removes a gradient; it does not undo
# a large step.
#
# ## Another judge {#another-judge}
#
# Suppose we find long answers more convincing, and pay 0.5 for every character on top of the 1 for the right sum. A right
# answer of three digits earns 2.5. (The limit is now eight tokens; an answer cut off there is paid for, too.) We take a model
# that was stopped earlier, at 5% right (`weak`), and then the one at 40%.

# %% predict="27.long"


# %% tags=["M5"]
for version in ("weak, paid for length", "paid for length"):
    print(version)
    for seed in seeds:
        paid, seen = seed[version], seed[version]["history"]
        print(f"reward {seen['reward'][0]:.1f} → {seen['reward'][-1]:.1f}", end="   ")
        print(f"KL {seen['kl'][-1]:.1f}   pass@1 {paid['pass']['1'][0]:.2f}", end="   ")
        prompt, written = next(iter(paid["examples"].items()))
        print(prompt, written[0])
reveal("27.long")

# %% [markdown]
# The weak model's reward went from about 1.4 to nearly 4, the maximum, and its answers are worthless. This is **reward
# hacking**: the model found what the judge pays for. Only samples, the KL and a second judge (here, pass@1) show it. The model
# with 40% right kept its short answers with all three seeds. Probably it hardly ever samples a long one, and only what is
# sampled can be paid for.

# %% [markdown]
# ## Before you go {#exit}

# %% ask="27.exit"


# %% [markdown]
# <!-- answer -->
# **What can a model learn from a judge?** To give more often the answers that it could already give sometimes: here pass@1
# rose, and pass@8 hardly did. It learns what the judge pays for, whether you meant that or not.

# %% [markdown]
# To take away:
#
# <!-- takeaway -->
# * An advantage compares an answer with others to the same prompt. If all rewards of a group are equal, they teach nothing.
# * Here rewards sharpened what was there, and imitating right answers taught more. But rewards need only a way to check.
# * Watch the KL, samples and pass@8, not only the reward: it also rises when the judge is fooled.
# <!-- end -->
#
# In [stage B12 of the Build](../exercises/B12_learning_from_rewards.ipynb) your own GPT learns this way.
#
# To read next:
#
# <!-- readings -->
# * {shao2024}: GRPO, in section 4; figure 7 shows pass@k of a large model.
# * {yue2025}: pass@k before and after rewards, up to k in the hundreds.
# * {wei2022}: what changes if a model may write intermediate steps, as under "Deeper".

# %% [markdown]
# ## Deeper {#deeper}
#
# You can skip any of these parts; nothing later needs them.
#
# ### Be the judge
#
# The weak model was drawn towards length, and the other one was not. Where does a reward *pull*? For a handful of answers,
# this can be computed. Suppose a model gains the mean reward of what it says, minus β times the KL divergence from what it
# was. Then it gains most if the probability of each answer is proportional to
#
# $$p \cdot \exp(\text{reward} / \beta),$$
#
# where $p$ is its probability before ({rafailov2023}, equation 4). So β is the price of moving away. Below are seven answers
# to `24+76=` as the model at 40% saw them (recorded; all other answers are left out). The judge is the one that pays for
# length: 1 for the right sum, and 0.5 per character. Three of the seven:
#
# | answer | probability before | reward |
# | --- | --- | --- |
# | `90` | 0.53 | 1 |
# | `100` | 0.41 | 2.5 |
# | `10000000` | about 4 · 10⁻¹² | 4 |
#
# β is 1. (It plays the part of the 0.04 above, but is not the same number: there, rewards were divided by their deviation, and
# the KL was a mean over tokens.)

# %% predict="27.weights"


# %% tags=["M5"]
some = judged_answers.ANSWERS
pays = {
    "right": [answer == "100" for answer in some],
    "a character": [len(answer) for answer in some],
    "three digits": [len(answer) == 3 for answer in some],
}
log_p = recorded("judged_answers")["log_probs"]
explorables.reward_weights("24+76=", some, log_p, pays, weights=[1, 0.5, 0])

# %%
reveal("27.weights")

# %% [markdown]
# Try it: lower β until another answer wins; then pay for nothing but three digits, which is a rule about format.
#
# `10000000` earns 1.5 more than `100`, but begins about 10¹¹ times less probable. At β = 1, a lead of 1.5 counts as a factor
# of e^1.5 = 4.5; at 0.1, of three million, which is still too little. At 0.05 it is 10¹³, and the long wrong answer wins. And
# a judge of format cannot tell `100` from `101` and `110`: however small β is, they keep their old proportions, so the wrong
# ones grow with the right one.
#
# But this is where the reward pulls, not what training finds. In 120 steps the model at 40% sampled 15,360 answers. Something
# as improbable as `10000000` was almost certainly not among them, so it was never paid for.
#
# ### Room to write steps
#
# Judges are often combined with answers that contain their own working, a **chain of thought**. Does writing steps help a
# model, or does it only look nice? Take 16 random bits. Is the number of ones odd? We train a GPT of two layers in three
# ways: it answers at once; it writes 16 dots and then the answer; or for each bit in turn, it writes whether the number of
# ones so far is odd. There is no judge here: all three are trained by imitation.

# %%
rows = torch.Generator().manual_seed(0)
for writing in ("at once", "dots", "steps"):
    ids = written_steps.rows(writing, 1, rows)[0].tolist()
    print(f"{writing:8}", "".join("01=."[i - 4] for i in ids))

# %% predict="27.steps"


# %% [markdown] seconds=15
# The third way trains in about {seconds} seconds:

# %% tags=["nbval-ignore-output"]
stepwise = written_steps.trained("steps", steps=effort.steps(400))
print(f"right, on new bits: {written_steps.accuracy(stepwise, 'steps'):.2f}")
reveal("27.steps")

# %% tags=["M5"]
for way, found in recorded("written_steps")["accuracy"].items():
    print(way)
    for measured, accuracies in found.items():
        print(f"    {measured:14}", *(f"{accuracy:.2f}" for accuracy in accuracies))

# %% [markdown]
# Each row gives three seeds. A model that answers at once stays at chance, even with four layers, and dots do not help. (0.47
# and 0.53 are what always giving the same answer earns: 47.5% of the 200 test rows are odd.) With written steps, the accuracy
# after 400 training steps is 1.00 and 0.99 with two seeds, and 0.79 with the third, which is perhaps still on its way. Each
# step is easy: it needs only the step before and one bit. {wei2022} found in large models that prompts with written steps
# lead to more right answers.
#
# The last lines show two limits. With one bit more than in training, accuracy is at chance again: every step is now one
# position further on, and the model has probably learned positions (lesson 08). And if we replace step 7 with the wrong one,
# the two good models are almost always wrong, and the third goes from 0.79 to 0.21. They do not check a step; they read
# what is written and go on from there.
#
# ### A model that is hardly ever right
#
# What if there is almost nothing to sharpen? The weak model was stopped when 5% of its samples were right. Then it was given
# the same 120 steps with the same judge:

# %% tags=["M5"]
for version in ("weak, before", "weak, rewards"):
    first, eighth = np.array(passes(version))[:, [0, 3]].T
    low, high = np.array([seed[version]["pass"]["8"][1:] for seed in seeds]).T
    interval = (high - low).max() / 2
    print(f"{version:14} pass@1 {first.round(2)}   pass@8 {eighth.round(2)} ±{interval:.2f}")

# %% [markdown]
# Both numbers rise a little with every seed. pass@8 gains 0.04, 0.04 and 0.07, more than in the lesson above! Two of the
# gains are only as large as the interval of pass@8 (±0.04), so only the three seeds together say something. And this gain does
# not contradict sharpening: where right answers are rare, pass@8 is far from 1, and giving them a little more often raises it
# as well. The gain is still small. In about two groups out of three, all eight answers were wrong, and such a group teaches
# nothing. This is one reason to imitate before learning from rewards.
