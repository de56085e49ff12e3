# %% [markdown]
# # 21 · Reading sources critically: how do you find out whether a sentence is true?
#
# Blog posts, lecture notes, papers, assistants: much of what you will read about Transformers is right, some of it is wrong,
# and all of it sounds the same. You know enough by now to find out for yourself, often with a few lines of code. In this lesson you
# learn how to design such a test, and use it on three sentences.
#
# About 18 minutes, and as long again for the parts under "Deeper". By the end, you will be able to
#
# * turn a sentence into a test that could come out against it;
# * recognise a test that could not;
# * say under which condition a sentence is true.

# %%
import copy

import numpy as np
import torch

from transformer_course import figures, models
from transformer_course.attention import MultiHeadAttention, softmax
from transformer_course.data import number_pairs
from transformer_course.embedding import pad_right
from transformer_course.exercises import ask, predict, reveal
from transformer_course.exercises.lesson_21_sources import errata
from transformer_course.experiments.unmasked import name_accuracy, numeral_accuracy
from transformer_course.masks import causal_mask
from transformer_course.transformer import Encoder, StackConfig

torch.set_num_threads(1)

# %% [markdown]
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %%
ask("21.recall")

# %% [markdown]
# ## One sentence, taken apart
#
# We wrote the sentences of this lesson ourselves, but they are like many that you will meet.
#
# > **Claim 1.** The bias of the query projection changes no attention weight. A bias only adds something to the scores, and
# > softmax ignores what is added.
#
# (A **bias** is the vector b in xW + b. It adds a number to each number of the query.) This sounds right: since lesson 02 you
# know that softmax depends only on differences. Test it in four steps.
#
# 1. *Take the smallest case* in which the sentence says anything. Here it has one query and two keys, all of width 1. The query is
#    1, and the keys are 1 and 2. So the scores are 1 and 2.
# 2. *Say what the claim predicts, and what its opposite predicts.* With a bias of 1, the query becomes 2. The claim predicts
#    the same weights as before. Its opposite predicts others. If both predict the same, the case is too small.
# 3. *Add a control*, for which you *know* what must come out. Add 1 to both scores: the weights must not change. If they do, your
#    code is wrong.
# 4. *Run it, and only then write a sentence, with its condition.*

# %%
query, keys = torch.tensor(1.0), torch.tensor([1.0, 2.0])
print("before                 ", softmax(query * keys))
print("control: 1 to each score", softmax(query * keys + 1))
print("claim 1: a query bias  ", softmax((query + 1) * keys))

# %% [markdown]
# The control is as it should be, and the claim is false. By hand: the scores were 1 and 2, and now they are 2 and 4. What the
# claim says about softmax is right: if you add the *same* number to all scores of a row, no weight changes. But a query bias b adds
# b · 1 to the first score and b · 2 to the second. So the sentence with its condition is: **a query bias changes no
# weight if b · key is the same for every key.**
#
# ## What about the keys?
#
# > **Claim 2.** The bias of the *key* projection changes no attention weight.

# %%
predict("21.key_bias")

# %% jupyter={"source_hidden": true}
for query in (1.0, -3.0):
    print(f"query {query}: before    ", softmax(query * keys))
    print(f"query {query}: a key bias", softmax(query * (keys + 1)))
reveal("21.key_bias")

# %% [markdown]
# Two queries are not all queries. So we take the library's attention, of width 8, with five tokens, random biases and three seeds. The
# query bias is the control: you know that it must change something.


# %%
def largest_change(name, seed, rotary=False):
    """How much the weights change when one projection gets a random bias."""
    torch.manual_seed(seed)
    attention, x = MultiHeadAttention(8, 1, rotary=rotary).double(), torch.randn(1, 5, 8).double()
    before = attention(x, x, x, return_weights=True)[1]
    torch.nn.init.normal_(getattr(attention, name).bias)
    return (attention(x, x, x, return_weights=True)[1] - before).abs().max().item()


for name in ("w_q", "w_k"):
    print(name, [round(largest_change(name, seed), 4) for seed in range(3)])

