# %% [markdown] minutes=60 lessons=["16"] stages=["B4"]
# # B7 · Writing
#
# **Where we stand.** Your GPT from stage B4 gives logits for the next token. To make it write, you have used a few lines of
# ours, which read the whole text again for each token.
#
# **What is missing** is a loop that knows when to stop, a choice among the likely tokens (lesson 16), and a cache, so that
# nothing is computed twice.
#
# You need {lessons} and {stages}. The whole stage takes about {minutes} minutes.

# %%
import torch
from torch.nn import functional as F

from transformer_course import decoding
from transformer_course.exercises import check
from transformer_course.experiments import build_prose as prose
from transformer_course.experiments import build_writing as writing
from transformer_course.my_transformer import GPT

# %% [markdown]
# ## A model that can write
#
# The course ships a GPT that has learned from Python's documentation, and its weights are named as in your classes. Its tokens
# are pieces of words (stage B8). A newline marks both the beginning and the end of a paragraph.

# %% tags=["not-graded"]
weights, tokenizer = prose.trained_longer()
model = GPT(len(tokenizer), **prose.SIZES).eval()
model.load_state_dict(weights)
newline = tokenizer.encode("\n")[0]
print([tokenizer.decode([token]) for token in tokenizer.encode("\nReturn the length.")])

# %% [markdown]
# ## 1 · The loop that generates
#
# A loop that begins with one id and always takes the highest score writes the same text each time. Yours takes any beginning
# and any rule for choosing. Write `generate(step, begin, end, limit, choose=torch.argmax)`:
#
# * `begin` is a list of ids, such as those of a prompt. There is at least one.
# * `step(ids)` takes all ids so far, as one list, and returns a tensor of logits, one for each token of the vocabulary.
# * `choose(logits)` returns the next id. With its default, `torch.argmax`, decoding is greedy. `int(…)` turns its result into
#   an `int`.
# * Stop after `end` has been chosen, or after `limit` new ids. `end` may also be among the ids of `begin`, but it does
#   not end the text there.
#
# Return the list of *new* ids, with `end` if it was chosen. Leave `begin` as it is.


# %% exercise="build.greedy" form="program" minutes=10 difficulty=1 builds=["choice"]
def generate(step, begin, end, limit, choose=torch.argmax):
    """The new ids that follow those of begin: up to end, and at most limit."""
    ### BEGIN SOLUTION
    generated = []
    while len(generated) < limit and end not in generated:
        generated.append(int(choose(step([*begin, *generated]))))
    return generated
    ### END SOLUTION


# %% tags=["not-graded"]
def count_up(ids):
    """Logits for ten tokens. The highest is that of the number after the last one."""
    return -(torch.arange(10.0) - ids[-1] - 1).abs()


print(generate(count_up, [7, 2, 3], end=7, limit=20))  # should be [4, 5, 6, 7]
print(generate(count_up, [7, 2, 3], end=7, limit=2))  # should be [4, 5]

# %%
check("build.greedy")

# %% [markdown]
# Now the model writes, always with its most probable token. **Predict:** what will a whole paragraph be like if it begins
# with nothing but a newline?


# %% tags=["not-graded"]
def read_all(model):
    """A step that gives the model the whole text every time."""

    @torch.no_grad()
    def step(ids):
        return model(torch.tensor([ids]))[0, -1]  # of the only text, after its last token

    return step


for start in ("\nReturn the", "\nIf the file", "\n"):
    ids = generate(read_all(model), tokenizer.encode(start), newline, limit=100)
    print(start.strip() + tokenizer.decode(ids), end="")

# %% [markdown]
# Each step is reasonable, but the whole paragraph goes round in circles (lesson 16).
#
# These texts were short. **Predict:** this model was trained on texts of 128 tokens. What happens at token 129?

# %% tags=["not-graded"]
try:
    ids = generate(read_all(model), tokenizer.encode("\nReturn the"), end=-1, limit=150)
    print(f"{len(ids)} new tokens, the last ones: {tokenizer.decode(ids[-20:])!r}")
