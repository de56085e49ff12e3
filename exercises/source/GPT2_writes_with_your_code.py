# %% [markdown] minutes=20 lessons=["18"] stages=["B4", "B8"]
# # GPT-2 · Its weights in your code
#
# **Where we stand.** Your GPT of stage B4 reads the tokens of stage B8 and writes about Python. It learned from 1.2 million
# characters. GPT-2 learned from 40 GB of text, and its authors published its weights in 2019.
#
# **What is missing** is very little: GPT-2 has nearly the same parts as your GPT. Here you load its weights into your class,
# and your class writes English.
#
# You need {lessons} and {stages}. There are no exercises. This notebook is the only one that needs a network: it
# downloads 550 MB with the package `huggingface_hub`, and running the model takes about 1.5 GB of memory. Without a network or
# the package, you still see what would happen.

# %%
import torch
from torch.nn import functional as F

from transformer_course import gpt2
from transformer_course.decoding import next_token_distribution
from transformer_course.my_transformer import GPT, FeedForward, decode_ids, encode_word
from transformer_course.weights import read

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
# So a few lines are enough:


# %%
class GELUFeedForward(FeedForward):
    def forward(self, x):
        return self.w_2(F.gelu(self.w_1(x), approximate="tanh"))


class GPT2(GPT):
    def __init__(self, d_model, d_ff, **sizes):
        super().__init__(d_model=d_model, d_ff=d_ff, **sizes)
        for block in self.blocks:
            block.feed_forward = GELUFeedForward(d_model, d_ff)
        self.output.weight = self.tokens.weight


# %% [markdown]
# The smallest GPT-2 has 12 blocks of width 768 with 12 heads each, 1,024 positions and 50,257 tokens.
#
# **Predict:** what fraction of its parameters is in the token table: about 3%, 30% or 60%?
#
# On torch's device `meta`, a model has shapes but no numbers, so it takes no memory.

# %%
sizes = {**gpt2.SIZES, "d_ff": 4 * gpt2.SIZES["d_model"]}
with torch.device("meta"):
    model = GPT2(**sizes)
total = sum(parameter.numel() for parameter in model.parameters())
print(f"{total:,} parameters, {model.tokens.weight.numel() / total:.0%} of them in the token table")

# %% [markdown]
# In GPT-2's paper, this model is listed with 117 million parameters. The authors later corrected this to 124 million, which is
# what your class has.
#
# ## Download
#
# The files come from the Hugging Face Hub (`openai-community/gpt2`), always in the same revision. `gpt2.download` compares the
# SHA-256 hash of each file with the one that the course knows, so a damaged or different file is not used. If the download
# stops, run the cell again.

# %%
try:
    files = gpt2.download()
except (ImportError, OSError) as problem:
    files = None
    print(f"GPT-2 is not here: {problem}.")
    print(
        "The cells below will do nothing. With the files, they load the weights and write English."
    )

# %% [markdown]
# ## Load the weights
#
# The names in the file are not yours, and one layout differs too. GPT-2 packs the projections for queries, keys and values
# into one matrix, `c_attn`, with three times as many columns. It also stores the matrices of its layers transposed: inputs by
# outputs, while `nn.Linear` has outputs by inputs. `gpt2.load_weights` splits, transposes and renames, and refuses weights
# that do not fit.

# %%
if files:
    _, weights = read(files["model.safetensors"])
    for name in ("wte.weight", "h.0.attn.c_attn.weight", "h.0.mlp.c_fc.weight"):
        print(name, tuple(weights[name].shape))
    model = GPT2(**sizes)
    gpt2.load_weights(model, weights)
    model.eval()

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
if files:
    tokens, merges = gpt2.read_tokenizer(files["vocab.json"], files["merges.txt"])
    ids_of_tokens = {token: number for number, token in enumerate(tokens)}


def encode(text):
    pieces = [piece for word in gpt2.split(text) for piece in encode_word(word, merges)]
    return [ids_of_tokens[piece] for piece in pieces]


# %% [markdown]
# On the word "unbelievable", GPT-2's tokenizer and that of stage B8 need not agree, because they learned from different texts.

# %%
if files:
    ids = encode("It's unbelievable, Zoë!")
    print([tokens[number] for number in ids])
    print(decode_ids(ids, tokens))

# %% [markdown]
# ## Write
#
# Each token is drawn as in lesson 16: from the most probable tokens, whose probabilities sum to 0.9 (top-p). No cache is used,
# so the model reads everything again for each new token. On one core of our computer, 40 tokens took 12 seconds.


# %%
@torch.no_grad()
def write(start, count=40, seed=0):
    ids, generator = encode(start), torch.Generator().manual_seed(seed)
    for _ in range(count):
        logits = model(torch.tensor([ids[-sizes["max_length"] :]]))[0, -1]
        probabilities = next_token_distribution(logits, top_p=0.9)
        ids.append(int(torch.multinomial(probabilities, 1, generator=generator)))
    return decode_ids(ids, tokens)


if files:
    for start in (
        "The best way to learn is",
        "In the middle of the night,",
        "Python is a language",
    ):
        print(write(start), "\n")

# %% [markdown]
# Every part that computed this is in your `my_transformer.py`. Try sentences of your own, another seed, or another language:
# GPT-2 learned mostly English. It continues a text; it does not answer questions, because nobody trained it to. It also repeats
# prejudices and false statements from its training text, so do not rely on anything it says.
