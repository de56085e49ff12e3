# %% [markdown] minutes=21
# # 00 · Start here: what will you build, and how will you learn?
#
# Almost every large language model today is built on one design ({vaswani2017}): the
# **Transformer**. In this course you build one yourself. You start with three tokens and a pencil, and end with a model that
# you have trained on your own laptop. You need a little Python and school mathematics, but no internet connection.
#
# This first notebook takes about {minutes} minutes. By the end, you will know how a lesson works.

# %% [markdown] seconds=10
# ## Try one {#try-one}
#
# The cell below this text contains code. Click into it and press **Shift + Enter**. That runs the cell and selects the next
# one. A star, `[*]`, means that a cell is running. The first cell of a notebook takes about {seconds} seconds. Run every cell
# of a lesson, from top to bottom.

# %%
from transformer_course import figures
from transformer_course.exercises import ask, check, predict, reveal
from transformer_course.experiments.number_translation import translate

translate("forty-two thousand and seven")

# %% [markdown]
# A small Transformer has read a number in English and written it in Chinese. It learned this from 30,000 examples, and this
# number was not among them.
#
# <!-- picture -->
# each column is a character that the model wrote, with its value below. Each row is an English word. Each
# entry shows what percentage of the last layer's attention went to that word as the model wrote that character;
# entries below 5 are left blank. Chinese counts in ten-thousands, so *forty-two thousand* becomes "4 ten-thousands 2
# thousands". Translating word by word would not work.
# <!-- end -->
#
# Now type your own number in place of *forty-two thousand and seven*, and press Shift + Enter again. You can use words,
# digits, or both, up to 99,999,999. (If you draw numbers at random, fewer than 1 in 100 come out wrong. Round ones, such as
# *two million*, often do. Lesson 15 trains such a model and finds out why.) If you see empty boxes in place of 四万二千零七, read
# the digits below them.

# %% [markdown] seconds=60
# ## Train one {#train-one}
#
# The translator was trained before you arrived. The next model is yours, and it has read nothing yet. For about {seconds}
# seconds (minutes on a slow computer) it does one thing: it sees some characters of a text and predicts the next one, hundreds
# of thousands of times. A *step* follows every couple of thousand predictions: the numbers inside the model change a little, so
# that the next predictions are better.
#
# The model reads Python's documentation, unless you replace `python` in the next cell with something else: with `colours`, for
# the names of 949 colours, or with a text of your own (at least 1,000 characters, or half a page). Paste it between the two
# `"""`.
#
# The cell after that asks for a guess: run it, and click an answer. The third trains your model.

# %%
from transformer_course.experiments.first_model import train_first_model

own_text = r"""
python
"""

# %% predict="00.minute"


# %% tags=["nbval-ignore-output", "not-graded"]
version_0 = train_first_model(own_text)
reveal("00.minute")

# %% [markdown]
# <!-- picture -->
# the line shows the model's *loss*, which says how badly it predicts: high at first, when every character is about as likely
# as any other, and lower the more it has learned. (On a *log scale*, a loss of 2 is as far from 1 as 4 is from 2.) Each row of
# the table shows what the model wrote after a number of steps.
# <!-- end -->
#
# Below the table you see how many bits the model needs per character of unseen text. (The line is in a different unit;
# notebook B1 explains both.)
#
# Nobody told the model what a word is, or that spaces follow full stops. Now give it a beginning, and let it continue:

# %% tags=["nbval-ignore-output", "not-graded"]
version_0.write("The function ", count=300)

# %% [markdown]
# Run that cell again with different words, then with a lower temperature, which favours likely characters (lesson 16), as in
# `version_0.write("The ", temperature=0.3)`.
#
# This is version 0 of your model. You trained it without knowing what is inside. It is saved in the folder `models`, and
# loaded from there when you run the cells again, unless you change the text. From now on you build a model from parts that
# you write yourself. If version 0 read Python's documentation, the notebooks of the Build (below) will show you, in one
# number, when your model overtakes it.

