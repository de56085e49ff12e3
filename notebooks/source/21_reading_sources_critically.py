# %% [markdown]
# # 21 · Reading sources critically: how do you find out whether a sentence is true?
#
# Blog posts, lecture notes, papers, assistants: much of what you will read about Transformers is right, some of it is wrong,
# and all of it sounds the same. This lesson is about the small run that can tell the two apart, often a few lines long. You
# will try it on four new sentences.
#
# About 30 minutes. Afterwards you can
#
# * turn a sentence into a run that could come out against it;
# * recognise a run that could not;
# * say under which condition a half-true sentence is true.

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
# ## Twenty-nine errors
#
# In twenty lessons you have met 29 errors of the five notes from which this course grew. Some are slips: a wrong number in an
# example, a symbol too many in a formula. Whoever goes over the calculation finds them. Others take more than that.

# %%
predict("21.slips")

# %%
for kind, rows in errata.KINDS.items():
    print(len(rows), "×", kind + ":", *rows)
reveal("21.slips")

# %% [markdown]
# We sorted them by what it takes to find them out; some would fit a second kind. One of each, in words:
#
# * a slip: the output [0.7880, 0.9999], where [0.7881, 0.7881] comes out (E3);
# * names exchanged: "scores" for what comes out in the end, behind softmax and values (E18);
# * right for another case: `[CLS]` and `[SEP]` as the original's special tokens, while they are BERT's (E15);
# * a condition left out: −1e9 for a masked score, which half precision refuses (E11);
# * a mechanism that is not there: the output of *every* encoder layer goes to the decoder (E7);
# * a picture taken at its word: positions in language are continuous (E28).
#
# `errata.where` leads from each back to the lesson and the heading under which you ran it:

# %%
print(errata.where("E11"))

# %% [markdown]
# "Right for another case", "a condition left out": such sentences are not nonsense. They are true somewhere, which makes
# them easy to believe. To call them false is as careless as to believe them. **The question is where they hold.**
#
# What follows are new sentences. We wrote them ourselves, modelled on ones you may meet.

# %% [markdown]
# ## One sentence, taken apart
#
# > **Claim 1.** The bias of the query projection changes no attention weight. A bias only adds something to the scores, and
# > softmax takes out what is added.
#
# (A **bias** is the vector b in xW + b: a number added to each number of the query.) It sounds right: that softmax looks at
# differences only, you know since lesson 02. Four steps.
#
# 1. **The smallest case** in which the sentence says anything. One query, two keys, all of width 1: the query is 1, the keys
#    are 1 and 2. So the scores are 1 and 2.
# 2. **What the claim foretells there, and what its opposite does.** With a bias of 1, the query is 2. The claim: the same
#    weights as before. Its opposite: others. If both foretell the same, the case is too small.
# 3. **A control**: something of which you *know* how it must come out. Add 1 to both scores: the weights must stay. If they
#    do not, the fault is in your code.
# 4. Run it, and only then write a sentence, **with its condition**.

# %%
query, keys = torch.tensor(1.0), torch.tensor([1.0, 2.0])
print("as it was              ", softmax(query * keys))
print("control: 1 to each score", softmax(query * keys + 1))
print("claim 1: a query bias   ", softmax((query + 1) * keys))

# %% [markdown]
# The control holds, and the claim falls. (By hand: the scores were 1 and 2; now they are 2 and 4.) What it says of softmax is
# right: what is added to all scores of a row *alike* changes no weight. But a query bias b adds b · 1 to the first score and
# b · 2 to the second, to each key's score something else. The sentence, with its condition: **a query bias changes no
# weight where b · key is the same for every key of the row.**
#
# We call such a run a **trial** of a sentence. (Elsewhere it is often called a probe. In this course that word is taken, by
# lesson 06.)
#
# ## Its twin
#
# > **Claim 2.** The bias of the *key* projection changes no attention weight.

# %%
predict("21.key_bias")

# %%
for query in (1.0, -3.0):
    print(f"query {query}: as it was ", softmax(query * keys))
    print(f"query {query}: a key bias", softmax(query * (keys + 1)))
reveal("21.key_bias")

# %% [markdown]
# Two queries are not all queries. So we take the library's attention, 8 wide, five tokens and three seeds, and draw the biases
# at random. The control is the query bias, of which we know by now that it must show:


# %%
def moves(name, seed, rotary=False):
    """How far the weights move when one projection gets a random bias."""
    torch.manual_seed(seed)
    attention, x = MultiHeadAttention(8, 1, rotary=rotary).double(), torch.randn(1, 5, 8).double()
    before = attention(x, x, x, return_weights=True)[1]
    torch.nn.init.normal_(getattr(attention, name).bias)
    return (attention(x, x, x, return_weights=True)[1] - before).abs().max().item()


for name in ("w_q", "w_k"):
    print(name, "moves the weights:", [moves(name, seed) > 1e-9 for seed in range(3)])

