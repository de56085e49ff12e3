# %% [markdown] minutes=60 lessons=["23", "25"] stages=["B9", "B10"]
# # B13 · Experts, and eight bits
#
# **Where we stand.** You have written a Llama (stage B9), and trained a language model of your own (stage B10).
#
# **What is missing** is what lets published models be large and still fast (lessons 23 and 25). Today you write three such
# things: a mixture of experts, a linear layer that takes a quarter of the memory, and the rule by which a small model writes
# ahead for a large one, without changing what the large one writes.
#
# You need {lessons} and {stages}. The whole stage takes about {minutes} minutes, with one minute of training.

# %%
import torch
from torch import nn
from torch.nn import functional as F

from transformer_course import figures
from transformer_course.exercises import check
from transformer_course.experiments import own_assistant, own_experts
from transformer_course.my_transformer import GPT, Llama, SwiGLU, Tokenizer

# %% [markdown]
# ## 1 · A mixture of experts
#
# Write `Experts(d_model, d_ff, num_experts, k)`. It takes the place of the feed-forward network in a block. Its parts are
#
# * `self.experts`, an `nn.ModuleList` of `num_experts` networks, each a `SwiGLU(d_model, d_ff)`;
# * `self.router`, an `nn.Linear` from `d_model` to `num_experts`, without bias. Its outputs are the scores.
#
# `forward(x)` gets x of shape `(b, n, d_model)`. For each token, the k experts with the highest scores are chosen, and their
# weights are a softmax over these k scores. The result is the sum of the chosen experts' outputs, each multiplied by its
# weight. You may run every expert on all tokens, and multiply its output by 0 where it was not chosen. That saves no
# time, but it is short.
#
# `balance(x)` returns the loss that keeps the router from using the same few experts for everything ({fedus2021}). For all
# tokens of the batch together, it is
#
# $$e \sum_{i=1}^{e} s_i\, \bar p_i$$
#
# with e experts. $s_i$ is the share of all choices that fell on expert i; the shares sum to 1. $\bar p_i$ is the mean over the
# tokens of a softmax over *all* e scores.
#
# Some functions that may help: `scores.topk(k, dim=-1)` returns the k highest scores and their places.
# `torch.zeros_like(scores).scatter(-1, places, values)` writes values at these places.
# `places.flatten().bincount(minlength=e)` counts.


# %% exercise="build.experts" form="program" minutes=15 difficulty=3
class Experts(nn.Module):
    """A mixture of experts: each token goes through k of several networks."""

    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        if not 1 <= k <= num_experts:
            raise ValueError(f"each token needs 1 to {num_experts} of the experts, got k = {k}")
        ### BEGIN SOLUTION
        self.k = k
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))
        self.router = nn.Linear(d_model, num_experts, bias=False)
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        scores = self.router(x)
        best, chosen = scores.topk(self.k, dim=-1)
        weights = torch.zeros_like(scores).scatter(-1, chosen, best.softmax(-1))
        return sum(weights[..., [i]] * expert(x) for i, expert in enumerate(self.experts))
        ### END SOLUTION

    def balance(self, x):
        """How unevenly the experts are used: 1 if all are used equally."""
        ### BEGIN SOLUTION
        scores = self.router(x)
        chosen = scores.topk(self.k, dim=-1).indices.flatten()
        shares = chosen.bincount(minlength=len(self.experts)) / len(chosen)
        return len(self.experts) * (shares * scores.softmax(-1).flatten(0, -2).mean(0)).sum()
        ### END SOLUTION


# %%
check("build.experts")

# %% [markdown]
# ## Does it pay?
#
# Your Llama, with the sizes of lesson 23, gets eight experts in each block. Each expert is half as wide as the network that
# the eight replace, and each token uses two, so a token uses as many parameters as before. There are two controls: a dense
# Llama as large as the part that one token uses, and one as large as all eight experts.
#
# **Predict:** in our three runs, the small dense Llama needed 2.45 to 2.59 bits per character, and the large one 2.41 to 2.49.
# What will yours need, with experts? The cell takes most of a minute.

# %% tags=["not-graded"]
model = own_experts.llama_with_experts(Llama, Experts)
total = sum(weight.numel() for weight in model.parameters())
print(f"{total:,} parameters, of which a token uses {own_experts.active_parameters(model):,}")
with figures.live(own_experts.steps(), "A Llama with experts learns") as watch:
    own_experts.train_experts(model, after_step=watch)

