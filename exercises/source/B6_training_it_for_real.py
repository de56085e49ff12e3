# %% [markdown] minutes=70 lessons=["15"] stages=["B5"]
# # B6 · Training it for real
#
# **Where we stand.** You have a whole Transformer (stage B5). So far it has run with weights that we trained.
#
# **What is missing** is its training. You now write the four parts that turn random weights into a working model: the loss,
# gradient clipping, the optimizer and its learning rate. Then your Transformer learns to translate numbers, as in lesson 15,
# with your code and torch's gradients alone.
#
# You need {lessons} and {stages}. The whole stage takes about {minutes} minutes.

# %%
import math
import tempfile
from pathlib import Path

import torch
from torch.nn import functional as F

from transformer_course import figures
from transformer_course.exercises import check
from transformer_course.experiments import build_translation as translation
from transformer_course.my_transformer import Transformer, shift
from transformer_course.training import exact_match

# %% [markdown]
# ## 1 · A loss with label smoothing
#
# If the target distribution gives the label a probability of 1, training pushes the label's logit up without end. Label
# smoothing (lesson 14) takes a fraction ε from the label and spreads it evenly over all v tokens of the vocabulary, the label
# included. For v = 4 and ε = 0.2, the label gets 0.85 and the other tokens 0.05 each. The cost of a token is then
#
# −(1 − ε) · log p(label) − ε · (the mean of log p over the vocabulary).
#
# Write `smoothed_loss(logits, labels, pad, smoothing)`. `logits` has shape `(b, n, v)`, `labels` has shape `(b, n)`, and
# `smoothing` is ε. Return the mean cost of the labels that are not `pad`. `F.cross_entropy` can do all this, but write it
# out once. Two methods help: `logits.log_softmax(-1)` gives log p, and if `log_p` has a row for each of N labels,
# `log_p.gather(-1, labels[:, None])` picks each label's entry, with shape `(N, 1)`.


# %% exercise="build.smoothed_loss" form="program" minutes=12 difficulty=2 builds=["loss"]
def smoothed_loss(logits, labels, pad, smoothing):
    """Mean cross-entropy with label smoothing; padding does not count."""
    ### BEGIN SOLUTION
    real = labels != pad
    log_p, labels = logits[real].log_softmax(-1), labels[real]
    of_label = log_p.gather(-1, labels[:, None])[:, 0]
    return -((1 - smoothing) * of_label + smoothing * log_p.mean(-1)).mean()
    ### END SOLUTION


# %% tags=["not-graded"]
logits, labels = torch.randn(2, 3, 5), torch.tensor([[1, 4, 2], [3, 0, 0]])
print(smoothed_loss(logits, labels, pad=0, smoothing=0.1))
# the same, with the vocabulary as the second axis, (b, v, n)
print(F.cross_entropy(logits.mT, labels, ignore_index=0, label_smoothing=0.1))

# %%
check("build.smoothed_loss")

# %% [markdown]
# ## Changing a tensor itself
#
# An optimizer must change the very tensors that the model holds. New ones with better values would not help:

# %%
held = torch.tensor([1.0, 2.0])
x = held
x = 10 * x  # a new tensor, now called x
print("after x = 10 * x:", held)
x = held
x *= 10  # changes the tensor itself
print("after x *= 10:   ", held)

# %% [markdown]
# ## 2 · Gradient clipping
#
# One unusual batch can have a gradient a hundred times longer than usual. A single step of SGD along it can ruin what the
# model has learned. Adam, which you write next, limits that step, but the spike stays in its average gradient, and pushes the
# same numbers for many steps. **Gradient clipping** limits the length of the gradient but keeps its direction. The length is
# the **global norm**: the square root of the sum of the squares of *all* numbers in all gradients. For [3, 0] and [0, 4] it
# is 5. With a limit of 1, both are multiplied by 1/5.
#
# Write `clip_gradients(gradients, limit)`. `gradients` is a list of tensors of different shapes. If their global norm is
# above `limit`, multiply all of them, in place, by the factor that brings it down to `limit`. Return nothing.