# %% [markdown]
# Three seeds that agree are a reason to believe the claim, but no proof. Here there is a proof: q · (k + b) = q · k + q · b, and q · b
# is the same for all keys of a row. So **claim 2 is true.** Someone who doubts every sentence is wrong too, only in other
# places.
#
# But where does it hold? In the proof, b meets the query as it is. If something happens to the keys in between, such as a
# rotation that depends on the position (lesson 08), the proof breaks:

# %%
print("rotary: w_k", [round(largest_change("w_k", seed, rotary=True), 4) for seed in range(3)])

# %% [markdown]
# The sentence with its condition: **a key bias changes no weight, as long as nothing stands between the projection and the dot
# product.**
#
# ## A test that cannot fail
#
# Somebody defends claim 1: "I tried a query bias a thousand times, with random numbers, and the weights never changed." That is
# the truth:

# %%
torch.manual_seed(0)
passed = 0
for _ in range(1000):
    query, key, bias = torch.randn(3, 8)
    keys = key.expand(5, 8)
    passed += torch.allclose(softmax((query + bias) @ keys.T), softmax(query @ keys.T))
print(passed, "of 1000 tests passed")

# %%
ask("21.check")

# %% [markdown]
# **A thousand passes of a test that cannot fail are worth nothing.** That is why step 2 matters. Before you run a test, say which
# result would speak *against* the sentence. And when a test passes, break something on purpose, and see it fail.
#
# ## Your turn
#
# > **Claim 3.** Adam moves a weight further, the larger its gradient is.
#
# Adam and its variant AdamW are what most models in this course are trained with. (The exceptions are the logistic and least-squares
# regressions.) A plain step is *learning rate × gradient*. Adam keeps a running mean of each weight's gradient, and another of its
# square. Both are corrected for having started at 0. Then it divides the first by the square root of the second.
#
# **Your turn, on paper.** Fill in the blanks.
#
# * Smallest case: two weights and ____ step, with the gradients 1 and 1000.
# * The claim predicts that the second weight moves ____ than the first. Its opposite predicts ____ .
# * Control: the same with ____ , where the second weight must move exactly ____ times as far.
#
# <details><summary>Compare</summary>One step. The claim predicts further; its opposite predicts as far, or less far. The control is
# plain gradient descent (in torch, <code>SGD</code>), with 1000 times.</details>

# %%
predict("21.adam")


# %% jupyter={"source_hidden": true}
def steps(optimizer, *gradients):
    """How far one weight moves at each step, in units of the learning rate."""
    weight, places = torch.nn.Parameter(torch.zeros(1)), [0.0]
    optimizer = optimizer([weight], lr=0.01)
    for gradient in gradients:
        weight.grad = torch.tensor([float(gradient)])
        optimizer.step()
        places.append(weight.item())
    return np.round(np.diff(places) / 0.01, 2).tolist()


for optimizer in (torch.optim.SGD, torch.optim.Adam):
    print(optimizer.__name__, *(f"gradient {g}: {steps(optimizer, g)[0]:g}" for g in (1, 1000)))
reveal("21.adam")

# %% [markdown]
# That was a single step. Let a weight take three steps, and change its gradient on the way:

# %%
same = (1, 1, 1), (1000, 1000, 1000), (1e-5,) * 3, (1e-10,) * 3
changing = (1, 1, 0.001), (1000, 1000, 1), (1, 1, -1), (1, 1, 1000)
for gradients in same + changing:
    print(gradients, "→", steps(torch.optim.Adam, *gradients))
print("a thousand times 1, then 1000 →", steps(torch.optim.Adam, *[1] * 1000, 1000)[-1])

