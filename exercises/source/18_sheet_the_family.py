# %% [markdown]
# # Sheet 18 · The family: GPT, BERT, ViT
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
# ## 1 · An image in numbers
#
# A ViT reads grey images of 28 × 28 pixels in patches of 4 × 4. Its width is 64, and it has four heads. Give a list of four
# numbers:
#
# 1. the number of tokens in its stack, for one image;
# 2. how many numbers there are in a patch, before a matrix turns it into a vector;
# 3. the number of attention weights of one head in one layer;
# 4. the number of tokens in its stack if the patches are 2 × 2 instead.

# %% exercise="family.sizes" form="by hand" minutes=5 difficulty=1
### BEGIN SOLUTION
# 7 × 7 patches and the class token; 4 × 4 pixels; 50 × 50 weights; 14 × 14 patches and the class token.
sizes = [7 * 7 + 1, 4 * 4, 50 * 50, 14 * 14 + 1]
### END SOLUTION

# %%
check("family.sizes")

# %% [markdown]
# ## 2 · Was it the pre-training?
#
# A BERT that was trained on unlabelled names, as in the lesson, is **pre-trained**. To sort names into two kinds, it gets a
# new head, and is trained a little more on a few labelled names. (One of the parts under "Deeper" does this.)
#
# Someone took a pre-trained BERT and trained it once with 64 labelled names of each kind. In 70 of 100 cases, it can tell
# whether a name is in its original order or shuffled. "Pre-training helps with this question", they say. Plan runs that can
# show whether it does.
#
# `plan` is a list of at most 20 runs. Each run is a mapping with five entries:
#
# | field | possible values | what it is |
# | --- | --- | --- |
# | `"body"` | `"pre-trained"`, `"fresh"`, `"bag of words"`, `"table of pairs"` | what the classifier is built on |
# | `"question"` | `"category"`, `"order"` | what kind of character the name stands for, or whether the name's words are in order |
# | `"labels"` | 8, 64, 256 | labelled names of each kind |
# | `"steps"` | 100, 300 | training steps with these labels |
# | `"seed"` | 0 to 9 | which names are labelled, and how the head is initialised |
#
# A `"fresh"` body is the same BERT with random parameters. The last two bodies are not BERTs; you may add them, but the
# question is about pre-training a BERT. Few labels tell you little: even with 16 of each kind, a pre-trained BERT was right in
# 54%, 58% and 61% of cases with three seeds, where guessing gives 50%. So plan at least three seeds. (Either number of steps
# is fine.)
#
# For example, `[{"body": "fresh", "question": "order", "labels": 8, "steps": 100, "seed": 0}]` is a plan with one run. You may
# build the list with a loop. (There is only one pre-trained body, so these runs cannot show how much depends on luck in the
# pre-training itself.)

# %% exercise="family.plan" form="plan an experiment" minutes=8 difficulty=2
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
# To see the results for 100 steps, go to "Few labels" in the lesson, under "Deeper". In the cell that calls `compare(task,
# 256)`, write 64 in place of 256. For more seeds, change `range(3)` in `compare`.

# %% [markdown]
# ## 3 · How many images does it take?
#
# Three methods from the lesson read its digits. The 500 test images are always the same, but the number of training images
# varies. The table shows the accuracy, as the median of three seeds. A seed decides which images are used for training, and
# also how the ViT is initialised. Each ViT was trained for 200 steps of 32 images.
#
# | row | training images | ViT | logistic regression | nearest neighbour |
# | --- | --- | --- | --- | --- |
# | **A** | 100 | 0.79 | 0.87 | 0.90 |
# | **B** | 400 | 0.94 | 0.93 | 0.97 |
# | **C** | 1,297 | 0.97 | 0.96 | 0.98 |
#
# **What do these rows support?**
#
# * `"a"`: with all images, the ViT is the best of the three
# * `"b"`: the ViT gains most from more images, but is still not the best of the three
# * `"c"`: with ten thousand images, the ViT would be the best
# * `"d"`: images have nothing to do with words, so a ViT is of no use here
#
# **Why?**
#
# * `"a"`: its column rises most from A to C, but in row C another column is higher
# * `"b"`: in row C it is ahead of logistic regression
# * `"c"`: its column rises most, and the column that rises most will be the highest in the end
# * `"d"`: in row A it is not ahead
#
# **Which number in row C is evidence against claim a?** Give it as `value`.