# %% exercise="build.clip" form="program" minutes=8 difficulty=1 builds=["training"]
def clip_gradients(gradients, limit):
    """Scale the gradients in place so that their global norm is at most the limit."""
    ### BEGIN SOLUTION
    norm = sum((gradient**2).sum() for gradient in gradients) ** 0.5
    if norm > limit:
        for gradient in gradients:
            gradient *= limit / norm
    ### END SOLUTION


# %% tags=["not-graded"]
gradients = [torch.tensor([3.0, 0.0]), torch.tensor([[0.0, 4.0]])]
clip_gradients(gradients, 1.0)
print(gradients)  # should be 0.6 and 0.8

# %%
check("build.clip")

# %% [markdown]
# ## 3 · AdamW
#
# SGD moves each parameter by the learning rate times its gradient. But some parameters have far larger gradients than others.
# **Adam** divides each gradient by its usual size, so that large and small ones move their parameters equally. For each
# number it keeps two running averages, both 0 at the start:
#
# * m ← β₁ · m + (1 − β₁) · g, the average **gradient**;
# * v ← β₂ · v + (1 − β₂) · g², the average **square**.
#
# Since they start at 0, they are too small at first: after one step with β₁ = 0.9, m is only 0.1 · g. The **bias
# correction** makes up for this. At step t, counted from 1:
#
# * m̂ = m / (1 − β₁ᵗ) and v̂ = v / (1 − β₂ᵗ).
#
# Then AdamW changes the parameter p twice. The **weight decay** λ shrinks it a little, and the update follows:
#
# * p ← p − lr · λ · p
# * p ← p − lr · m̂ / (√v̂ + ε)
#
# Write `adamw_step(parameters, gradients, state, lr, betas, eps, weight_decay)`. The first two are lists of tensors. `state`
# is a dictionary: `state["step"]` is the number of steps before this call, and `state["m"]` and `state["v"]` are lists with
# one tensor per parameter. `betas` holds β₁ and β₂, `eps` is ε and `weight_decay` is λ. Change the parameters and the state in
# place, and leave the gradients as they are. `x**0.5` is a square root.


# %% exercise="build.adamw" form="program" minutes=20 difficulty=3 builds=["training"]
def adamw_step(parameters, gradients, state, lr, betas, eps, weight_decay):
    """Take one step of AdamW: change the parameters and the state in place."""
    ### BEGIN SOLUTION
    state["step"] += 1
    beta_1, beta_2 = betas
    m_scale, v_scale = 1 - beta_1 ** state["step"], 1 - beta_2 ** state["step"]
    for parameter, grad, m, v in zip(parameters, gradients, state["m"], state["v"], strict=True):
        m *= beta_1
        m += (1 - beta_1) * grad
        v *= beta_2
        v += (1 - beta_2) * grad**2
        parameter *= 1 - lr * weight_decay
        parameter -= lr * (m / m_scale) / ((v / v_scale) ** 0.5 + eps)
    ### END SOLUTION


# %% [markdown]
# We try it with two gradients, one a thousand times larger than the other. How far will the first step move each number?


# %%
def new_state(parameters):
    """The state before the first step."""
    zeros = [torch.zeros_like(each) for each in parameters]
    return {"step": 0, "m": zeros, "v": [each.clone() for each in zeros]}


# %% tags=["not-graded"]
parameters, gradients = [torch.tensor([1.0, 1.0])], [torch.tensor([0.002, 2.0])]
state = new_state(parameters)
adamw_step(parameters, gradients, state, lr=0.1, betas=(0.9, 0.98), eps=1e-8, weight_decay=0.0)
print(parameters[0])

# %%
check("build.adamw")

# %% [markdown]
# Does every step move every number by the learning rate? Here the gradient of the first number is always 2, and that of the
# second alternates between 2 and −2. **Predict:** how far does each move in 20 steps, at a learning rate of 0.1?

# %% tags=["not-graded"]
parameters = [torch.tensor([0.0, 0.0])]
state = new_state(parameters)
for step in range(20):
    gradients = [torch.tensor([2.0, 2.0 * (-1) ** step])]
    adamw_step(parameters, gradients, state, lr=0.1, betas=(0.9, 0.98), eps=1e-8, weight_decay=0.0)
