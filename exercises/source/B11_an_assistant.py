# %% [markdown] minutes=60 lessons=["26"] stages=["B10"]
# # B11 · An assistant
#
# **Where we stand.** You have a language model of your own (stage B10). Ask it something, and it goes on as if you were
# writing together.
#
# **What is missing** is the step from a predictor to an assistant (lesson 26). Today *your* model learns to answer questions
# that it has not seen, and to stop. You write the four pieces that this takes: the chat format, the loss on the answers, LoRA,
# and the loss with which a model learns what people prefer.
#
# You need {lessons} and {stages}. The whole stage takes about {minutes} minutes, with two minutes of training.

# %%
import torch
from torch import nn
from torch.nn import functional as F

from transformer_course import figures
from transformer_course.exercises import check
from transformer_course.experiments import effort
from transformer_course.experiments import own_assistant as assistant
from transformer_course.experiments.records import recorded
from transformer_course.experiments.talking import talk
from transformer_course.export import export
from transformer_course.my_transformer import GPT, Tokenizer, learning_rate

# %% [markdown]
# ## Which model?
#
# Write the name that you gave your model in B10. If that model is not in your folder, or sees too few tokens at a time for a
# question and its answer, the course's model `prose` takes its place, and the cell says so.

# %% tags=["not-graded"]
own = assistant.start("my-model", GPT, Tokenizer)
ASKED = ["What is the type of [16, 82]?", "Is 418 even or odd?", "Which month is 24 July 2031 in?"]
for question, (said, _) in zip(ASKED, own.replies(own.model, ASKED), strict=True):
    print(f"{question}\n    {said!r}")

# %% [markdown]
# ## 1 · A conversation as tokens
#
# Write `chat_tokens(turns, user, assistant, end)`. `turns` is a list of pairs: the ids of a question, and those of its answer.
# `user`, `assistant` and `end` are ids of special tokens. Each turn becomes
#
# `user` *question* `assistant` *answer* `end`
#
# and the turns follow each other. (Lesson 26 also uses a `begin` token; your model has never seen one.) Return two lists of
# the same length: the ids, and `written`, with True for every id that the assistant writes, its `end` included. Leave the
# given lists as they are.
#
# Your tokenizer knows no special tokens. But its first 256 ids are bytes, and some bytes never occur in UTF-8: 253, 254 and
# 255 are free.


# %% exercise="build.chat_tokens" form="program" minutes=8 difficulty=1
def chat_tokens(turns, user, assistant, end):
    """The ids of a conversation, and for each of them whether the assistant writes it."""
    ### BEGIN SOLUTION
    ids, written = [], []
    for question, answer in turns:
        given, said = [user, *question, assistant], [*answer, end]
        ids += given + said
        written += [False] * len(given) + [True] * len(said)
    return ids, written
    ### END SOLUTION


# %% tags=["not-graded"]
print(chat_tokens([([11, 12], [13]), ([14], [15, 16])], user=254, assistant=255, end=253))

# %%
check("build.chat_tokens")

# %% [markdown]
# ## 2 · The loss on the answers
#
# Write `answer_loss(model, ids, written)`. `ids` and `written` have shape `(b, n)`: conversations, padded on the right.
#
# * The model reads all ids. Its logits at position t predict token t + 1: logits, labels and mask have to be cut to match.
# * Only tokens that the assistant writes count. The loss is the mean over all of them in the batch. A boolean mask chooses:
#   `labels[counts]` keeps the labels for which `counts` is True, in one row.
# * If the assistant writes nothing in this batch, there is no mean, and torch would give nan. Raise a ValueError that says so.


# %% exercise="build.answer_loss" form="program" minutes=10 difficulty=2
def answer_loss(model, ids, written):
    """The mean cross-entropy over the tokens that the assistant writes."""
    ### BEGIN SOLUTION
    if not written.any():
        raise ValueError(
            "nothing in this batch was written by the assistant; is the mask upside down?"
        )
    counts = written[:, 1:]
    return F.cross_entropy(model(ids)[:, :-1][counts], ids[:, 1:][counts])
    ### END SOLUTION


# %%
check("build.answer_loss")

# %% [markdown]
# ## It learns to answer
#
# Lesson 26 has 2,000 questions, and 300 others for the test. Here half of the answers are a word or two, and half are a
# sentence: `odd`, or `It is odd.` Both are right. (An answer gets a space in front, so that its words have the same tokens as
# in the question.)

# %% tags=["not-graded"]
data = assistant.data()
shown = assistant.demonstrations(data.train)
rows = own.rows(shown, chat_tokens)
for question, answer in shown[:6]:
    print(f"{question:55} {answer}")

# %% [markdown]
# **Predict:** of 300 unseen questions, how many will your model get right? And how many answers will it end by itself?
#
# `assistant.tune` is your loop again, with your schedule; only the loss is new. This takes about 20 seconds.


