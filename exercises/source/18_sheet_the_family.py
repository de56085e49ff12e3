# %% [markdown]
# # Sheet 18 · The family: GPT, BERT, ViT
#
# Five exercises, about 40 minutes in all. Each has a cell for your answer and a cell that checks it. Run both with Shift +
# Enter, as often as you like. If an answer does not pass, the check says what is wrong with it. Below that you can unfold
# hints, one at a time, and after the last hint a solution.

# %%
import numpy as np

from transformer_course.exercises import check

# %% [markdown]
# ## 1 · A picture in numbers (by hand, 5 minutes, ●○○)
#
# A ViT reads grey images of 28 × 28 pixels in patches of 4 × 4. It is 64 wide and has four heads. Give a list of four numbers:
#
# 1. how many tokens go through its stack, for one image;
# 2. how many numbers there are in a patch, before a matrix makes a vector of it;
# 3. how many weights stand in the attention table of one head, in one layer;
# 4. how many tokens would go through the stack with patches of 2 × 2.

# %% exercise="family.sizes"
### BEGIN SOLUTION
# 7 × 7 patches and one more token; 4 × 4 pixels; 50 × 50 weights; 14 × 14 patches and one more token.
sizes = [7 * 7 + 1, 4 * 4, 50 * 50, 14 * 14 + 1]
### END SOLUTION

# %%
check("family.sizes")

# %% [markdown]
# ## 2 · Images as patches (program, 10 minutes, ●●○)
#
# The lesson cut one square image. Now write it for a batch, whose images need not be square: `images` is an array of shape
# `(b, H, W)`, and `size`, a whole number, divides H and W. Return an array of shape `(b, n, size * size)`: for each image, its n
# patches, row by row from the top left; and for each patch its pixels, likewise row by row.
#
# For example, with size 2, the image
#
# ```
#  0  1  2  3  4  5
#  6  7  8  9 10 11
# 12 13 14 15 16 17
# 18 19 20 21 22 23
# ```
#
# begins with the patches `[0, 1, 6, 7]`, `[2, 3, 8, 9]`, `[4, 5, 10, 11]`, `[12, 13, 18, 19]`.


# %% exercise="family.patches"
def patches(images, size):
    """(b, H, W) to (b, n, size * size)."""
    ### BEGIN SOLUTION
    b, height, width = images.shape
    squares = images.reshape(b, height // size, size, width // size, size).swapaxes(2, 3)
    return squares.reshape(b, -1, size * size)
    ### END SOLUTION


# %%
check("family.patches")

# %% [markdown]
# ## 3 · What BERT is asked (program, 12 minutes, ●●○)
#
# The library's `mask_tokens` draws its random numbers itself. So that your function can be checked, it is given them. All of these
# have the shape `(b, n)`, except for `mask_id`:
#
# * `tokens`: ids;
# * `special`: True where a token is special (begin, end, padding): there nothing is hidden;
# * `mask_id`: the id of `<mask>`, a whole number;
# * `draw`, from 0 to 1: a token that is not special is **hidden** where this is less than 0.15;
# * `fate`, from 0 to 1: what becomes of a hidden token:
#
# | fate | in the inputs stands |
# | --- | --- |
# | less than 0.8 | `mask_id` |
# | from 0.8 to less than 0.9 | the token itself |
# | 0.9 or more | the token that `others` has there |
#
# * `others`: other ids, drawn at random.
#
# All tokens that are not hidden go in as they are. The loss asks for each hidden token, whatever became of it: its label is the
# token that stood there; all other labels are −100. Return two arrays, `inputs` and `labels`, in this order. Leave `tokens` as it is.


# %% exercise="family.mask_tokens"
def mask_tokens(tokens, special, mask_id, draw, fate, others):
    """What goes in, (b, n), and what is asked, (b, n)."""
    ### BEGIN SOLUTION
    hidden = (draw < 0.15) & ~special
    inputs = np.where(hidden & (fate < 0.8), mask_id, tokens)
    inputs = np.where(hidden & (fate >= 0.9), others, inputs)
    return inputs, np.where(hidden, tokens, -100)
    ### END SOLUTION


# %%
check("family.mask_tokens")

# %% [markdown]
# ## 4 · Was it the pre-training? (plan an experiment, 8 minutes, ●●○)
#
# Somebody fine-tuned a pre-trained BERT once, with 64 labels a class, and found that it tells names in order from shuffled ones in 70 of
# 100 cases. "Pre-training helps with this question", he says. Plan the runs that can tell whether it does.
#
# `plan` is a list of at most 20 runs. Each is a mapping with five entries:
#
# | field | may be | what it is |
# | --- | --- | --- |
# | `"body"` | `"pre-trained"`, `"fresh"`, `"bag of words"`, `"table of pairs"` | what the classifier stands on |
# | `"question"` | `"category"`, `"order"` | what is asked of the names |
# | `"labels"` | 8, 64, 256 | labelled names of each class |
# | `"steps"` | 100, 300 | steps of fine-tuning |
# | `"seed"` | 0 to 9 | decides which names are labelled, and how the head begins |
#
# For example, `[{"body": "fresh", "question": "order", "labels": 8, "steps": 100, "seed": 0}]` is a plan of one run. You may build
# the list with a loop. The other two bodies are neighbours: you may add them, but the question is about pre-training a BERT. There is
# *one* pre-trained body, so the luck of the pre-training itself stays untested.

# %% exercise="family.plan"
### BEGIN SOLUTION
plan = [
    {"body": body, "question": "order", "labels": 64, "steps": 100, "seed": seed}
    for body in ("pre-trained", "fresh")  # nothing else differs between the two groups
    for seed in (0, 1, 2)
]
### END SOLUTION

# %%
check("family.plan")

# %% [markdown]
# If you like to see what comes out, make your runs with the functions that the lesson's cells call:
# `fine_tuned_accuracy` for a BERT, `bag_of_words_accuracy` for the bag of words, `ngram_accuracy` for the table of pairs.
#
# ## 5 · How many images does it take? (read a table, 5 minutes, ●●○)
#
# The digits of the lesson, always the same 500 to be tested, and more or fewer to learn from. Shares right, the middle of three seeds
# (a seed decides which images are learned from; for the ViT, how it begins as well):
#
# | row | images to learn from | ViT | logistic regression | nearest neighbour |
# | --- | --- | --- | --- | --- |
# | **A** | 100 | 0.81 | 0.87 | 0.90 |
# | **B** | 400 | 0.95 | 0.93 | 0.97 |
# | **C** | 1,297 | 0.97 | 0.96 | 0.98 |
#
# **What do these rows support?**
#
# * `"a"`: the ViT is the best of the three, if it is given all images
# * `"b"`: of the three the ViT gains most from more images, and is still not ahead of all
# * `"c"`: with ten thousand images the ViT would be the best
# * `"d"`: pictures have nothing to do with words, so that a ViT is of no use here
#
# **For which reason?**
#
# * `"a"`: its column rises most from A to C, and in row C another one is higher
# * `"b"`: in row C it is ahead of logistic regression
# * `"c"`: its column rises most, and a column that rises most will be the highest in the end
# * `"d"`: in row A it is not ahead
#
# **And which printed number of row C speaks against claim a?**

# %% exercise="family.verdict"
### BEGIN SOLUTION
# More images help it most, but the nearest neighbour, which learns nothing, stays ahead in row C. Beyond row C nothing was measured.
verdict = {"claim": "b", "reason": "a", "value": 0.98}
### END SOLUTION

# %%
check("family.verdict")