# %% [markdown]
# Claim 3 is false: always 1000 gives the same steps as always 1, and so does always 10⁻⁵. (10⁻¹⁰ does not. It is small even compared
# with the 10⁻⁸ that Adam adds to the square root, so that it never divides by 0.) What matters is a gradient *unlike the ones
# before*. As a third gradient, 1000 makes the step smaller, because the square root has grown more than the mean. After a thousand
# 1s it makes the step larger, so there claim 3 is right. The sentence: **as long as gradients are well above 10⁻⁸, Adam's step does
# not depend on how large they are, but on how they compare with earlier gradients of the same weight.**
#
# This concerns the course itself. In lesson 03 you saw a gradient that is nearly 0. With plain steps, such a weight would hardly
# move; with Adam it can. That is why lesson 03 also trains, and looks at what happens. Read courses critically too.

# %% [markdown]
# ## Before you go

# %%
ask("21.exit")

# %% [markdown]
# **How do you find out whether a sentence is true?** Take the smallest case in which the sentence and its opposite predict different
# things. Add a control, run both, and then say where the sentence holds.

# %% [markdown]
# To take away:
#
# * Before you run a test, say which result would speak against the sentence.
# * A test that cannot fail proves nothing, however often it passes.
# * Many false sentences are true somewhere: look for the condition that was left out.
#
# You can do this with every sentence about your own model, too, for example with the cache in [stage B7 of the
# Build](../exercises/B7_writing.ipynb).
#
# To read next:
#
# * [Kingma and Ba 2014](https://arxiv.org/abs/1412.6980), section 2.1: how far Adam moves a weight.
# * [Jain and Wallace 2019](https://arxiv.org/abs/1902.10186) and [Wiegreffe and Pinter 2019](https://arxiv.org/abs/1908.04626): how a
#   claim about attention was tested, and how the test was criticised.

# %% [markdown]
# ## Deeper
#
# Each of the following parts can be read by itself, and nothing later needs them.
#
# ### The hunt: twenty-nine errors
#
# This course grew from five published notes on the Transformer ([docs/sources.md](../docs/sources.md)), and you have met 29 errors of
# theirs. Some are slips, such as a wrong digit in an example or an extra symbol in a formula. You find those when you repeat the
# calculation. Others take more.

# %%
predict("21.slips")

# %%
for kind, rows in errata.KINDS.items():
    print(len(rows), "×", kind + ":", *rows)
reveal("21.slips")

# %% [markdown]
# We sorted the errors by what it takes to find them (some would fit into two kinds). Sentences that are *right for another case*, or
# that *leave out a condition*, are true somewhere, and that makes them easy to believe. To call them false is as careless as to
# believe them. The question is where they hold.
#
# Here are all 29. Hunt them: choose one, and say what you would run, and what it would show if the sentence were true. Then unfold
# what is correct, and compare your test with the one in the lesson.

# %%
errata.hunt()

# %% [markdown]
# ### Key biases in a trained model
#
# If claim 2 is true, no output of a trained model depends on its key biases. The translator has six attention modules, each with 128
# of them. We set all of them to 0. (We also print their mean size: if they were 0 already, this test could not fail.) The query
# biases are the control.

# %%
translator, vocabularies = models.load("translator")
english, chinese = vocabularies["source"], vocabularies["target"]
pairs = number_pairs(1, 40).test
source = pad_right([english.encode(words) for words, _ in pairs])
target = pad_right([[chinese.begin, *chinese.encode(text)] for _, text in pairs])


@torch.no_grad()
def without_bias(name):
    """The biases' mean size, and the largest change of a logit without them."""
    model = copy.deepcopy(translator)
    biases = [b for n, b in model.named_parameters() if n.endswith(f"{name}.bias")]
    size = torch.cat(biases).abs().mean()
    for bias in biases:
        bias.zero_()
    change = (model(source, target) - translator(source, target)).abs().max()
    return f"{len(biases)} × {len(biases[0])}, mean size {size:.3f}; largest change {change:.2f}"


for name in ("w_q", "w_k"):
    print(name, "biases:", without_bias(name))