except IndexError as error:
    print("IndexError:", error)

# %% [markdown]
# The table of positions has 128 rows, so there is none for token 129. A longer text is therefore **cropped**: the model sees
# only its last 128 ids. Change the line with `model(` in `read_all`, and run both cells again.
#
# <details><summary>Compare</summary><code>return model(torch.tensor([ids[-128:]]))[0, -1]</code></details>
#
# ## 2 · Temperature and top-p
#
# Write `next_probabilities(logits, temperature, p)`. `logits` has shape `(v,)`, and so has the result.
#
# 1. Divide the logits by `temperature`, and take the softmax.
# 2. Starting with the most probable, keep the fewest tokens whose probabilities add up to at least `p`. (What ties with the
#    last may stay.) All others get 0.
# 3. Divide by the sum, so that the probabilities sum to 1 again. Each token keeps its place.
#
# **On paper:** the probabilities are 0.1, 0.5, 0.15 and 0.25, and p is 0.7. What is the result?
#
# <details><summary>Compare</summary>0.5 alone is less than 0.7, and 0.5 + 0.25 is enough. Divided by 0.75, these two are 2/3
# and 1/3: the result is [0, 2/3, 0, 1/3].</details>
#
# `x.sort(descending=True)` returns two tensors: the sorted numbers, and the index from which each of them came.


# %% exercise="build.top_p" form="program" minutes=12 difficulty=2 builds=["choice"]
def next_probabilities(logits, temperature, p):
    """The softmax at a temperature, cut to the fewest tokens that together have at least p."""
    ### BEGIN SOLUTION
    ranked, order = (logits / temperature).softmax(-1).sort(descending=True)
    ahead = ranked.cumsum(-1) - ranked  # the sum of those before each one
    kept = torch.where(ahead < p, ranked, 0)
    return torch.zeros_like(kept).scatter(-1, order, kept / kept.sum())
    ### END SOLUTION


# %% tags=["not-graded"]
logits = torch.tensor([0.2, 0.1, 0.4, 0.3]).log()
print(next_probabilities(logits, temperature=1.0, p=0.6))  # should be 0, 0, 4/7, 3/7
print(next_probabilities(logits, temperature=1.0, p=1.0))  # should be unchanged

# %%
check("build.top_p")

# %% [markdown]
# At temperature 0, you divide by 0, so every probability is NaN. Programs that accept a 0 take the argmax instead, which is
# what lower and lower temperatures approach.
#
# `torch.multinomial(probabilities, 1)` draws an id as your `sample` from stage B1 does, and chooses the random number u
# itself. We let the model continue *This function* greedily, and then three times by sampling: with temperature 0.5, with
# p = 0.9, and with temperature 1.5. **Predict:** which of the three texts will have words that do not exist? Which will be
# closest to the greedy one?


# %% tags=["not-graded"]
def draw(temperature, p):
    """A random choice, for `generate`."""

    def choose(logits):
        return torch.multinomial(next_probabilities(logits, temperature, p), 1)

    return choose


prompt = tokenizer.encode("\nThis function")
ids = generate(read_all(model), prompt, newline, 60)
print(f"greedy: This function{tokenizer.decode(ids).rstrip()}")
for temperature, p in ((0.5, 1.0), (1.0, 0.9), (1.5, 1.0)):
    torch.manual_seed(1)
    ids = generate(read_all(model), prompt, newline, 60, draw(temperature, p))
    print(f"temperature {temperature}, p {p}: This function{tokenizer.decode(ids).rstrip()}")