# %% [markdown]
# Three seeds that agree are a reason to believe it, and no proof. Here there is one: q · (k + b) = q · k + q · b, and q · b
# is the same for all keys of a row. So **claim 2 is true**, and that is worth a look at a trained model. The translator has
# six attention modules, each with 128 key biases. We set all of them to 0, and print their mean size first: were they 0
# already, the run could not fail. The query biases are the control.

# %%
translator, vocabularies = models.load("translator")
english, chinese = vocabularies["source"], vocabularies["target"]
pairs = number_pairs(1, 40).test
source = pad_right([english.encode(words) for words, _ in pairs])
target = pad_right([[chinese.begin, *chinese.encode(text)] for _, text in pairs])


@torch.no_grad()
def without_bias(name):
    """The biases' mean size, and how far the logits move at most without them."""
    model = copy.deepcopy(translator)
    biases = [b for n, b in model.named_parameters() if n.endswith(f"{name}.bias")]
    size = torch.cat(biases).abs().mean()
    for bias in biases:
        bias.zero_()
    move = (model(source, target) - translator(source, target)).abs().max()
    return f"{len(biases)} × {len(biases[0])}, mean size {size:.3f}; a logit moves by {move:.2f}"


for name in ("w_q", "w_k"):
    print(name, "biases:", without_bias(name))

# %% [markdown]
# Six times 128 numbers on which no output depends. So not every confident sentence is false: whoever doubts everything
# is wrong too, only in other places. But where does *this* one hold? In its proof, b meets the query as it is. If
# something is done to keys in between, such as turning each by its own angle, that is another case:

# %%
print(
    "rotary, w_k moves the weights:", [moves("w_k", seed, rotary=True) > 1e-9 for seed in range(3)]
)

# %% [markdown]
# With rotary positions (lesson 08) the bias is turned as well, with each key by another angle. The sentence with its condition:
# **a key bias changes no weight, as long as nothing stands between projection and product.**
#
# ## A run that cannot fail
#
# Somebody defends claim 1. "I have tried it with a query bias, a thousand times with random numbers, and the weights
# did not move once." That is the truth:

# %%
torch.manual_seed(0)
passed = 0
for _ in range(1000):
    query, key, bias = torch.randn(3, 8)
    keys = key.expand(5, 8)
    passed += torch.allclose(softmax((query + bias) @ keys.T), softmax(query @ keys.T))
print(passed, "of 1000 trials passed")

# %%
ask("21.check")

# %% [markdown]
# **A thousand passes of a run that cannot fail are worth nothing.** That is what step 2 is for. Before you run something, say
# which result would speak *against* the sentence. And if a run has passed, break the thing on purpose, and see it fail.

# %% [markdown]
# ## With blanks
#
# > **Claim 3.** Adam moves a weight further, the larger that weight's gradient is.
#
# (Adam, or its variant AdamW, moves the weights in all training of the lessons so far. A plain step goes *rate × gradient*
# downhill. Adam keeps a running mean of each weight's gradient and one of its square, both corrected for having started at 0,
# and divides the first by the root of the second.) Your turn:
#
# 1. Smallest case: two weights, ____ step each, with the gradients 1 and 1000.
# 2. The claim foretells that the second weight's step is ____ than the first one's. Its opposite: ____ .
# 3. Control: the same with ____ , where the second weight's step must be exactly ____ times as large.
#
# <details><summary>Compare</summary>One. Larger; as large, or smaller. Plain steps (in torch, <code>SGD</code>); 1000
# times.</details>

# %%
predict("21.adam")


# %%
def steps(optimizer, *gradients):
    """What one weight does at each step, in units of the learning rate."""
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
# And with what condition? We took one step each. Let a weight take three, and its gradient change on the way:

# %%
like_before = (1, 1, 1), (1000, 1000, 1000), (1e-5,) * 3, (1e-10,) * 3
unlike_before = (1, 1, 0.001), (1000, 1000, 1), (1, 1, -1), (1, 1, 1000)
for gradients in like_before + unlike_before:
    print(gradients, "→", steps(torch.optim.Adam, *gradients))
print("a thousand times 1, then 1000 →", steps(torch.optim.Adam, *[1] * 1000, 1000)[-1])

# %% [markdown]
# Claim 3 falls: always 1000 is like always 1, and so is always 10⁻⁵. (10⁻¹⁰ is not. It is small even beside the 10⁻⁸ that Adam
# adds to the root, lest it divide by 0.) What matters is a gradient *unlike those before it*. As the third
# gradient it makes each step here smaller, even where it is a thousand times as large: the root has grown faster than the mean
# above it. After a thousand 1s it makes the step larger, a case in which claim 3 is right. The sentence: **as long as gradients are well above
# 10⁻⁸, Adam's step does not depend on how large they are, but on how they compare with the same weight's earlier ones.**
#
# This touches the course itself. Lesson 03 shows a gradient that is nearly 0. Plain steps would nearly stand still there, and
# Adam need not, as the row of 10⁻⁵ shows. So that lesson also trains, and looks at what comes of it. Read courses critically
# too.