# %% exercise="family.verdict" form="read a table" minutes=5 difficulty=2
### BEGIN SOLUTION
# More images help it most, but the nearest neighbour, which learns nothing, stays ahead in row C. Beyond row C, nothing was
# measured.
verdict = {"claim": "b", "reason": "a", "value": 0.98}
### END SOLUTION

# %%
check("family.verdict")

# %% [markdown]
# ## More practice {#practice}
#
# You can stop here: the rest is optional. You cut images into patches for a ViT and hide tokens for a BERT. The Build does
# not ask for either.

# %% [markdown]
# ## 4 · Images as patches
#
# The lesson cut images of 8 × 8 pixels into patches. Write the function that does this, for a batch of images that need not be
# square. `images` is an array of shape `(b, H, W)`, and `size` is an integer that divides H and W. Return an array of shape
# `(b, n, size * size)`: for each image its n patches, row by row from the top left, and for each patch its pixels, also row by
# row.
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
#
# You may use loops, but `reshape` and one swap of axes are enough. For this single image, `image.reshape(2, 2, 3, 2)` has the
# axes (row of patches, row inside the patch, column of patches, column inside the patch).


# %% exercise="family.patches" form="program" minutes=10 difficulty=2
def patches(images, size):
    """Return the patches, (b, n, size * size), of images (b, H, W)."""
    ### BEGIN SOLUTION
    b, height, width = images.shape
    squares = images.reshape(b, height // size, size, width // size, size).swapaxes(2, 3)
    return squares.reshape(b, -1, size * size)
    ### END SOLUTION


# %%
check("family.patches")

# %% [markdown]
# ## 5 · What BERT has to predict
#
# BERT hides 15% of the tokens and has to predict them. Not all of these become `<mask>`: some are replaced by a random token,
# and some stay as they are. Write the function that does this. So that it can be checked, it does not draw random numbers, but
# takes them as arguments. All of them have shape `(b, n)`, except for `mask_id`:
#
# * `tokens`: ids;
# * `special`: True where a token is special (begin, end or padding); these are never hidden;
# * `mask_id`: the id of `<mask>`, an integer;
# * `draw`, numbers from 0 to 1: a token that is not special is **hidden** where this is less than 0.15;
# * `fate`, numbers from 0 to 1: what becomes of a hidden token, according to the table below;
# * `others`: other ids, drawn at random.
#
# | fate | input in place of a hidden token |
# | --- | --- |
# | less than 0.8 | `mask_id` |
# | from 0.8 to less than 0.9 | the token itself |
# | 0.9 or more | the id in `others` at the same position |
#
# Tokens that are not hidden do not change. The label of each hidden token is the original token, whatever the input shows. All
# other labels are −100. Return two arrays, `inputs` and `labels`, in this order, and leave `tokens` unchanged.


# %% exercise="family.mask_tokens" form="program" minutes=12 difficulty=2
def mask_tokens(tokens, special, mask_id, draw, fate, others):
    """Return the inputs (b, n) and the labels (b, n)."""
    ### BEGIN SOLUTION
    hidden = (draw < 0.15) & ~special
    inputs = np.where(hidden & (fate < 0.8), mask_id, tokens)
    inputs = np.where(hidden & (fate >= 0.9), others, inputs)
    return inputs, np.where(hidden, tokens, -100)
    ### END SOLUTION


# %%
check("family.mask_tokens")