# %% [markdown]
# ## The map {#map}
#
# The next cell draws the Transformer in its original form, designed for translation, with the boxes of your version 0
# highlighted. Run it, and read the picture from the bottom up.

# %% tags=["S29"]
version_0_has = ["target embedding", "target positions", "decoder self-attention"]
version_0_has += ["decoder add & norm 1", "decoder feed-forward", "decoder add & norm 3"]
version_0_has += ["output layer", "output softmax"]
ax = figures.architecture(*version_0_has, title="An encoder (left) and a decoder (right)")

# %% [markdown]
# <!-- picture -->
# source tokens, the words of the sentence to translate, come in at the bottom left. Each becomes a
# list of numbers, has its position added, and goes up through the **encoder's** layers. On the right, the **decoder**
# reads what has been written so far, looks across at the encoder's result, and outputs probabilities for the next token.
# One token is chosen and added to what has been written (the dashed arrow), and the decoder goes round again.
# <!-- end -->
#
# Version 0 is a **GPT** (*generative pre-trained Transformer*): a decoder by itself. With nothing to translate, it needs no
# encoder, and no cross-attention to look at one. It stacks two layers (the frame on the right), and its tokens are characters.
#
# Each box has its lesson, and your path (below) chooses among them.
#
# | lessons | part of the map |
# | --- | --- |
# | 01–05 | attention: why, by hand, scaled, masked, with several heads |
# | 06–08 | embedding and positions: from text to the first vectors |
# | 09–11 | the rest of a layer: feed-forward, residual connections, LayerNorm |
# | 12–16 | encoder, decoder, the last two boxes (linear and softmax), training, and generating token by token |
# | 17–22 | what it costs, its family (GPT, BERT, ViT), how to look inside, how to check sources, many machines |
# | 23–27 | what has changed since 2017, size, speed, and how a model becomes an assistant |
#
# A lesson has a core of at most 25 minutes; what follows under *Deeper* is optional.
#
# Alongside the lessons there is **the Build**: stages B1, B2 and so on, notebooks in the folder `exercises`, where you write
# and train a Transformer yourself. The link *Build it* at a lesson's end leads there. Code that passes is added to
# `my_transformer.py` in your folder, and later stages build on it.

# %% [markdown]
# ## How a lesson works: predict, run, explain {#predict}
#
# Every few minutes a lesson asks what will happen next. Guess before you run the cell, even if you are unsure: experiments
# ({richland2009}) have found that people remember an answer better
# after a guess, even a wrong one. Nobody else sees yours.
#
# Run the next cell, click your answer, then run the cell after it. (No buttons? Click an answer to read its reply.)

# %% predict="00.average"


# %%
print(0.75 * 2 + 0.25 * 6)
reveal("00.average")

# %% [markdown]
# The first cell records your guess. The second computes the answer and replies to *yours*.
#
# In lessons, the second cell is often folded into a grey line with three dots, because its code would give the answer away.
# Run it like any other cell, with the keys; a click unfolds it. The explanation appears when you have run it.

# %% [markdown]
# ## How an exercise works: answer, check {#exercise}
#
# Each later lesson except 22 has a **sheet** of exercises: a notebook of its own, linked at the lesson's end. Each exercise
# has a cell for your answer and a cell that checks it. In a sheet, circles show how hard each exercise is, from ●○○ to ●●●.
# Here is an easy one.
#
# <!-- paper -->
# **Your turn, on paper.** What is the weighted average of 1, 4 and 10, with weights 0.5, 0.25 and 0.25? Work it out, but
# give a wrong answer first, on purpose: enter the plain average, 5, and see what the check says. Then
# enter the right one.

# %% exercise="start.average"
### BEGIN SOLUTION
my_average = 0.5 * 1 + 0.25 * 4 + 0.25 * 10
### END SOLUTION

# %%
check("start.average")

# %% [markdown]
# A check knows common mistakes, and tells you which one you made. If you are stuck, click *Hint 1* below its message (on the
# keyboard: Shift + Tab, then Enter). The next hint appears below it, and after the last one, a solution.

