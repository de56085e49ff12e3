# %% [markdown] minutes=35 lessons=["18"] stages=["B4", "B7", "B8"]
# # GPT-2 · Its weights in your code
#
# **Where we stand.** Your GPT from stage B4 writes with the cache of stage B7, in the tokens of stage B8. It learned from 1.2
# million characters. GPT-2 learned from 40 GB of text, and its authors published its weights in 2019.
#
# **What is missing** is very little: GPT-2 has nearly the same parts as your GPT. Here you find out which of its numbers
# belongs where, and your class writes English.
#
# You need {lessons} and {stages}. Nothing here is graded. This notebook is the only one that needs a network, once, for 550
# MB; running the model takes about 1.5 GB of memory. **Without a network**, everything works with a small model of random
# numbers, in files with the same names and layout.

# %%
import torch
from torch.nn import functional as F

from transformer_course import gpt2
from transformer_course.experiments import gpt2_completions, small_gpt2
from transformer_course.experiments.talking import talk
from transformer_course.my_transformer import (
    CachedGPT,
    FeedForward,
    decode_ids,
    encode_word,
    generate,
    next_probabilities,
)
from transformer_course.weights import copy_weights, read

# %% [markdown]
# ## What is different
#
# Apart from the sizes, GPT-2 computes only two things differently from your GPT:
#
# | | your GPT | GPT-2 |
# | --- | --- | --- |
# | nonlinearity | ReLU | GELU, approximated with tanh |
# | output layer | a matrix of its own | the token table, used a second time (lesson 19) |
#
# So a few lines are enough. They start from your class from stage B7, which has the cache:


# %%
class GELUFeedForward(FeedForward):
    def forward(self, x):
        return self.w_2(F.gelu(self.w_1(x), approximate="tanh"))


class GPT2(CachedGPT):
    def __init__(self, d_model, **sizes):
        super().__init__(d_model=d_model, d_ff=4 * d_model, **sizes)
        for block in self.blocks:
            block.feed_forward = GELUFeedForward(d_model, 4 * d_model)
        self.output.weight = self.tokens.weight

    def forward(self, tokens, caches=None):
        return super().forward(tokens, caches or [{} for _ in self.blocks])


# %% [markdown]
# The smallest GPT-2 has 12 blocks of width 768 with 12 heads each, 1,024 positions and 50,257 tokens.
#
# **Predict:** what fraction of its parameters is in the token table: about 3%, 30% or 60%?
#
# On torch's device `meta`, a model has shapes but no numbers, so it takes no memory.

# %%
with torch.device("meta"):
    model = GPT2(**gpt2.SIZES)
total = sum(parameter.numel() for parameter in model.parameters())
print(f"{total:,} parameters, {model.tokens.weight.numel() / total:.0%} of them in the token table")

# %% [markdown]
# In GPT-2's paper, this model is listed with 117 million parameters. The authors later corrected this to 124 million, which is
# what your class has.
#
# ## Where does each number belong?
#
# The names in GPT-2's file are not yours. Here are the small model's. The large one has the same names, but more blocks and
# larger matrices.

# %%
_, published = read(small_gpt2.files()["model.safetensors"])
for name, weight in published.items():
    if not name.startswith("h.1."):  # the second block is like the first
        print(f"{name:24}{tuple(weight.shape)}")

# %%
model = GPT2(**small_gpt2.sizes())
for name, parameter in model.named_parameters():
    if not name.startswith("blocks.1."):
        print(f"{name:34}{tuple(parameter.shape)}")

