# %% [markdown]
# # Sheet 06 · From text to tensor
#
# Six exercises, a good hour in all; they need not be done in one sitting. Each has a cell for your answer and a cell that
# checks it. Run both with Shift + Enter, as often as you like. If an answer does not pass, the check says what is wrong with
# it. Hints unfold below that, one at a time, and after the last hint a solution.
#
# Tokens, texts, positions and ids are counted from 0, as Python does.

# %%
import numpy as np

from transformer_course.exercises import check

# %% [markdown]
# ## 1 · Two texts as a batch (by hand, 6 minutes, ●○○)
#
# A small vocabulary, in the order of its ids:
#
# `<pad>`, `<begin>`, `<end>`, `<unknown>`, `and`, `five`, `hundred`, `three`, `twenty`
#
# **Write these two texts as one batch of ids: "twenty five" and "three hundred and six".** Each text gets `<begin>` in
# front and `<end>` behind, as what a model writes has them. A list of two lists, both of the same length.

# %% exercise="embedding.ids"
### BEGIN SOLUTION
# "six" is not in the list: id 3. The first text has four tokens with its beginning and end, the second six.
batch = [[1, 8, 5, 2, 0, 0], [1, 7, 6, 4, 3, 2]]
### END SOLUTION

# %%
check("embedding.ids")

# %% [markdown]
# ## 2 · A model's first tensor (program, 12 minutes, ●●○)
#
# Write `embed(tokens, table, positions)`. Given are
#
# * `tokens`, whole numbers of shape `(…, n)`: a batch of texts `(b, n)`, a single text `(n,)`, or with more axes in front;
# * `table`, of shape `(v, d_model)`, a row for each id;
# * `positions`, of shape `(m, d_model)`, a row for each position, with m ≥ n.
#
# Return the rows of the tokens times √d_model, plus the rows of their positions, of shape `(…, n, d_model)`. In every text
# the first token is at position 0. An array of ids as an index, `table[tokens]`, looks all of them up at once.


# %% exercise="embedding.embed"
def embed(tokens, table, positions):
    """(…, n) to (…, n, d_model): rows of the table times √d_model, plus positions."""
    ### BEGIN SOLUTION
    n, d_model = tokens.shape[-1], table.shape[-1]
    return table[tokens] * np.sqrt(d_model) + positions[:n]
    ### END SOLUTION


# %%
check("embedding.embed")

# %% [markdown]
# ## 3 · A table from the shelf (on paper, 6 minutes, ●●○)
#
# Somebody builds a model of width 64. The table is `nn.Embedding(1000, 64)`, which torch draws with a standard deviation of
# 1. Its rows are multiplied by √64, and waves between −1 and 1 are added. Give three things:
#
# * `"claim"`: at the start, what is it like? `"a"` words and positions are about equally large · `"b"` the words drown in
#   the positions · `"c"` the positions drown in the words · `"d"` both are too large, by the same factor
# * `"reason"`:
#   * `"a"` the factor multiplies what the table holds, however large that is
#   * `"b"` times √d_model, the numbers of any table come to lie near ±1
#   * `"c"` the positions are multiplied along with the words
#   * `"d"` the numbers of a new table lie near 0
# * `"value"`: the standard deviation with which the table should start, so that it is 1 after the factor.

# %% exercise="embedding.drowned"
### BEGIN SOLUTION
# After the factor, the words spread by 1 × 8, and the waves by 0.7. For a spread of 1 it takes a start of 1 / 8.
verdict = {"claim": "c", "reason": "a", "value": 0.125}
### END SOLUTION

# %%
check("embedding.drowned")

# %% [markdown]
# ## 4 · The wrong way back (find an input, 8 minutes, ●●○)
#
# The way back from a vector to its token takes the *nearest* row of the table. Somebody takes the row with the largest dot
# product instead. Here are both, each tried on the rows of the table themselves, without positions:


# %%
def by_dot_product(table):
    return (table @ table.T).argmax(axis=1)


def by_distance(table):
    gaps = table[:, None] - table[None]  # from each row to each row
    return (gaps**2).sum(axis=-1).argmin(axis=1)


example = np.array([[1.0, 0.0], [0.0, 1.0]])
print("by dot product", by_dot_product(example), " by distance", by_distance(example))

# %% [markdown]
# By distance, each row of course finds itself. **Give a `table` on which the dot product leads to another token**: some row
# has a strictly larger one with another row than with itself (a tie does not count). From 2 to 8 rows that all differ, from
# 1 to 8 numbers in each, between −1000 and 1000.

# %% exercise="embedding.nearest"
### BEGIN SOLUTION
# Same direction, twice as long: row 0 has a dot product of 1 with itself, and of 2 with row 1.
table = [[1.0, 0.0], [2.0, 0.0]]
### END SOLUTION

# %%
check("embedding.nearest")

# %% [markdown]
# ## 5 · Does it know the order? (program, 20 minutes, ●●○)
#
# You are handed functions `f`, and cannot look inside. Each takes one sequence `x`, a NumPy array of shape `(n, d)` with
# finite numbers, a row for each token, and returns an output for each token, again `(n, d)`. Given the same `x`, a function
# always returns the same.
#
# Write `is_blind_to_order(f)`. It returns True when tokens in another order give the same outputs **in that other order**,
# whatever the order, and False otherwise. The check calls it with six functions that are blind to the order, and with ten
# that are not. (In its replies, the six are the "right" ones, and the ten are "broken".) Five tokens are enough to show it.
# Compare with `np.allclose(a, b)`, never with `==`: another order of the summands may move the last bits.
#
# This is how an array is put into another order:

# %%
x = np.array([[10.0, 11.0], [20.0, 21.0], [30.0, 31.0]])
print(x[[2, 0, 1]])
print("some order of five:", np.random.default_rng(0).permutation(5))


# %% exercise="embedding.test_order"
def is_blind_to_order(f):
    """True when f(x in another order) is f(x) in that order."""
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
# ## 6 · Room for two (construct, 15 minutes, ●●●)
#
# Four words and four positions, and vectors of only **four** numbers. A word `w` at position `p` is the sum `x = table[w] +
# positions[p]`. Two maps read from it: `x @ to_word` gives four scores, one for each word, and `x @ to_position` one for
# each position. Unlike the lesson's probes, they have no bias.
#
# **Give `matrices = (table, positions, to_word, to_position)`**, each of shape `(4, 4)`, such that in all 16 sums the right
# word and the right position have the largest score, at least 0.5 above the others. A direction of its own for each word
# and each position would take eight numbers. This shows what your matrices read:


# %%
def read(table, positions, to_word, to_position):
    for word in range(4):
        for position in range(4):
            x = table[word] + positions[position]
            says = (x @ to_word).argmax(), (x @ to_position).argmax()
            print((word, position), "is read as", tuple(map(int, says)))


read(np.eye(4), np.zeros((4, 4)), np.eye(4), np.eye(4))

# %% exercise="embedding.apart"
### BEGIN SOLUTION
# Words in the first two dimensions, positions in the last two; in each pair, four points on a circle. Each point has its
# largest dot product with itself, 1, and then 0 with its neighbours.
circle = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])
nothing = np.zeros((4, 2))
words, places = np.hstack([circle, nothing]), np.hstack([nothing, circle])
matrices = (words, places, words.T, places.T)
### END SOLUTION

# %%
check("embedding.apart")

# %% [markdown]
# With random directions it takes more room than this, as you saw in the lesson; but nobody has to arrange it.
