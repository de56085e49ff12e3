# %% [markdown]
# # 00 · Start here: what will you build, and how do you learn it?
#
# Nearly every large language model of today is built from one design, published in 2017: the **Transformer**. In this course
# you build one yourself, part by part, from three tokens on paper to a model that you trained on your own laptop, which reads
# numbers in English words, "forty-two thousand and seven", and writes them in Chinese. You need a little Python, school
# mathematics, and no network: everything runs here, on the processor you have.
#
# This first notebook takes about 15 minutes. Afterwards you can find every later lesson on one map, and you know how a
# lesson works.

# %% [markdown]
# ## Two kinds of cells
#
# What you read now is a cell of text. The next one is a cell of code. Click into it and press **Shift + Enter**: it runs,
# and the next cell is selected. Run every cell of a lesson in order, from top to bottom.

# %%
from transformer_course import figures
from transformer_course.exercises import check, hint, my_progress, next_lesson, reply, solution

print("It works.")

# %% [markdown]
# ## The map
#
# This is the whole machine, as it was first drawn for translation. Run the cell, and read the picture from below.

# %% tags=["S29"]
ax = figures.architecture(title="The Transformer: an encoder (left) and a decoder (right)")

# %% [markdown]
# **In the picture:** source tokens, the words of the sentence to translate, come in at the bottom left. Each becomes a
# list of numbers, gets a mark of its position, and climbs through the **encoder's** layers. On the right, the **decoder**
# reads what has been written so far, looks across at the encoder's result, and ends in probabilities for the next token.
# One token is chosen and added to what has been written (the dashed arrow), and the decoder goes round again.
#
# Every box will be opened in some lesson. First come the three boxes in which tokens look at each other:

# %% tags=["S29"]
attention = ["encoder self-attention", "decoder self-attention", "cross-attention"]
ax = figures.architecture(*attention, title="Lessons 01–05: attention")

# %% [markdown]
# **In the picture:** the three lit boxes are one and the same computation, fed from different places; the masked one may not
# look ahead. In lesson 02 you do it by hand.
#
# | lessons | part of the map |
# | --- | --- |
# | 01–05 | attention: why, by hand, scaled, masked, with several heads |
# | 06–08 | embedding and positions: from text to the first vectors |
# | 09–11 | the rest of a layer: feed-forward, residual connections, LayerNorm |
# | 12–16 | encoder, decoder, the last two boxes (linear and softmax), training, and writing token after token |
# | 17–22 | what it costs, its family (GPT, BERT, ViT), and how to look inside |
#
# Beside the lessons there is **the Build**: notebooks B1, B2 and so on, in the folder `exercises`, in which you write a
# Transformer yourself and train it. After some of the lessons you can build a stage: the link *Build it* at a lesson's end
# leads there. Whatever passes is added to `my_transformer.py` in your folder, and later stages build on it.

# %% [markdown]
# ## How a lesson works: predict, run, explain
#
# Every few minutes a lesson asks what will happen next. Guess before you run the cell, even if you are unsure: experiments on
# learning have found that answers stick better after a guess, a wrong one included. Nobody else sees it.
#
# **Predict.** The weighted average of 2 and 10, where 2 has three quarters of the weight and 10 has one quarter, is
#
# * `"a"`: 4
# * `"b"`: 6
# * `"c"`: 8
#
# Put your letter in place of the dots, with its quotation marks, as in `guess = "b"`. Then run this cell and the two
# below it. (If one says *name … is not defined*, the quotation marks are missing, or the cell above it has not been run.)

# %%
guess = ...

# %%
0.75 * 2 + 0.25 * 10

# %%
reply("00.average", guess)

# %% [markdown]
# The first of the three cells holds your guess, the second computes, the third answers what *you* guessed. Try another
# letter to see that the answer changes.

# %% [markdown]
# ## How an exercise works: answer, check
#
# Each lesson from 01 on has a **sheet** of exercises: a notebook of its own, linked at the lesson's end. Its file
# lies in the folder `exercises`, and has the lesson's name with *sheet* in it. Each exercise has a cell for your answer and a
# cell that checks it. Here is one to try it on.
#
# **What is the weighted average of 1, 4 and 10, with weights 0.5, 0.25 and 0.25?** Do it on paper. And do it wrongly first,
# on purpose: give the plain average, 5, and see what the check says.

