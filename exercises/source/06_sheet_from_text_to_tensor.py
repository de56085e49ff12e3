# %% [markdown]
# # Sheet 06 · From text to tensor
#
# The core takes about {minutes} minutes. Below it is more practice, another {practice} minutes, which you can leave out. Each
# exercise has a cell for your answer and a cell that checks it. Run both with Shift + Enter, as often as you like. If an
# answer does not pass, the check says what is wrong. You can then unfold hints, one at a time, and after the last hint a
# solution. In a program, use NumPy or torch, whichever you like: the check passes arrays to your function, or tensors if it
# needs those. Your function must not change them.
#
# We count tokens, sequences, positions and ids from 0, as Python does.

# %%
import numpy as np

from transformer_course.exercises import check

# %% [markdown]
# ## 1 · Two texts as a batch
#
# Here is a small vocabulary, in the order of its ids:
#
# `<pad>`, `<begin>`, `<end>`, `<unknown>`, `and`, `five`, `hundred`, `three`, `twenty`
#
# **Write these two texts as one batch of ids: "twenty five" and "three hundred and six".** Each text gets `<begin>` before its
# first word and `<end>` after its last, like the texts that a model writes. Your answer is a list of two lists of the same
# length.

# %% exercise="embedding.ids" form="by hand" minutes=6 difficulty=1
### BEGIN SOLUTION
# "six" is not in the vocabulary, so it gets id 3. With begin and end, the first text has four tokens and the second six.
batch = [[1, 8, 5, 2, 0, 0], [1, 7, 6, 4, 3, 2]]
### END SOLUTION

# %%
check("embedding.ids")

# %% [markdown]
# ## 2 · A ready-made table
#
# A programmer builds a model of width 64. Its table is `nn.Embedding(1000, 64)`, which torch initialises with a standard
# deviation of 1. The rows are multiplied by √64, and sinusoids between −1 and 1 are added. Give a dictionary with three
# entries:
#
# * `"claim"`: how do words and positions compare in the sum, before any training?
#   * `"a"` they are of about the same size
#   * `"b"` the words are much smaller, and are drowned out by the positions
#   * `"c"` the positions are much smaller, and are drowned out by the words
#   * `"d"` both are too large, by the same factor
# * `"reason"`: why?
#   * `"a"` the factor multiplies the numbers in the table, however large they are
#   * `"b"` multiplied by √d_model, the numbers of any table are near ±1
#   * `"c"` the positions are multiplied along with the words
#   * `"d"` the numbers of a new table are near 0
# * `"value"`: what standard deviation should the table start with, so that it has standard deviation 1 after the factor?

# %% exercise="embedding.drowned" form="on paper" minutes=6 difficulty=2
### BEGIN SOLUTION
# After the factor, the words have a standard deviation of 1 × 8, and the sinusoids stay at 0.7. To get 1, start with 1 / 8.
verdict = {"claim": "c", "reason": "a", "value": 0.125}
### END SOLUTION

# %%
check("embedding.drowned")

# %% [markdown]
# ## 3 · The wrong way back
#
# To get from a vector back to its token, you can take the *nearest* row of the table. A programmer takes the row with the
# largest dot product instead. Here are both programs. They take each row of the table, with no position added, and find the
# token that it belongs to:


# %%
def by_dot_product(table):
    return (table @ table.T).argmax(axis=1)


def by_distance(table):
    gaps = table[:, None] - table[None]  # between each pair of rows
    return (gaps**2).sum(axis=-1).argmin(axis=1)


example = np.array([[1.0, 0.0], [0.0, 1.0]])
print("by dot product", by_dot_product(example), " by distance", by_distance(example))

# %% [markdown]
# By distance, each row finds itself, of course. **Give a `table` for which the dot product finds a different token**: some
# row must have a strictly larger dot product with another row than with itself. (A tie does not count.) Give 2 to 8
# different rows, each with 1 to 8 numbers between −1000 and 1000.

# %% exercise="embedding.nearest" form="find an input" minutes=8 difficulty=2
### BEGIN SOLUTION
# Row 1 has the same direction and is twice as long: row 0 has a dot product of 1 with itself, and of 2 with row 1.
table = [[1.0, 0.0], [2.0, 0.0]]
### END SOLUTION

# %%
check("embedding.nearest")

# %% [markdown]
# ## More practice {#practice}
#
# You can stop here: the rest is optional. In it, you turn ids into vectors. (Stages B4 and B5 ask for that again, in torch.)
# Then you test whether a function sees the order of its tokens, and put two things into one vector.