print(parameters[0])

# %% [markdown]
# Steps are that long only where all gradients agree. Where they contradict each other, m is small compared with √v. That is
# the usual case: in lesson 14's training, the median number moves by 0.40 of the learning rate in step 10, and by 0.02 of it
# in step 100.

# %% [markdown]
# ## 4 · The learning rate
#
# The first steps should be small: that is the **warm-up**. At first, AdamW's v rests on a handful of gradients and can be far
# off ({liu2019}), and in a post-norm model, the gradients near the output start out large ({xiong2020}). At the end, the steps
# should be small again, so that the model settles. Write `learning_rate(step, peak, warmup, steps)`. `step` counts from 0 to
# `steps` − 1.
#
# * During the first `warmup` steps, the rate rises evenly. With `warmup` = 4, it is ¼, ²⁄₄, ¾ and ⁴⁄₄ of `peak`.
# * From then on it falls in a straight line: it is `peak` at step `warmup`, and would be 0 at step `steps`, just after the
#   last.


# %% exercise="build.schedule" form="program" minutes=8 difficulty=1 builds=["training"]
def learning_rate(step, peak, warmup, steps):
    """The learning rate of a step: warm-up, then linear decay."""
    ### BEGIN SOLUTION
    return peak * min((step + 1) / warmup, (steps - step) / (steps - warmup))  # the lower one
    ### END SOLUTION


# %% tags=["not-graded"]
print([learning_rate(step, 1.0, 4, 8) for step in range(8)])  # ends with 1, 0.75, 0.5, 0.25

# %%
check("build.schedule")

# %% [markdown]
# Many programs let the rate fall along half a cosine wave instead: peak · ½ · (1 + cos(π · t)), where t goes from 0 at step
# `warmup` to 1 at step `steps`.


# %% tags=["not-graded"]
def cosine(step, peak, warmup, steps):
    """The learning rate of a step: warm-up, then half a cosine wave."""
    if step < warmup:
        return learning_rate(step, peak, warmup, steps)
    return peak * (1 + math.cos(math.pi * (step - warmup) / (steps - warmup))) / 2


rates = {
    rate.__name__: [rate(step, 1.0, 20, 100) for step in range(100)]
    for rate in (learning_rate, cosine)
}
ax = figures.curves(range(100), rates, "Two schedules of 100 steps", "step", "share of the peak")

# %% [markdown]
# <!-- picture -->
# the cosine spends longer near its peak, and longer near 0.
# <!-- end -->
#
# ## The loop
#
# Here is the whole loop. Find your four functions. The gradients are clipped *after* `backward` has computed them and *before*
# the step that uses them. Under `torch.no_grad()`, torch keeps no record of the updates.
#
# Weight decay is meant for matrices; biases, γ and β are usually left out. So engineers form two **groups** of parameters,
# with and without decay. Here, decay has its own line, and `adamw_step` gets a decay of 0.


# %%
STEPS = translation.steps()
PEAK, WARMUP = 2e-3, STEPS // 5


def train(model, state, numbers, stop, after_step=None):
    """Train up to step `stop`; return the loss of each step."""
    parameters, losses = list(model.parameters()), []
    model.train()
    for step in range(state["step"], stop):
        source, target = numbers.random_batch()
        inputs, labels = shift(target)
        loss = smoothed_loss(model(source, inputs), labels, pad=0, smoothing=0.1)
        model.zero_grad()
        loss.backward()
        gradients = [parameter.grad for parameter in parameters]
        with torch.no_grad():
            clip_gradients(gradients, 1.0)
            lr = learning_rate(step, PEAK, WARMUP, STEPS)
            for parameter in parameters:
                if parameter.ndim > 1:  # a matrix
                    parameter *= 1 - lr * 0.01
            adamw_step(parameters, gradients, state, lr, (0.9, 0.98), 1e-8, weight_decay=0.0)
        losses.append(loss.item())
        if after_step is not None:
            after_step(step + 1, losses[-1])
    return losses