# %% [markdown]
# So 768 trained numbers have no effect on any output.
#
# ### A claim to test by yourself
#
# > **Claim 4.** The causal mask is needed only in training. A decoder that generates text can do without it, because the future
# > that it hides has not been written yet.
#
# The decoder reads everything that it has written so far, and it computes the next token from the vector of the *last* token. Design
# the test on paper: the smallest case, what the claim and its opposite predict, and a control.
#
# <details><summary>Compare</summary>For example: one layer and a few random tokens, once with the mask and once without. The claim
# predicts the same vector for the last token, and its opposite predicts another. As a control, the first token's vector must change,
# because without the mask it sees the others.</details>
#
# A GPT's layer is an encoder layer with a mask, so we can use the library's `Encoder`.

# %%
predict("21.unmasked")

# %% jupyter={"source_hidden": true}
for layers in (1, 2):
    for seed in range(3):
        torch.manual_seed(seed)
        stack = Encoder(
            StackConfig(d_model=8, num_heads=2, num_layers=layers, d_ff=16, dropout=0.0)
        )
        text = torch.randn(1, 5, 8)
        changed = (stack(text, causal_mask(5)) - stack(text)).abs().amax(-1)[0] > 1e-5
        print(f"{layers} layers, seed {seed}: changed", changed.tolist())
reveal("21.unmasked")

# %% [markdown]
# In the first layer, the last token reads the inputs, and they are the same. In the second layer it reads the others' vectors, and
# those have seen more. So a single layer is a test that cannot fail: the claim and its opposite predict the same. With two layers,
# the claim is false, as a sentence about *vectors*. But does it matter? The translator's decoder has two layers, and `gpt-pre` has
# six. We give both the correct beginnings of texts that they were not trained on, and ask for the next token, with the mask and
# without:

# %%
lengths = [1, 2, 4, 6, 8]
arms = {"with its mask": True, "without": False}
panels = {"Translator, 2 layers": numeral_accuracy, "GPT, 6 layers": name_accuracy}
for ax, (title, measure) in zip(figures.panels(2), panels.items(), strict=True):
    lines = {name: measure(lengths, masked) for name, masked in arms.items()}
    figures.curves(lengths, lines, title, "tokens read", "next token correct", ax=ax)
    lost = (lines["with its mask"] - lines["without"])[:, 2:].numpy()  # from 4 tokens on
    print(f"{title}: lost without the mask, from 4 tokens on: {lost.min():.2f} to {lost.max():.2f}")

# %% [markdown]
# **In the picture:** the fraction of texts whose next token is correct, after so many tokens (including `begin`); lines are medians of
# three draws of a hundred texts, and bands show the range. On the left, the two lines are together: the translator hardly needs its
# mask. On the right they start together (with one token there is nothing to mask, which is the control), and then separate. From
# four tokens on, the GPT is correct about nine times in ten with its mask, and at most half of the time without.
#
# Somebody who tests claim 4 on the translator alone will find it confirmed. We have not tested why the two models differ. For
# the claim this does not matter: **it is about every decoder, and one on which it fails is enough.**
#
# Does it hold anywhere? Yes, where it probably comes from. When you generate with a cache (lesson 17), you pass one token at a time.
# Nothing needs to be masked, because each token was processed when it was the last one. Do the logits agree with those of a run with
# the mask?

# %%
gpt, vocabularies = models.load("gpt-pre")
vocabulary = vocabularies["text"]
ids = torch.tensor([[vocabulary.begin, *vocabulary.encode("GREEK SMALL LETTER")]])
caches = gpt.caches(max_length=ids.shape[1])
with torch.no_grad():
    masked = gpt(ids)
    one_by_one = torch.cat([gpt(ids[:, t : t + 1], caches) for t in range(ids.shape[1])], dim=1)
    unmasked = gpt.output(gpt.stack(gpt.input(ids)))
print(f"one by one, every token: largest difference {(one_by_one - masked).abs().max():.2f}")
last = (unmasked - masked)[:, -1].abs().max()
print(f"all at once without a mask, last token: largest difference {last:.2f}")

# %% [markdown]
# So claim 4 is right for another case, and its condition was left out. Eleven of the 29 errors are of these two kinds. There are more
# claims on the sheet, and not all of them are false.