# %% tags=["not-graded"]
def train(model, loss, steps, peak, title):
    steps = effort.steps(steps, short=3)
    with figures.live(steps, title) as watch:
        assistant.tune(model, loss, learning_rate, steps, peak, watch)


def learn_answers(model):
    batches = assistant.batches(rows, seed=0)
    train(model, lambda: answer_loss(model, *next(batches)[0]), 240, 2e-3, "Answers")


tuned = own.trained("answers", own.model, learn_answers, chat_tokens, answer_loss)

# %% [markdown]
# <!-- picture -->
# the loss of each batch: nats per token of the answers.

# %% tags=["not-graded"]
own.table({"before": own.model, "after": tuned})
for question, (said, _) in zip(ASKED, own.replies(tuned, ASKED), strict=True):
    print(f"{question:35} {said}")

# %% [markdown]
# The brackets give the 95% interval: if two intervals do not overlap, chance alone is very unlikely to explain the difference.
# The last two columns count answers that ended by themselves, and those that are not sentences.
#
# ## 3 · LoRA
#
# Do all weights have to change? Write `LoRALinear(base, rank, alpha)` around a linear layer that has been trained:
#
# * `self.base` is that layer. It is frozen: `base.requires_grad_(False)`.
# * `self.a`, of shape `(rank, d_in)`, is drawn at random, from the standard normal distribution, and divided by √d_in.
#   `self.b`, of shape `(d_out, rank)`, is zero. So the layer begins as it was. Both matrices are trained. (Lesson 26 has
#   their transposes; here they are laid out as `nn.Linear` stores its weight.)
# * The output is that of `base`, plus α / r times the result of multiplying x by A and then by B.


# %% exercise="build.lora" form="program" minutes=10 difficulty=2
class LoRALinear(nn.Module):
    """A frozen linear layer with a trained correction of low rank."""

    def __init__(self, base, rank, alpha):
        super().__init__()
        ### BEGIN SOLUTION
        d_out, d_in = base.weight.shape
        self.base = base.requires_grad_(False)
        self.a = nn.Parameter(torch.randn(rank, d_in) / d_in**0.5)
        self.b = nn.Parameter(torch.zeros(d_out, rank))
        self.scale = alpha / rank
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        return self.base(x) + self.scale * (x @ self.a.T @ self.b.T)
        ### END SOLUTION


# %%
check("build.lora")

# %% [markdown]
# Every linear layer of your GPT becomes a `LoRALinear`, with rank 4 and α 8. **Predict:** what percentage of the numbers is
# then trained, and does training take less time?


# %% tags=["not-graded"]
def learn_with_lora(model):
    torch.manual_seed(0)
    print(f"{assistant.add_lora(model, LoRALinear, rank=4, alpha=8):,} numbers to train")
    batches = assistant.batches(rows, seed=0)
    train(model, lambda: answer_loss(model, *next(batches)[0]), 240, 1e-2, "Answers, with LoRA")


small = own.trained("lora", own.model, learn_with_lora, chat_tokens, answer_loss, LoRALinear)

# %% [markdown]
# <!-- picture -->
# the same loss, with the model itself frozen.

# %% tags=["not-graded"]
own.table({"before": own.model, "all weights": tuned, "LoRA": small})

# %% [markdown]
# With `prose`, LoRA trains 42,496 numbers instead of 1,137,408: 3.7%. With three recorded seeds, the model gets 176 to 194 of
# 300 right; with all weights trained, 253 to 267. And training takes no less time: 21 to 22 seconds, against 19 to 20 with all
# weights. The gradients of the frozen matrices are left out, but the small products cost as much.
#
# ## 4 · What is preferred
#
# Your model answers in both forms. Suppose that people like the short one. They need not write answers for that: it is enough
# that they *compare* two. **Direct preference optimisation** (DPO, {rafailov2023}) turns pairs into a loss. The *lead* of the
# chosen answer is its log-probability minus that of the rejected one. Compare this lead with that in a reference model, which
# stays as it was: the loss of a pair is
#
# $$-\log \sigma\big(\beta\,(\text{lead} - \text{lead of the reference})\big).$$
#
# `log_prob(model, ids, written)` returns a tensor of shape `(b,)`: for each row, the logarithm of the probability of what the
# assistant writes, a *sum* over these tokens. `dpo_loss(model, reference, chosen, rejected, beta)` returns the mean loss of
# the pairs. `chosen` and `rejected` are each a pair `(ids, written)`. `F.logsigmoid` is log σ.


# %% exercise="build.dpo_loss" form="program" minutes=15 difficulty=3
def log_prob(model, ids, written):
    """The log-probability of what the assistant writes in each row."""
    ### BEGIN SOLUTION
    each = model(ids)[:, :-1].log_softmax(-1).gather(-1, ids[:, 1:, None])[..., 0]
    return (each * written[:, 1:]).sum(-1)
    ### END SOLUTION