# %% [markdown]
# Write `to_mine(weights)`. It gets GPT-2's tensors in a dictionary, and returns a dictionary with yours, one for each
# parameter of your class. What you need to know about GPT-2's layout:
#
# * `wte` and `wpe` are the tables of tokens and positions. `ln_1` and `ln_2` are the norms of a block, `ln_f` the final one.
#   In a norm, `weight` is your gamma and `bias` your beta.
# * In each block, `attn.c_attn` holds *three* projections side by side: d columns for the queries, then d for the keys, then d
#   for the values. `attn.c_proj` is your `w_o`; `mlp.c_fc` and `mlp.c_proj` are the two matrices of the feed-forward network.
# * GPT-2 stores the matrices *of its blocks* as inputs by outputs, but `nn.Linear` stores them as outputs by inputs.
# * `attn.bias` is not a bias but the causal mask, which your blocks make themselves.
#
# `x.T` transposes a matrix, and `x.chunk(3, dim=-1)` cuts a tensor into three along its last axis. Three lines are already
# there. Go on one line at a time, and run the cell below after each: it says what comes next, until your logits match those
# that the `transformers` package computes with these weights.


# %%
def to_mine(weights):
    mine = {"tokens.weight": weights["wte.weight"]}
    layers = {name.split(".")[1] for name in weights if name.startswith("h.")}
    for layer in sorted(layers):
        theirs, block = f"h.{layer}", f"blocks.{layer}"
        mine[f"{block}.norm_1.gamma"] = weights[f"{theirs}.ln_1.weight"]
        # Go on here.
    return mine


# %%
mapped = small_gpt2.fits(to_mine, GPT2(**small_gpt2.sizes()))

# %% [markdown]
# A solution is in the next cell, whose code is folded: click the three dots to read it. Run it in any case. It loads the
# weights below until yours does.


# %% jupyter={"source_hidden": true}
def a_solution(weights):
    mine = {
        "tokens.weight": weights["wte.weight"],
        "positions.weight": weights["wpe.weight"],
        "final_norm.gamma": weights["ln_f.weight"],
        "final_norm.beta": weights["ln_f.bias"],
    }
    matrices = {
        "attn.c_proj": "attention.w_o",
        "mlp.c_fc": "feed_forward.w_1",
        "mlp.c_proj": "feed_forward.w_2",
    }
    layers = {name.split(".")[1] for name in weights if name.startswith("h.")}
    for layer in sorted(layers):
        theirs, block = f"h.{layer}", f"blocks.{layer}"
        for number in "12":
            mine[f"{block}.norm_{number}.gamma"] = weights[f"{theirs}.ln_{number}.weight"]
            mine[f"{block}.norm_{number}.beta"] = weights[f"{theirs}.ln_{number}.bias"]
        packed = weights[f"{theirs}.attn.c_attn.weight"].chunk(3, dim=-1)
        biases = weights[f"{theirs}.attn.c_attn.bias"].chunk(3, dim=-1)
        for part, matrix, bias in zip("qkv", packed, biases, strict=True):
            mine[f"{block}.attention.w_{part}.weight"] = matrix.T
            mine[f"{block}.attention.w_{part}.bias"] = bias
        for old, new in matrices.items():
            mine[f"{block}.{new}.weight"] = weights[f"{theirs}.{old}.weight"].T
            mine[f"{block}.{new}.bias"] = weights[f"{theirs}.{old}.bias"]
    return mine


# %% [markdown]
# ## Download
#
# The files come from the Hugging Face Hub (`openai-community/gpt2`), always in the same revision, and go to `models/gpt2` in
# your folder. `gpt2.download` compares the SHA-256 hash of each file with the one that the course knows, so a damaged or
# different file is not used. If the download stops, run the cell again: it continues where it left off.

# %%
try:
    files, sizes = gpt2.download(), gpt2.SIZES
except (OSError, ValueError) as problem:
    files, sizes = small_gpt2.files(), small_gpt2.sizes()
    print(f"GPT-2 is not here: {problem}.")
    print("Until then, the cells below run the small model. All of its parameters are random,")
    print("so what it writes is noise. With a network, run this cell and those below again.")

# %%
_, published = read(files["model.safetensors"])
model = GPT2(**sizes).eval()
copy_weights(model, (to_mine if mapped else a_solution)(published))
count = sum(parameter.numel() for parameter in model.parameters())
print(f"{count:,} parameters, each in its place:")
print("by your mapping" if mapped else "by the solution, as your mapping does not fit yet")