# %% exercise="start.average"
### BEGIN SOLUTION
my_average = 0.5 * 1 + 0.25 * 4 + 0.25 * 10
### END SOLUTION

# %%
check("start.average", my_average)

# %% [markdown]
# A check knows the mistakes that people often make and says which one it has seen. When you are stuck, ask for a hint. Each
# further run gives a stronger one, and after the last, `solution("start.average")` shows a way to do it.

# %%
hint("start.average")

# %% [markdown]
# ## Your progress
#
# Exercises that you have passed are remembered on this computer, and nowhere else. A square is an exercise, a filled square
# one that you passed. Come back to this page whenever you want to see how far you are, and where to go on: on another day run
# this notebook's first cell of code, then the two below. `transformer-course progress` says the same in JupyterLab's own
# terminal (File → New → Terminal).

# %%
ax = figures.progress(my_progress(), title="Passed so far")

# %% [markdown]
# **In the picture:** one row for each lesson and each stage of the Build, with a square for each exercise and their number
# beside it. If you passed the exercise above, the first row's square is dark: run the cell once more if you passed it only
# now.

# %%
next_lesson()

# %% [markdown]
# Go through the lesson first, and then through its exercises; each leads to the other by a link at its end. While an exercise
# of a lesson is open, that lesson stays the next one. If one is too hard today, leave it and begin the lesson after: what is
# open stays counted, and you can come back to it.

# %% [markdown]
# ## Six questions before you set off
#
# They show whether you have what the course builds on. Click the answer that you believe; each one replies. If you miss one,
# its reply has the idea in short, and names where to read more. Two books are free on the web: *Mathematics for Machine
# Learning* (Deisenroth, Faisal, Ong), called MML below, and *NumPy: the absolute basics for beginners* in NumPy's own
# documentation. If you miss two or more, take the page [What you need before you begin](../docs/prerequisites.md) first. It
# asks about each of these things once more, for two minutes each, with answers that explain, and says what to read.

# %% [markdown]
# **1.** *The dot product of [2, 1] and [3, −1] is*
# <details><summary>5</summary>Yes: 2 × 3 + 1 × (−1) = 6 − 1. Lesson 02 begins with it.</details>
# <details><summary>[6, −1]</summary>These are the products, coordinate by coordinate. The dot product adds them up: 5. To
# catch up: work [1, 0]·[1, 1] and [1, 1]·[1, 1] the same way (1 and 2). More in MML, section 3.2.</details>
# <details><summary>7</summary>Mind the sign: 1 × (−1) = −1, so 6 − 1 = 5. If the sign was the only trouble, go on.</details>

# %% [markdown]
# **2.** *A matrix of 3 rows and 2 columns times a matrix of 2 rows and 5 columns has the shape*
# <details><summary>3 × 5</summary>Yes: the inner sizes must agree (2 and 2) and vanish; the outer ones stay.</details>
# <details><summary>2 × 2</summary>The inner sizes, 2 and 2, must agree, and it is they that vanish. The outer ones stay:
# 3 × 5. To catch up: entry (i, j) of a product is the dot product of row i with column j; there are 3 rows and 5 columns.
# More in MML, section 2.2.</details>
# <details><summary>They cannot be multiplied</summary>They can: the first has 2 columns, the second 2 rows. Entry (i, j) is
# the dot product of row i with column j, so the result is 3 × 5. More in MML, section 2.2.</details>

# %% [markdown]
# **3.** *exp(0) and exp(1) are*
# <details><summary>0 and 1</summary>exp(0) = 1, as any number to the power 0 is; exp(1) = e = 2.718…. To catch up: exp turns
# sums into products, exp(a + b) = exp(a) · exp(b), so adding 0 must be multiplying by 1. More in any school book, under
# powers.</details>
# <details><summary>1 and 2.718…</summary>Yes. Each further step up multiplies by e again, and exp is never 0 or
# negative.</details>
# <details><summary>1 and 10</summary>That is 10 to the power 0 and 1. exp uses e = 2.718… in place of 10.</details>