# %% [markdown]
# At 1.5, even unlikely pieces of words get their chance, and soon one of them does not fit the others. Top-p removes the
# least likely ones, but not every piece that does not fit. Run the cell with other values; there is no best one.
#
# ## What is computed twice
#
# To generate token 101, `read_all` sends 100 tokens through every block, although it has sent 99 of them before. In a causal
# model they give the same vectors again, since no token sees a later one. A new token needs only the *keys and values* of the
# earlier ones. So we keep these, in a **key–value cache**, and send only the new token through the blocks.
#
# **On paper:** 100 tokens are generated after a single one. How many tokens go through the blocks in all, without a cache
# and with one?
#
# <details><summary>Compare</summary>Without: 1 + 2 + … + 100 = 5,050. With: 100.</details>
#
# ## 3 · A key–value cache
#
# `CachedGPT` has the same parts as your `GPT`, so it loads the same weights. Its `forward(tokens, caches)` gets only the *new*
# tokens, `(b, n)`, and returns their logits. `caches` is a list with one dictionary per block. All are empty when a text
# begins. A prompt comes in one call with several tokens; a later call may have several, too.
#
# **First write `attend`.** The queries, keys and values of the new tokens are given, each of shape `(b, h, n, d/h)`.
#
# * `cache["key"]` and `cache["value"]` hold those of all earlier tokens, if any. Put the new ones after them, and keep the
#   result in the cache. `torch.cat([x, y], dim=2)` joins tensors along axis 2.
# * Now there are n queries and m keys, where m counts all tokens so far. Make a `mask` of shape `(n, m)`, on their device,
#   with True where a query may attend. For m = 5 and n = 2, its rows are `1 1 1 1 0` and `1 1 1 1 1`; for n = 1, its row is
#   `1 1 1 1 1`.
#   `x.tril(1)` keeps one more diagonal than `x.tril()`.
# * `heads = F.scaled_dot_product_attention(q, k, v, mask)` does what you wrote out in stage B3. Join the heads as you did
#   there: return `attention.w_o(heads.transpose(1, 2).flatten(2))`.
#
# Run the cell below the class to try `attend`. **Then write `forward`.** It does what the `forward` of `GPT` does, except for
# the *positions* of the new tokens, and for the blocks. In the loop, do what `Block` does, with
# `self.attend(block.attention, …, cache)` in place of its attention.


# %% exercise="build.cache" form="program" minutes=25 difficulty=3
class CachedGPT(GPT):
    """A GPT that reads only new tokens, with a key–value cache for each block."""

    def attend(self, attention, x, cache):
        """Causal self-attention of new tokens (b, n, d), which also see all earlier ones."""
        q, k, v = (attention.split(w(x)) for w in (attention.w_q, attention.w_k, attention.w_v))
        ### BEGIN SOLUTION
        if cache:
            k = torch.cat([cache["key"], k], dim=2)
            v = torch.cat([cache["value"], v], dim=2)
        cache["key"], cache["value"] = k, v
        n, m = q.shape[2], k.shape[2]
        mask = torch.ones(n, m, dtype=torch.bool, device=x.device).tril(m - n)
        heads = F.scaled_dot_product_attention(q, k, v, mask)
        return attention.w_o(heads.transpose(1, 2).flatten(2))
        ### END SOLUTION

    def forward(self, tokens, caches):
        ### BEGIN SOLUTION
        start = caches[0]["key"].shape[2] if caches[0] else 0
        positions = torch.arange(start, start + tokens.shape[1], device=tokens.device)
        x = self.tokens(tokens) + self.positions(positions)
        for block, cache in zip(self.blocks, caches, strict=True):
            x = x + self.attend(block.attention, block.norm_1(x), cache)
            x = x + block.feed_forward(block.norm_2(x))
        return self.output(self.final_norm(x))
        ### END SOLUTION


# %% [markdown]
# Try `attend`: five tokens in three pieces should give the same as all at once, and the cache should hold five keys.

# %% tags=["not-graded"]
cached = CachedGPT(10, max_length=8, d_model=4, num_heads=2, num_layers=2, d_ff=16)
attention, x, cache = cached.blocks[0].attention, torch.randn(1, 5, 4), {}
whole = attention(x, x, x, torch.ones(5, 5, dtype=torch.bool).tril())
pieces = [cached.attend(attention, piece, cache) for piece in x.split([2, 2, 1], dim=1)]
print(tuple(cache["key"].shape))  # should be (1, 2, 5, 2)
print((torch.cat(pieces, dim=1) - whole).abs().amax(-1) < 1e-6)  # should be True for each token

