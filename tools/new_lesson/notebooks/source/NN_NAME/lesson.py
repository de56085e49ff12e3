# %% [markdown] minutes=7
# # NN · TITLE: how far can one token pull an average?
#
# Three friends earn 2, 4 and 9 coins a day, 5 on average. Then one of them finds a treasure, and on average all three are
# rich. Attention averages too, so one token may pull its output far away from all the others. How far? So far you can compute
# an output, but not yet tell how much of it depends on a single token. In this lesson you change one number of three, and
# watch their average move.
#
# About {minutes} minutes. By the end, you will be able to
#
# * compute how far an average moves when one of its numbers changes;
# * find the token that can move an output most.

# %%
import torch

from transformer_course import figures
from transformer_course.attention import softmax
from transformer_course.exercises import ask, predict, reveal

# %%
title = "Lesson NN: where tokens are averaged"
ax = figures.architecture("encoder self-attention", title=title, small=True)

# %% [markdown]
# <!-- picture -->
# the map from lesson 00. In the highlighted box, every output is an average of values.
# <!-- end -->
#
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %% ask="NN.recall"


# %% [markdown]
# ## One number of three
#
# Here are the three friends. In their mean, each of them has a weight of 1/3:

# %%
values = torch.tensor([2.0, 4.0, 9.0])
print("mean:", values.mean().item())

# %% predict="NN.grows"


# %%
more = torch.tensor([2.0, 4.0, 15.0])
print("mean:", more.mean().item())
reveal("NN.grows")

# %% [markdown]
# The 6 coins arrive in the mean as 2, because a weight of 1/3 lets a third of them through. Another weight lets through more, or
# less.
#
# <!-- paper -->
# **Your turn, on paper.** With weights 1/2, 1/4 and 1/4, the average of 2, 4 and 9 is ____. When the 9 becomes 15, the average
# becomes ____.
#
# <!-- compare -->
# <details><summary>Compare</summary>1 + 1 + 2.25 = 4.25, and then 1 + 1 + 3.75 = 5.75. So the average moves by 1.5, which is a
# quarter of 6.</details>
# <!-- end -->
#
# ## Which token pulls hardest?
#
# In attention the weights come from scores (lesson 02). Let our three tokens have scores 2, 0 and 1:

# %%
weights = softmax(torch.tensor([2.0, 0.0, 1.0]))
for tokens in (values, more):
    print(f"output: {weights @ tokens:.4f}")

# %%
names = ["token 1", "token 2", "token 3"]
ax = figures.bars(weights, names, "What part of a change arrives", labels="%.2f")

# %% [markdown]
# <!-- picture -->
# each bar is a token's weight, and so the part of a change that reaches the output. Of the 6 coins of token 3, about a
# quarter arrives: the output moved by 1.47. If token 1 had found them, it would have moved by almost 4.

# %% [markdown]
# ## Before you go {#exit}

# %% ask="NN.exit"


# %% [markdown]
# <!-- answer -->
# **How far can one token pull an average?** By the change of its value times its weight. A token with a small weight needs a
# large change to be noticed.

# %% [markdown]
# To take away:
#
# <!-- takeaway -->
# * An average moves by the change of a value times its weight.
# * In a mean of n numbers, each weight is 1/n.
# * In attention, the token with the highest score moves the output most.
# <!-- end -->
#
# You compute such averages for a whole text in [stage B2 of the Build](../exercises/B2_one_head.ipynb).
#
# To read next:
#
# <!-- readings -->
# * {vaswani2017}, section 3.2: attention as a weighted sum of values.
# * {bahdanau2014}: the first such average, in a translator.

# %% [markdown]
# ## Deeper {#deeper}
#
# You can skip this part; nothing later needs it.
#
# ### An average that cannot be pulled
#
# The median is the number in the middle (lesson 08). Let the last friend find a larger and larger treasure:

# %%
for last in (9.0, 90.0, 900.0):
    friends = torch.tensor([2.0, 4.0, last])
    print(f"mean {friends.mean():5.1f}   median {friends.median():.1f}")

# %% [markdown]
# The mean runs away, and the median stays at 4. But then the treasure has no influence at all, so a model whose attention took
# medians could not learn from it.