# %% [markdown]
# ## Stop, and resume later
#
# A large model trains for weeks, and computers fail. So training saves its state now and then in a **checkpoint**, from which
# it can continue with the same losses, as if nothing had happened. Ours holds the parameters, AdamW's state, and the state of
# torch's random number generator. We take 8 steps, save a checkpoint, and take 4 more. Then a *new* model loads the checkpoint
# and takes the same 4 steps: once with everything that was saved, once with m and v back at 0, and once with different random
# numbers, which choose the batches.
#
# **Predict:** in which of these runs is the first loss the same? In which are all four the same?

# %% tags=["not-graded"]
numbers = translation.load_numbers()


def go_on(name, model, state):
    losses = train(model, state, numbers, stop=12)
    print(f"{name:24}", *(f"{loss:.6f}" for loss in losses))


torch.manual_seed(0)
model = Transformer(numbers.config)
state = new_state(model.parameters())
train(model, state, numbers, stop=8)
with tempfile.TemporaryDirectory() as folder:
    file = Path(folder) / "translator.pt"
    translation.save_checkpoint(file, model, state)
    go_on("the first model", model, state)

    model = Transformer(numbers.config)  # new random weights
    state = new_state(model.parameters())
    translation.load_checkpoint(file, model, state)
    go_on("everything restored", model, state)

    translation.load_checkpoint(file, model, state)
    go_on("m and v lost", model, new_state(model.parameters()) | {"step": state["step"]})

    translation.load_checkpoint(file, model, state)
    torch.manual_seed(1)
    go_on("different random numbers", model, state)

# %% [markdown]
# Without the averages, only the first loss is the same: the step after it differs. With different random numbers, the batches
# differ, and so does every loss. Without the number of steps, the warm-up would begin again.
#
# ## Your Transformer learns
#
# Training starts from 0.9 million random numbers and takes about a minute.
#
# **Predict:** with label smoothing, the loss cannot reach 0. With 18 tokens and ε = 0.1, where will it end: near 0.06, 0.25 or
# 0.6?

# %% tags=["not-graded"]
torch.manual_seed(0)
model = Transformer(numbers.config)
state, sample = new_state(model.parameters()), [column[:100] for column in numbers.test]


@torch.no_grad()
def held_out_loss():
    source, target = numbers.held_out()
    inputs, labels = shift(target)
    loss = smoothed_loss(model.eval()(source, inputs), labels, pad=0, smoothing=0.1)
    model.train()
    return loss.item()


def look(step, loss):
    accuracies, samples, unseen = {}, {}, None
    if step % 50 == 0 or step == 1:
        accuracies["unseen numbers right"] = exact_match(model, *sample)
        samples = numbers.samples(model, [20_481, 42_007, 305_018])
        unseen = held_out_loss()
    watch(step, loss, accuracies, samples, held_out=unseen)


if not translation.opened(model):
    with figures.live(STEPS, "My Transformer learns") as watch:
        train(model, state, numbers, STEPS, after_step=look)
    translation.keep(model, numbers)

# %% [markdown]
# <!-- picture -->
# on the left, the loss of each batch and of 100 numbers not used in training; on the right, the fraction of these that your
# model translates without an error. The table shows three translations with their values, and ✓ where they are right.
# <!-- end -->
#
# <details><summary>Where the loss ends</summary>Near 0.6. The best prediction is the smoothed target itself, 0.906 for the
# label and 0.0056 for each of the other 17 tokens. It still costs −0.906 · ln 0.906 − 17 · 0.0056 · ln 0.0056 ≈
# 0.58.</details>

# %% tags=["not-graded"]
exact = exact_match(model, *numbers.test)
print(f"{exact:.2%} of 2,000 unseen numbers are right")

# %% [markdown]
# It should be 99% or more; each of our three seeds reached at least 99.65%. If yours is lower, check whether the loss ends
# near 0.6.
#
# Torch computed the gradients. You wrote the rest: the model, the loss, the clipping, the optimizer and its
# learning rate are all in your `my_transformer.py`, and the weights are in `models/`, ready for next time.