# %% [markdown]
# ## Alone
#
# > **Claim 4.** The causal mask is needed for training only. A decoder that writes may leave it out: the future that it hides
# > has not been written yet.
#
# The decoder reads all it has written so far, and the next token is read off the vector of the *last* one. Take a piece of
# paper: the smallest case, what claim and opposite foretell, a control.
#
# <details><summary>Compare</summary>For example: one layer, a few random tokens, once with the mask and once without. The claim
# foretells the same vector for the last token, its opposite another one. A control: the first token's vector must move, since
# without the mask it sees the others.</details>
#
# A GPT's layer is the encoder's with a mask, so the library's `Encoder` will do for the trial.

# %%
predict("21.unmasked")

# %%
for layers in (1, 2):
    for seed in range(3):
        torch.manual_seed(seed)
        stack = Encoder(
            StackConfig(d_model=8, num_heads=2, num_layers=layers, d_ff=16, dropout=0.0)
        )
        text = torch.randn(1, 5, 8)
        moved = (stack(text, causal_mask(5)) - stack(text)).abs().amax(-1)[0] > 1e-5
        print(f"{layers} layers, seed {seed}: moved", moved.tolist())
reveal("21.unmasked")

# %% [markdown]
# In the first layer the last token reads what goes in, and that is the same. In the second it reads the others' vectors, and
# those have seen more. So a single layer is a run that cannot fail: claim and opposite foretell the same there. With two the
# claim falls, as a sentence about *vectors*. But does it matter? The translator has two layers in its decoder, and `gpt-pre`
# has six. We let both read the right beginnings of texts that they were not trained on, and ask for the next token, with the
# mask and without:

# %%
lengths = [1, 2, 4, 6, 8]
arms = {"with its mask": True, "without": False}
panels = {"Translator, 2 layers": numeral_accuracy, "GPT, 6 layers": name_accuracy}
shares = {}
for ax, (title, measure) in zip(figures.panels(2), panels.items(), strict=True):
    shares[title] = {name: measure(lengths, masked) for name, masked in arms.items()}
    figures.curves(lengths, shares[title], title, "tokens read", "next token right", ax=ax)

# %% [markdown]
# **In the picture:** the share of texts whose next token is right, after so many tokens (`begin` among them). Three draws of a
# hundred texts: the middle one, and a band for all. On the left the two lines lie on each other: given the right beginning, the
# translator names the next token without its mask as well as with it, but for a text or two in a hundred at eight tokens. On
# the right they begin together (with one token there is nothing to mask, that is the control), and part: from four tokens
# on, the GPT is right about nine times in ten with its mask, and half of the time at best without.

# %%
for title, share in shares.items():
    worth = (share["with its mask"] - share["without"])[:, 2:].numpy()  # from 4 tokens on
    print(f"{title}: the mask is worth less than 0.05 everywhere: {(worth < 0.05).all()},", end=" ")
    print(f"more than 0.2 everywhere: {(worth > 0.2).all()}")

# %% [markdown]
# Somebody who tries claim 4 on the translator alone finds it confirmed. (Lesson 12 met that: a score need not show how a model
# is wired.) Why the two models differ we have not tried out. They differ in more than one thing, in their layers, their texts,
# and the English words that only one of them has before it. For the claim that does not matter: **it speaks of every decoder,
# and one on which it fails is enough.**
#
# Does it hold anywhere? Yes, where it probably comes from. Whoever writes with a cache (lesson 17) hands over
# one token at a time. Nothing is masked there, since each token was read when it was the last one. Are the logits those of a
# run with the mask?

# %%
gpt, vocabularies = models.load("gpt-pre")
vocabulary = vocabularies["text"]
ids = torch.tensor([[vocabulary.begin, *vocabulary.encode("GREEK SMALL LETTER")]])
caches = gpt.caches(max_length=ids.shape[1])
with torch.no_grad():
    one_by_one = torch.cat([gpt(ids[:, t : t + 1], caches) for t in range(ids.shape[1])], dim=1)
    print("one by one, every token:", torch.allclose(one_by_one, gpt(ids), atol=1e-3))
    unmasked = gpt.output(gpt.stack(gpt.input(ids)))
    same = torch.allclose(unmasked[:, -1], gpt(ids)[:, -1], atol=1e-3)
    print("all at once, unmasked, last token:", same)

# %% [markdown]
# So claim 4 is right for another case, and its condition was left out. Eleven of the 29 errors are of these two kinds. More
# claims wait on the sheet, and not all of them are false.
#
# A trial is a taster who takes one spoonful: a bad spoonful is enough to condemn the soup, a good one is not enough to praise it.
# (The comparison breaks where there is a proof. Then you know the whole pot.)

# %% [markdown]
# ## Before you go

# %%
ask("21.exit")

# %% [markdown]
# **How do you find out whether a sentence is true?** Take the smallest case in which it and its opposite foretell different
# things, add a control, run both, and then say where it holds.