def dpo_loss(model, reference, chosen, rejected, beta):
    """How far the chosen answers lead, compared with the reference model."""
    ### BEGIN SOLUTION
    with torch.no_grad():
        before = log_prob(reference, *chosen) - log_prob(reference, *rejected)
    lead = log_prob(model, *chosen) - log_prob(model, *rejected)
    return -F.logsigmoid(beta * (lead - before)).mean()
    ### END SOLUTION


# %%
check("build.dpo_loss")

# %% [markdown]
# **Predict:** after 40 steps with pairs, how many of 300 answers are short? Will more or fewer be right than before?


# %% tags=["not-graded"]
short, long = (
    own.rows(assistant.answered(data.train, form), chat_tokens)
    for form in (assistant.SHORT, assistant.LONG)
)


def learn_preference(model):
    pairs = assistant.batches(short, long, seed=0)
    train(model, lambda: dpo_loss(model, tuned, *next(pairs), 0.1), 40, 1e-4, "Preferences")


brief = own.trained("preference", tuned, learn_preference, chat_tokens, dpo_loss, log_prob)

# %% [markdown]
# <!-- picture -->
# the loss begins at log 2 = 0.69, where the model is the reference, and falls as the lead of the short answers grows.

# %% tags=["not-graded"]
own.table({"answers": tuned, "preference": brief})

# %% [markdown]
# ## Is it the preference?
#
# To find out, we need a control: the same pairs, but a coin toss decides which answer is preferred. And there is a rival: the
# same number of steps of `answer_loss`, on short answers alone. (The learning rate of DPO was chosen with seed 0, on the same
# 300 questions.) We recorded both, for the one-minute model from B10 and for `prose`, with three seeds each:

# %%
record = recorded("own_assistant")
for model in ("one minute", "prose"):
    print(model)
    for version in assistant.VERSIONS:
        runs = [run for run in record["runs"] if (run["model"], run["version"]) == (model, version)]
        right, short_ones = ([run[name] for run in runs] for name in ("right", "short"))
        print(f"   {version:20} right {right}, short {short_ones}")
print("of 300; recorded on", record["day"])

# %% [markdown]
# Each row shows seeds 0, 1 and 2. With the preference, 232 to 299 answers are short; with the coin, 17 to 178. So it was the
# preference. Perhaps it has a price: the small model gets 10 to 27 fewer right. But the intervals overlap, and the coin
# changed the number by −12 to +12, so no price has been shown. `prose` loses nothing.
#
# And short demonstrations alone? With `prose` they do as much, in less than half the time. With the small model they do less,
# and cost less. So where you can *show* the right answer, try that first. Preferences are for what people can only compare.
#
# ## Questions from a text
#
# You can skip this part. A program invented all the questions so far. A text contains some, too: a docstring such as *Return
# a list of nodes.* tells you what is returned, a *list*. The packages on your computer have several hundred such sentences.
# (Collecting them takes about a minute the first time.) **Predict:** does a model learn to find the answer in the sentence?

# %% tags=["not-graded"]
docs = assistant.docs()
asked = own.rows([(each.text, each.answer) for each in docs.train], chat_tokens)


def learn_docs(model):
    found = assistant.batches(asked, seed=0)
    train(model, lambda: answer_loss(model, *next(found)[0]), 240, 2e-3, "Docstrings")


reader = own.trained("docs", own.model, learn_docs, chat_tokens, answer_loss)
replies = own.replies(reader, [each.text for each in docs.test])
known = {each.answer for each in docs.train}
for name, seen in ("seen in training", True), ("new", False):
    right = [
        ended and said == each.answer
        for each, (said, ended) in zip(docs.test, replies, strict=True)
        if (each.answer in known) == seen
    ]
    print(f"the answer is {name}: {sum(right)} of {len(right)} right")

# %% [markdown]
# <!-- picture -->
# the loss on these answers.
# <!-- end -->
#
# In three runs with `prose`, 47 to 49 of the 52 answers that occur in training were right, and none of the other 22: the model
# said *power* for *powers*, and *union* for *units*. So it knows some words by sight, but has not learned to read what is
# there. A test with only known answers would hide that.
#
# ## Talk to it
#
# Ask what you like; an empty line ends the session. Each question is answered on its own, because your model was shown
# single ones.

# %% tags=["not-graded"]
talk(brief, own.tokenizer, chat=assistant.CHAT, temperature=0.3)

# %% [markdown]
# ## A file that answers
#
# The models are in `models/` in your folder, as `B11-answers`, `B11-lora`, `B11-preference` and `B11-docs`. The cells above
# can load them another day. And one file shows your assistant to anybody:

# %% tags=["not-graded"]
BY, READ = "", own.read  # who you are, and what your model has read
export(
    brief, own.tokenizer, "my-assistant.html", title="Ask me", by=BY, text=READ, chat=assistant.CHAT
)

# %% [markdown]
# ## What you can claim now
#
# *My own model answers questions that it has not seen, in the form that I prefer, and stops.* You can say how often, with an
# interval, and what the model was compared with. You can also say where it fails: outside its eight kinds of question it
# answers just as confidently, and wrongly.