# %% [markdown]
# <!-- picture -->
# the loss of each batch, in nats per character, plus 0.01 times the balancing loss of both layers.

# %%
for version in own_experts.VERSIONS:
    bits = ", ".join(f"{each:.2f}" for each in own_experts.found(version))
    print(f"{version:18} {bits} bits per character")

# %% tags=["not-graded"]
print(f"yours: {own_experts.bits_of_characters(model):.2f} bits per character")
for layer in own_experts.shares(model):
    print("shares of the experts:", *(f"{share:.0%}" for share in layer))

# %% [markdown]
# The first four lines were recorded, with seeds 0, 1 and 2. With each of them, the balanced mixture needs 0.03 to 0.11 bits
# less than the dense Llama that uses as many parameters per token, and 0.02 to 0.05 less than the mixture without balancing.
# It does not reach the large dense Llama, which is ahead by 0.01 to 0.04, and uses three times as many parameters per token.
# (Lesson 23 trained blocks with different initial values. There, all models needed fewer bits, and the large dense model was
# ahead with one seed of three.)
#
# The price of a mixture is memory: all experts have to be there. And since your `forward` runs all of them, yours saves no
# time either.
#
# What does the balancing loss do to *your* router? Call `own_experts.train_experts(…, balance=0)` on a new model, and look at
# the shares again.

# %% [markdown]
# ## 2 · A linear layer in eight bits
#
# Write `Int8Linear(linear)`, made from an `nn.Linear` that has been trained. It stores
#
# * `weight`, the codes: integers from −127 to 127, with dtype `torch.int8`, and the shape of the weight, `(d_out, d_in)`;
# * `scale`, of shape `(d_out, 1)`: for each row, its largest magnitude divided by 127. A code is the weight divided by the
#   scale of its row, rounded to the nearest integer. A row of zeros has zeros as its codes;
# * `bias`, the layer's own, which may be `None`.
#
# The codes and the scales are not trained, but they have to be in the file when the model is saved: that is what
# `self.register_buffer("weight", codes)` is for. The output is that of a linear layer whose weight is each code times the
# scale of its row. For that, `forward` turns the codes into floats.


# %% exercise="build.int8_linear" form="program" minutes=12 difficulty=2
class Int8Linear(nn.Module):
    """A linear layer whose weight takes one byte per number, and one scale per row."""

    def __init__(self, linear):
        super().__init__()
        ### BEGIN SOLUTION
        weight = linear.weight.detach()
        scale = weight.abs().amax(1, keepdim=True) / 127
        codes = (weight / scale.clamp(min=1e-12)).round()
        self.register_buffer("weight", codes.to(torch.int8))
        self.register_buffer("scale", scale)
        self.bias = linear.bias
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        return F.linear(x, self.weight.to(x.dtype) * self.scale, self.bias)
        ### END SOLUTION


# %%
check("build.int8_linear")

# %% [markdown]
# ## How much smaller is the file?
#
# Now take your own model. Write the name that you gave it in B10. If it is not in your folder, or sees too few tokens for
# B11, the course's model `prose` takes its place, and the cell says so. Every `nn.Linear` in it becomes an `Int8Linear`. The
# tables of tokens and positions stay as they are.
#
# **Predict:** how large is the file then, compared with before? And what is lost: 0.0001, 0.001 or 0.01 bits per character?

# %% tags=["not-graded"]
own = own_assistant.start("my-model", GPT, Tokenizer)
small = own_experts.in_int8(own.model, Int8Linear)
own_experts.table(own, {"float32": own.model, "int8": small})

# %% [markdown]
# A linear layer takes a little more than a quarter of its former space: one byte instead of four, plus the scales. The
# tables keep their size; in a large model, they are a small part. What is lost is far below the difference between two
# seeds.
#
# Such a layer is faster only where fetching the weights from memory is what takes the time, as in a large model that writes
# one token after another. Here, turning the codes into floats costs time.
#
# **And the file?** It is saved as `models/B13-int8.safetensors`. New objects of your classes can load it:

# %% tags=["not-graded"]
own_experts.keep(own, small)
again = own_experts.opened(GPT, Int8Linear, Tokenizer)
ids = torch.tensor([own.tokenizer.encode("The module")])
print("the same logits:", torch.equal(again(ids), small(ids)))