# %% [markdown]
# ## Your path {#path}
#
# A path is a choice of lessons and stages. Here are yours and the others.

# %%
from transformer_course.exercises import choose_path, my_path

my_path()

# %% [markdown]
# To change your path, press *Choose*, or run a line from the list. Your path decides what opens next.

# %% [markdown]
# ## Your progress {#progress}
#
# Each part of the model is a box, filled in once your code for it has passed. Click one to open its notebook.

# %%
from transformer_course.exercises import my_progress

my_progress()

# %% [markdown]
# <!-- picture -->
# the model, from the text at the bottom to the next token at the top. A GPT does without the dashed parts.
# <!-- end -->
#
# What you have passed is remembered only on this computer. Leave what is too hard today: its box stays on the map.

# %% [markdown]
# ## Six questions before you set off {#ready}
#
# These questions show whether you know what the course builds on. Run the cell and click your answers. The reply to a wrong
# answer explains the idea briefly and says where to read more. The replies refer to two texts that are free on the web:
# *Mathematics for Machine Learning* (Deisenroth, Faisal, Ong), called MML, and *NumPy: the absolute basics for beginners* in
# NumPy's documentation. If you get two or more wrong, work through [What you need before you begin](../docs/prerequisites.md)
# first.
#
# The questions do not test your Python. You should be able to write functions, loops, lists and dictionaries. The Build also needs
# classes, which stage B1 introduces; NumPy and torch are explained where they are used.

# %% ask="00.ready"


# %% [markdown]
# <!-- answer -->
# **What will you build?** A model from the parts on the map, by hand and in code. On most paths it is a GPT,
# which writes text; on *The paper* it has every part of the map, and translates numbers that it has never seen. **How will you
# learn?** Predict, run, explain; then answer and check.

# %% [markdown]
# ## For later {#deeper}
#
# Read on when you need it.

# %% [markdown]
# ### Stopping, and continuing tomorrow
#
# JupyterLab saves automatically every 20 seconds, and Ctrl + S saves now. To stop, press Ctrl + C twice in the terminal
# where you started it. Next time, start it the same way: it opens at the cell that you ran last or, if that notebook is
# done, at what comes next. (If you started it with `make`, the last line says *Interrupt*, which is normal.)
#
# Your work, your progress and yesterday's results are all still there, but in the new session nothing has been *run* yet.
# The same goes for a tab that you have closed. (Close those that you are done with: each takes 200 to 400 MB of memory.)
# In the bar above the lesson, press **Run all above**: it runs every cell above the selected one, which is the cell where you
# stopped. Models that are saved in the folder `models` are loaded, and the others are trained again.

# %% [markdown]
# ### When something does not work
#
# * *A cell says that a name is not defined.* A cell above it has not been run. In the menu: Run → Run All Above Selected
#   Cell.
# * *Tabs or panels that you do not need fill the page.* Ctrl + B hides the panel on the left.
#   (It shows a table of contents; the folder icon beside it shows the files.) `?reset` at the end of the page's
#   address closes all tabs; nothing that was saved is lost.
# * *A star `[*]` stays beside a cell.* The square button ■ at the top stops it.
# * *You see empty boxes in place of Chinese characters.* Your computer has no font for them. To install one, run `sudo apt
#   install fonts-noto-cjk` on Debian and Ubuntu, or `sudo dnf install google-noto-sans-cjk-fonts` on Fedora; then reload the
#   page. macOS and Windows come with one.
# * *Everything is stuck or mixed up.* Kernel → Restart Kernel and Run All Cells. Your text and code stay.
# * *You want a fresh copy of a lesson.* Rename or delete yours and start the course again as you did today: it brings back
#   what is missing and never overwrites what you changed.
# * *A word or a formula has slipped your mind.* The [glossary](../docs/glossary.md) and the [formulas](../docs/formulas.md)
#   say which lesson explains it.
