# %% [markdown]
# # Sheet 24 · Does bigger always win?
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
# ## 1 · One budget, two ways to spend it
#
# GPT-3 has 175 billion parameters and was trained on 300 billion tokens. Give a list of four numbers, correct to two decimal
# places:
#
# 1. the arithmetic of its training, counted as 6·N·D, in units of 10²³ FLOPs;
# 2. its tokens per parameter;
# 3. the size, in billions of parameters, of a model with the same arithmetic and 20 tokens per parameter;
# 4. the factor by which the *tokens* grow with 100 times the arithmetic, if the parameters grow as $C^{0.73}$.
#
# You can use the cell as a calculator.

# %% exercise="bigger.compute" form="by hand" minutes=6 difficulty=1
### BEGIN SOLUTION
# With D = 20·N, the budget is 6 · 20 · N². In the last one, the factors for parameters and tokens multiply to 100.
budget = 6 * 175e9 * 300e9
numbers = [budget / 1e23, 300 / 175, (budget / 120) ** 0.5 / 1e9, 100 ** (1 - 0.73)]
### END SOLUTION

# %%
check("bigger.compute")

# %% [markdown]
# ## 2 · A fair fight
#
# Somebody claims: "With the same arithmetic, a model of width 48 predicts unseen text better than one of width 24." (The budget
# of arithmetic is fixed.) Plan runs that can show whether that is so.
#
# `plan` is a list of at most 20 runs. Each run is a mapping with five entries:
#
# | field | possible values | what it is |
# | --- | --- | --- |
# | `"width"` | 24, 48 | the width of the model; width 48 has about six times as many parameters |
# | `"given"` | `"the same steps"`, `"the same arithmetic"` | what is kept the same for both models |
# | `"rate"` | `"0.003"`, `"0.03"`, `"best of three"` | the learning rate; with `"best of three"`, three rates are tried and the best is kept, which counts as one run |
# | `"measured_on"` | `"training text"`, `"unseen text"` | where the bits per character are measured |
# | `"seed"` | 0 to 9 | the random weights at the start, and which windows are drawn |
#
# For example, `[{"width": 24, "given": "the same steps", "rate": "0.03", "measured_on": "unseen text", "seed": 0}]` is a plan
# with one run. You may build the list with a loop.

# %% exercise="bigger.plan" form="plan an experiment" minutes=6 difficulty=2
### BEGIN SOLUTION
plan = [
    {
        "width": width,
        "given": "the same arithmetic",
        "rate": "best of three",  # a rate that suits one width may be too high for the other
        "measured_on": "unseen text",
        "seed": seed,
    }
    for width in (24, 48)
    for seed in (0, 1, 2)
]
### END SOLUTION

# %%
check("bigger.plan")

# %% [markdown]
# The lesson's record contains almost the same runs, for two budgets (with two rates instead of three).

# %% [markdown]
# ## 3 · Three published models
#
# The table shows three models, with the percentage of right answers to the questions of MMLU, a test with four choices per question
# ({brown2020}; {hoffmann2022}). The models in rows B and C have the same makers.
#
# | row | model | parameters | tokens | tokens per parameter | right | 6·N·D, in 10²³ |
# | --- | --- | --- | --- | --- | --- | --- |
# | **A** | GPT-3, 2020 | 175 billion | 300 billion | 1.7 | 43.9% | 3.15 |
# | **B** | Gopher, 2021 | 280 billion | 300 billion | 1.1 | 60.0% | 5.04 |
# | **C** | Chinchilla, 2022 | 70 billion | 1.4 trillion | 20 | 67.5% | |
#
# **What do these rows support?**
#
# * `"a"`: among such models, the smaller one wins
# * `"b"`: for about the same arithmetic, a smaller model that reads more can win
# * `"c"`: 20 tokens per parameter is best, and more would be worse
# * `"d"`: of two models that read the same number of tokens, the larger one always wins
#
# **Why?**
#
# * `"a"`: from A to B, parameters grow and tokens do not, and the score rises
# * `"b"`: from A to C, parameters fall and tokens rise, and the score rises
# * `"c"`: B and C took about the same arithmetic, and C is ahead
# * `"d"`: the tokens per parameter are far higher in row C than in the others
#
# **What is missing in the last cell of row C?** Give it as `value`, correct to two decimal places.

# %% exercise="bigger.verdict" form="read a table" minutes=5 difficulty=2
### BEGIN SOLUTION
# Nothing above 20 tokens per parameter was tried, and A differs from C in too much. 6 · 70 · 10⁹ · 1.4 · 10¹² = 5.88 · 10²³.
verdict = {"claim": "b", "reason": "c", "value": 5.88}
### END SOLUTION

# %%
check("bigger.verdict")

# %% [markdown]
# ## More practice {#practice}
#
# You can stop here: the rest is optional.
#
# ## 4 · The line itself
#
# Write `predicted(sizes, losses, size)`. `sizes` and `losses` are arrays of shape `(k,)`: k models, at least two of them. Fit
# a straight line to their logarithms by least squares, so that the squared errors of the log losses have the smallest sum.
# Return the loss that the line predicts for a model of size `size`: one number.


# %% exercise="bigger.fit" form="program" minutes=8 difficulty=2
def predicted(sizes, losses, size):
    """Return the loss that the line on log-log paper predicts for another size."""
    ### BEGIN SOLUTION
    slope, start = np.polyfit(np.log(sizes), np.log(losses), 1)
    return np.exp(start + slope * np.log(size))
    ### END SOLUTION


# %%
check("bigger.fit")