# %% [markdown]
# ## 4 · A model's first tensor
#
# Write `embed(tokens, table, positions)`. You are given
#
# * `tokens`, integer ids of shape `(…, n)`: a batch of sequences `(b, n)`, a single sequence `(n,)`, or an array with more
#   axes before the last;
# * `table`, of shape `(v, d_model)`, with one row per id;
# * `positions`, of shape `(m, d_model)`, with one row per position. There may be more positions than tokens: m ≥ n.
#
# Multiply the rows of the tokens by √d_model and add the rows of their positions. The result has shape `(…, n, d_model)`. In
# every sequence the first token is at position 0. You can use an array of ids as an index: `table[tokens]` looks up all of
# them at once.


# %% exercise="embedding.embed" form="program" minutes=12 difficulty=2 builds=["embedding"]
def embed(tokens, table, positions):
    """(…, n) to (…, n, d_model): rows of the table, times √d_model, plus positions."""
    ### BEGIN SOLUTION
    n, d_model = tokens.shape[-1], table.shape[-1]
    return table[tokens] * np.sqrt(d_model) + positions[:n]
    ### END SOLUTION


# %%
check("embedding.embed")

# %% [markdown]
# ## 5 · Does it notice the order?
#
# You are given functions `f`, but you cannot see their code. Each takes one sequence `x`, a NumPy array of shape `(n, d)`
# with one row per token, and returns one output per token, again of shape `(n, d)`. For the same `x`, a function always
# returns the same result.
#
# Write `is_blind_to_order(f)`. It returns True if shuffled tokens always get the same outputs, **shuffled in the same way**,
# and False otherwise. The check calls it with six functions that are blind to the order, and with eleven that are not. (In its
# messages, the six are called "right" and the eleven "broken".) Sequences of five tokens are enough. Compare results with
# `np.allclose(a, b)`, never with `==`, because a sum in a different order may be rounded differently.
#
# This is how you put the rows of an array into a different order:

# %%
x = np.array([[10.0, 11.0], [20.0, 21.0], [30.0, 31.0]])
print(x[[2, 0, 1]])
print("a random order of five:", np.random.default_rng(0).permutation(5))


# %% exercise="embedding.test_order" form="program" minutes=20 difficulty=2
def is_blind_to_order(f):
    """True if shuffling the tokens only shuffles the outputs."""
    ### BEGIN SOLUTION
    rng = np.random.default_rng(0)
    x = rng.normal(size=(5, 3))
    for _ in range(10):
        order = rng.permutation(5)
        if not np.allclose(f(x[order]), f(x)[order]):
            return False
    return True
    ### END SOLUTION


# %%
check("embedding.test_order")

# %% [markdown]
# ## 6 · Room for two
#
# There are four words and four positions, and vectors have only **four** numbers. Word `w` at position `p` is the sum `x =
# table[w] + positions[p]`. Two matrices read from it: `x @ to_word` gives four scores, one per word, and `x @ to_position`
# gives one per position. Unlike the lesson's probes, they have no bias.
#
# **Give `matrices = (table, positions, to_word, to_position)`**, each of shape `(4, 4)`. In all 16 sums, the right word and
# the right position must have the highest score, at least 0.5 above the others. If every word and every position had a
# direction of its own, you would need eight numbers. You have four, so the four words must make do with fewer than four
# directions, and so must the positions. This function shows what your matrices read:


# %%
def read(table, positions, to_word, to_position):
    for word in range(4):
        for position in range(4):
            x = table[word] + positions[position]
            found = (x @ to_word).argmax(), (x @ to_position).argmax()
            print((word, position), "is read as", tuple(map(int, found)))


read(np.eye(4), np.zeros((4, 4)), np.eye(4), np.eye(4))

# %% exercise="embedding.apart" form="construct" minutes=15 difficulty=3
### BEGIN SOLUTION
# Words use the first two dimensions and positions the last two. In each pair of dimensions, four points lie on a circle. Each
# point has a dot product of 1 with itself, 0 with its two neighbours, and −1 with the point opposite.
circle = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])
nothing = np.zeros((4, 2))
words, places = np.hstack([circle, nothing]), np.hstack([nothing, circle])
matrices = (words, places, words.T, places.T)
### END SOLUTION

# %%
check("embedding.apart")

# %% [markdown]
# Random directions need more room than this, as you saw in the lesson. But nobody has to arrange them.