# %% [markdown]
# ## 3 · Writing ahead
#
# A draft, some cheap model, has written k tokens. The large model reads them in *one* pass, and its distributions say which
# tokens stay. That is speculative sampling ({leviathan2022}). Write one round, `speculative(p, q, drafted, chances)`:
#
# * `drafted` is a list of k ids. `q`, of shape `(k, v)`, holds the distributions from which the draft drew them.
# * `p`, of shape `(k + 1, v)`, holds the model's distributions at the same positions, and one more after the last.
# * `chances` is a list of k numbers, drawn uniformly between 0 and 1.
#
# Go through the tokens in order: token t at position i is kept with probability min(1, p/q), that is, if its chance is
# below this number. At the first token that is not kept, the round is over: return the kept ones (a list of ids) and the
# distribution of the token in its place, which is max(p − q, 0) divided by its sum. If all are kept, return them and the
# last row of `p`: the pass gives one more token for free.
#
# If `p` and `q` have vocabularies of different sizes, raise a ValueError that says so.


# %% exercise="build.speculative" form="program" minutes=12 difficulty=3
def speculative(p, q, drafted, chances):
    """The drafted tokens that are kept, and the distribution of one more."""
    ### BEGIN SOLUTION
    if p.shape[-1] != q.shape[-1]:
        raise ValueError(
            f"the draft has a vocabulary of {q.shape[-1]} tokens, the model of {p.shape[-1]}"
        )
    for i, (token, chance) in enumerate(zip(drafted, chances, strict=True)):
        if chance >= p[i, token] / q[i, token]:
            missing = (p[i] - q[i]).clip(0)
            return drafted[:i], missing / missing.sum()
    return drafted, p[-1]
    ### END SOLUTION


# %%
check("build.speculative")

# %% [markdown]
# ## Is it the same distribution?
#
# Here is a model with a vocabulary of four tokens, and a draft that prefers the wrong ones. **Predict:** how often is each
# token the first one of a round, in 20,000 rounds? And how often, if a rejected token is replaced by a draw from `p`?

# %% tags=["not-graded"]
p = torch.tensor([[0.5, 0.3, 0.15, 0.05]] * 3)
q = torch.tensor([[0.1, 0.2, 0.3, 0.4]] * 2)


def careless(p, q, drafted, chances):
    kept, _ = speculative(p, q, drafted, chances)
    return kept, p[len(kept)]


for name, rule in (("your rule", speculative), ("drawn again from p", careless)):
    print(f"{name:18}", *(f"{each:.3f}" for each in own_experts.first_tokens(rule, p, q)))
print(f"{'the model':18}", *(f"{each:.3f}" for each in p[0].tolist()))

# %% [markdown]
# With 20,000 rounds, each number is uncertain by about 0.007. Your rule gives what the model alone would give, even though the
# draft is bad. The careless rule does not: the draft's favourites stay too frequent.
#
# ## Two tokens per pass
#
# A good draft saves passes; a bad one only costs time. Here are two drafts for your model, each of four tokens: a table that
# counts which token came after which three in Python's documentation, and your own model in eight bits.
#
# **Predict:** how many tokens does a pass of the model give with each? The minimum is 1, and the maximum 5.

# %% tags=["not-graded"]
in_eight_bits = own_experts.distributions(small, own.size.length)
DRAFTS = {"counts": own_experts.counts(own), "int8": lambda ids: in_eight_bits(ids)[-1]}
for name, draft in DRAFTS.items():
    for seed in range(3):
        text, drawn, passes = own_experts.written(own, draft, speculative, "The module", seed)
        print(
            f"{name:7} seed {seed}: {drawn} tokens in {passes} passes, {drawn / passes:.1f} per pass"
        )
print(text)

# %% [markdown]
# The copy in eight bits is nearly always right, but each of its tokens costs as much as a pass, so nothing is gained. The
# table costs nearly nothing and saves some of the passes. A good draft is both close to the model and cheap: published ones
# are often a tenth of the model's size, or less.
#
# And a draft with a different tokenizer? Your function refuses it: its tokens mean something else.

# %% tags=["not-graded"]
try:
    speculative(p, q[:, :3], [0, 1], [0.5, 0.5])
except ValueError as error:
    print(error)