# %%
check("build.cache")

# %% [markdown]
# ## The same text, faster
#
# Your class gets the weights of the model above. It first reads 100 tokens: a prompt of 50, then one at a time.
# The largest logits are near 16, and float32 has about seven digits, so we expect differences of about 0.00001. Each block
# gets a dictionary of its own.

# %% tags=["not-graded"]
cached = CachedGPT(len(tokenizer), **prose.SIZES).eval()
cached.load_state_dict(weights)
tokens = torch.tensor([tokenizer.encode("\nReturn the name of the file. " * 20)[:100]])
with torch.no_grad():
    caches = [{} for _ in cached.blocks]
    pieces = [cached(piece, caches) for piece in tokens.split([50] + [1] * 50, dim=1)]
    difference = (torch.cat(pieces, dim=1) - model(tokens)).abs().max().item()
print(f"largest difference between the logits: {difference:.7f}")


# %% [markdown]
# Your `generate` needs no change. Only the step is new: it passes on what the caches do not contain yet.


# %% tags=["not-graded"]
def read_new(model):
    """A step that gives the model only new tokens. Each text needs a new step."""
    caches = [{} for _ in model.blocks]

    @torch.no_grad()
    def step(ids):
        new = ids[-1:] if caches[0] else ids
        return model(torch.tensor([new]), caches)[0, -1]

    return step


for step in (read_all(model), read_new(cached)):
    print(tokenizer.decode(generate(step, [newline], newline, limit=100)), end="")

# %% [markdown]
# Both lines should be the same. How much time does the cache save? We measure models with random weights, which have room for
# 512 tokens. No token has the id −1, so nothing ends early.
#
# **Predict:** how many times as fast will your cache be for 128 tokens, and for 512? The cell takes about 20 seconds.

# %% tags=["not-graded"]
plain, cached = GPT(**writing.SIZES).eval(), CachedGPT(**writing.SIZES).eval()
library = writing.library_model()
for length in writing.LENGTHS:
    programs = {
        "no cache": lambda n=length: generate(read_all(plain), [1], -1, n),
        "your cache": lambda n=length: generate(read_new(cached), [1], -1, n),
        "the library's": lambda n=length: decoding.greedy(library, torch.tensor([[1]]), n),
    }
    seconds = writing.seconds(programs)
    print(f"{length} tokens:", " · ".join(f"{name} {took:.2f} s" for name, took in seconds.items()))
    print(f"    your cache is {seconds['no cache'] / seconds['your cache']:.1f} times as fast")

# %% [markdown]
# In our runs, it was about 3 times as fast for 128 tokens; for 512, it was 12 to 15 times as fast on an idle computer, but
# only 4 times on a busy one. Without a cache, every token costs more than the one before, so the gain grows with the text.
# The price is memory: keys and values of 128 numbers in each of 4 blocks take 4 kB per token in float32, or 2 MB for 512.
#
# Your class copies all keys and values at every step, because `torch.cat` makes a new tensor. The library reserves memory
# once. In our runs, it was 1.3 to 1.7 times as fast as this class. And your cache cannot be cropped: its keys were computed
# with the positions that their tokens had. When it is full, start a new one with the last ids of the text.
#
# ## Your own model writes
#
# The GPT that you trained in stage B4 is in your folder. Here it writes with your loop, your sampling and your cache, one
# character at a time, until its 64 positions are used up.

# %% tags=["not-graded"]
own, its_tokenizer = writing.own_model(CachedGPT)
prompt = its_tokenizer.encode("\nReturn the")
room = own.positions.num_embeddings - len(prompt)
for seed in range(3):
    torch.manual_seed(seed)
    ids = generate(read_new(own), prompt, its_tokenizer.encode("\n")[0], room, draw(0.8, 0.9))
    print("Return the" + its_tokenizer.decode(ids).rstrip())

# %% [markdown]
# In stage B8, you build a tokenizer of your own, and train your GPT on its tokens.