# %% [markdown]
# **4.** *In NumPy, `A` has shape (3, 4). Then `A.sum(axis=1)` has shape*
# <details><summary>(4,)</summary>That is axis 0: it adds the three rows together, column by column. Axis 1 adds along each row,
# which leaves one number for each of the 3 rows: (3,). To catch up: the axis that you name is the one that disappears. More
# in NumPy's basics for beginners.</details>
# <details><summary>(3,)</summary>Yes: the axis that you name disappears. With <code>keepdims=True</code> it would stay, with length
# 1.</details>
# <details><summary>()</summary>Without an axis, <code>A.sum()</code> adds everything into one number. With axis=1, one sum for each of
# the 3 rows is left: (3,). More in NumPy's basics for beginners.</details>

# %% [markdown]
# **5.** *f(x) = x². By about how much does f change when x goes from 3 to 3.01?*
# <details><summary>0.01</summary>That is the step in x. The slope of x² at 3 is 2 · 3 = 6, so f changes six times as much:
# about 0.06. To catch up: a derivative says by what factor a small step is multiplied. More in MML, section 5.1.</details>
# <details><summary>0.06</summary>Yes: the slope at 3 is 6, times the step of 0.01. Training uses nothing but such slopes, of
# very many numbers at once.</details>
# <details><summary>9.06</summary>That is about the new value of f. The change is the new value minus the old one, 9.0601 − 9,
# about 0.06.</details>

# %% [markdown]
# **6.** *Which numbers are spread out more: 4, 5, 6 or 0, 5, 10?*
# <details><summary>4, 5, 6</summary>They stay within 1 of their mean. The others stray by 5, so their variance (the mean of the
# squared distances from the mean) is 25 times as large. To catch up: work both out; they are 2/3 and 50/3. More in MML,
# section 6.4.</details>
# <details><summary>0, 5, 10</summary>Yes: the distances from the mean are five times as large, so the variance is 25 times as
# large. We shall meet this square again in lesson 03.</details>
# <details><summary>The same: both have mean 5</summary>The mean says where numbers lie, the variance how far they stray from it:
# 2/3 for the first three, 50/3 for the others. More in MML, section 6.4.</details>

# %% [markdown]
# ## Stopping, and going on tomorrow
#
# JupyterLab saves by itself every two minutes, and Ctrl + S saves now. To stop, press Ctrl + C twice in the terminal where
# you started it. Start it in the same way the next time: it tells you what comes next, and opens that lesson or, if
# you have begun its sheet, the sheet. `next_lesson()` tells you too. (`make` says *Interrupt* at the end; that is no failure.)
#
# What you wrote and what you passed is there again, and you see yesterday's results; but on the new day nothing has been
# *run*. Click the cell where you stopped, and choose Run → Run All Above Selected Cell. What a lesson trained it then trains
# again, and that takes its time again.

# %% [markdown]
# ## When something does not work
#
# * *A cell says that a name is not defined.* A cell above it has not been run. In the menu: Run → Run All Above Selected
#   Cell. If the name is the letter you guessed, say `a`, it lacks its quotation marks: `guess = "a"`.
# * *Tabs or panels that you do not need fill the page.* Ctrl + B hides the list of files. `?reset` at the end of the page's
#   address closes all tabs; nothing that was saved is lost.
# * *A star `[*]` stays beside a cell.* It is still running. The square button ■ at the top stops it.
# * *Everything is stuck or mixed up.* Kernel → Restart Kernel and Run All Cells. Your text and code stay as they are.
# * *You want a fresh copy of a lesson.* Rename or delete yours and start the course again as you did today: it brings back
#   what is missing and never overwrites what you changed.
# * *A word or a formula has slipped your mind.* The [glossary](../docs/glossary.md) and the [formulas](../docs/formulas.md) say in
#   which lesson it is explained.

# %% [markdown]
# **What will you build?** The whole machine on the map, each part first by hand and then in code, until one that you trained
# yourself translates numbers that it has never seen. **How do you learn it?** Predict, run, explain; then answer and check.