# %% [markdown]
# ## Its tokens
#
# GPT-2's tokenizer consists of two files: `vocab.json` has the id of each token, and `merges.txt` has 50,000 merges in the
# order in which they were learned. Your `encode_word` applies them. The split into words is slightly different: GPT-2 also
# separates digits from letters, and endings such as "'s" from their words.
#
# Your function tries all 50,000 merges on each word. With the course's solution, this took 0.2 seconds per word, which is fast
# enough for a short text.


# %%
class GPT2Tokenizer:
    def __init__(self, vocabulary, merges):
        self.tokens, self.merges = gpt2.read_tokenizer(vocabulary, merges)
        self.ids = {token: number for number, token in enumerate(self.tokens)}

    def encode(self, text):
        words = gpt2.split(text)
        return [self.ids[piece] for word in words for piece in encode_word(word, self.merges)]

    def decode(self, ids):
        return decode_ids(ids, self.tokens)


# %% [markdown]
# On the word "unbelievable", GPT-2's tokenizer and that of stage B8 need not agree, because they learned from different texts.
# (The small model's has learned from six sentences.)

# %%
tokenizer = GPT2Tokenizer(files["vocab.json"], files["merges.txt"])
ids = tokenizer.encode("It's unbelievable, Zoë!")
print([tokenizer.tokens[number] for number in ids])
print(tokenizer.decode(ids))

# %% [markdown]
# ## Write
#
# Everything from here on is yours: the loop and the sampling (`generate`, `next_probabilities`), and the cache. Each token is
# drawn from the most probable ones, whose probabilities sum to 0.9.


# %%
def read_new(model):
    """A step that gives the model only new tokens, as in stage B7. Each text needs a new step."""
    caches = [{} for _ in model.blocks]

    @torch.no_grad()
    def step(ids):
        new = ids[-1:] if caches[0] else ids
        return model(torch.tensor([new]), caches)[0, -1]

    return step


def draw(logits):
    return torch.multinomial(next_probabilities(logits, 1.0, 0.9), 1)


beginnings = ("The best way to learn is", "In the middle of the night,", "Python is a language")
for start in beginnings:
    torch.manual_seed(0)
    ids = tokenizer.encode(start)
    room = min(40, sizes["max_length"] - len(ids))
    print(repr(start + tokenizer.decode(generate(read_new(model), ids, -1, room, draw))), "\n")

# %% [markdown]
# Every part that computed this is in your `my_transformer.py`. And this is what GPT-2 wrote elsewhere, if it was recorded:

# %%
print(gpt2_completions.recorded())

# %% [markdown]
# ## What it does that yours cannot
#
# The parts are the same, but the training text is not: 40 GB from eight million web pages, more than 30,000 times your 1.2
# million characters. The numbers below are from GPT-2's paper ({radford2019}). None of the models was trained for these tasks;
# the largest one has 1.5 billion parameters.
#
# * **It reads further back:** it has 1,024 positions, and yours had 64 or 128.
# * **It finds the last word of a passage** when only the earlier sentences give it away: the smallest GPT-2 in 46% of the
#   cases of the LAMBADA test, the largest in 63%.
# * **It reads texts that were kept from it:** its authors left Wikipedia out, and the smallest one needs 1.16 bits per byte
#   there (the test enwik8).
# * **It answers questions** about a text, if the text and earlier questions come first: the largest one reached an F1 of 55 on
#   CoQA, where people reach 89.
# * **It knows some facts:** the largest one answered 4% of the questions in Natural Questions exactly, the smallest less than
#   1%.
# * **It translates a little,** although nearly all its text is English: the largest one reached 11.5 BLEU from French to
#   English.
#
# What it cannot do, yours cannot do either. It continues a text and follows no instruction, because nobody trained it to. It
# repeats prejudices and false statements from its training text. And it does not know what it does not know: so do not rely on
# anything it says.
#
# ## Talk to it
#
# `talk` asks for the beginning of a text, and prints each token as soon as it is drawn. An empty line ends the session. To
# stop earlier, interrupt the kernel (■ above): what has been written stays. `talk` also works with your model from stage B10.

# %%
talk(model, tokenizer, count=min(40, sizes["max_length"]))
