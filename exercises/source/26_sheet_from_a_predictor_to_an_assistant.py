# %% [markdown]
# # Sheet 26 · From a predictor to an assistant
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
# ## 1 · A mask that is too simple
#
# In this sheet, a conversation is a list of ids. The id 1 is `begin`, 2 is `end`, 3 is `user` and 4 is `assistant`; 5 to 99
# are words. This function gives a label to everything after the mark of the assistant. It looks right, and it works for a
# conversation of one turn:


# %%
def after_the_mark(ids):
    """The label at each position but the last; −100 is none."""
    start = ids.index(4)
    return [-100] * start + ids[start + 1 :]


print(after_the_mark([1, 3, 50, 51, 4, 60, 2]))

# %% [markdown]
# **Find a conversation `trap` for which it is wrong**, giving a label to a token that the assistant does not write.
# It should be a list of 5 to 30 ids, and a proper conversation: `begin`, then turns of the form `user`, words, `assistant`,
# words, `end`.

# %% exercise="assistant.trap" form="find an input" minutes=4 difficulty=1
### BEGIN SOLUTION
# The second question comes after the first mark, too.
trap = [1, 3, 50, 4, 60, 2, 3, 51, 4, 61, 2]
### END SOLUTION

# %%
check("assistant.trap")

# %% [markdown]
# ## 2 · The labels of a batch
#
# Do it better, and for a batch. `ids` has shape `(b, n)`: a conversation per row, of one or more turns, padded with 0 on the
# right. `assistant` and `end` are the ids of these two tokens (the check uses ids other than 4 and 2); every `end` ends an
# answer. Return the labels, of shape `(b, n − 1)`: at each position but the last, the next token if the assistant writes it,
# and −100 otherwise. The assistant writes the answers, each with its `end`.


# %% exercise="assistant.labels" form="program" minutes=10 difficulty=2
def labels(ids, assistant, end):
    """Return the labels, (b, n − 1)."""
    ### BEGIN SOLUTION
    # To the left of what the assistant writes, there is one more mark than there are ends.
    marks, ends = (ids == assistant).cumsum(1), (ids == end).cumsum(1)
    written_next = (marks > ends)[:, :-1]
    result = ids[:, 1:] + 0  # a copy
    result[~written_next] = -100
    return result
    ### END SOLUTION


# %%
check("assistant.labels")

# %% [markdown]
# ## 3 · What LoRA trains
#
# A block of width 64 has four matrices of 64 × 64 in its attention, and two in its feed-forward network, 64 × 256 and 256 ×
# 64. You add LoRA of rank 4 to all six and train nothing else. Write a list of three numbers:
#
# 1. how many numbers are trained for one of the 64 × 64 matrices;
# 2. how many are trained in the whole block;
# 3. what fraction this is of the numbers in the six matrices themselves, to three decimal places.

# %% exercise="assistant.lora_count" form="by hand" minutes=5 difficulty=1
### BEGIN SOLUTION
# r · (d_in + d_out) for each matrix: 4 · 128 = 512, and 4 · 320 = 1,280.
counts = [512, 4 * 512 + 2 * 1280, (4 * 512 + 2 * 1280) / (4 * 64 * 64 + 2 * 64 * 256)]
### END SOLUTION

# %%
check("assistant.lora_count")

# %% [markdown]
# ## More practice {#practice}
#
# You can stop here: the rest is optional. You write a linear layer with LoRA, and work out what one pair of answers does in
# DPO.

# %% [markdown]
# ## 4 · A layer with LoRA
#
# Write `lora(x, weight, a, b, alpha)`. `x` has shape `(n, d_in)`, the frozen `weight` has `(d_in, d_out)`, `a` has `(d_in, r)`
# and `b` has `(r, d_out)`. `alpha` is a number. Return the output, `(n, d_out)`, as in the lesson's drawing. The rank r is not
# given: read it off the shapes.


# %% exercise="assistant.lora" form="program" minutes=5 difficulty=1
def lora(x, weight, a, b, alpha):
    """Return the output of a linear layer with LoRA, (n, d_out)."""
    ### BEGIN SOLUTION
    return x @ weight + alpha / a.shape[1] * (x @ a @ b)
    ### END SOLUTION


# %%
check("assistant.lora")

# %% [markdown]
# ## 5 · One pair of answers
#
# This exercise belongs to "Which of two right answers?", under "Deeper". A model has learned from pairs of answers, with β =
# 0.1. For one pair, these are the log-probabilities of the two answers (sums over their tokens, in nats):
#
# | | the reference | the model |
# | --- | --- | --- |
# | chosen | −5 | −6 |
# | rejected | −4 | −14 |
#
# Both answers have become less probable, the chosen one too. DPO takes β · (log-probability in the model − log-probability in
# the reference) as an answer's **implicit reward**. Write a list of four numbers, to three decimal places:
#
# 1. the implicit reward of the chosen answer;
# 2. the implicit reward of the rejected one;
# 3. the loss of this pair, $-\log \sigma(\ldots)$ of the first minus the second, where $\sigma(z) = 1 / (1 + e^{-z})$;
# 4. the loss if somebody had swapped chosen and rejected in the data.

# %% exercise="assistant.pair" form="by hand" minutes=5 difficulty=2
### BEGIN SOLUTION
# The rewards are 0.1 · (−6 + 5) and 0.1 · (−14 + 4); the losses are −log σ(0.9) and −log σ(−0.9).
pair = [-0.1, -1.0, np.log(1 + np.exp(-0.9)), np.log(1 + np.exp(0.9))]
### END SOLUTION

# %%
check("assistant.pair")
