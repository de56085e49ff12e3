"""Two days: lessons 00, 02 to 05 and 13 to 15, and two stages of the Build as group projects: a head, and a model."""

from dataclasses import replace

from transformer_course.course.part import EXIT

from ..activity import CODE, EXPLAIN, VOTE
from ..sessions import Break, Lead, Plan, Practise, Project, Talk
from .talks_and_breaks import (
    BRIDGE,
    CARDS,
    CLOSING_WITH_CARD,
    MORNING,
    PAPER_CHECK,
    PAPER_PAGE,
    READING,
    SCALE_PRACTISED,
    SHAPES_CARD,
    TICKET,
    TRAINING,
    heads,
    masks,
    opened,
)

FIRST_DAY = (
    *MORNING,
    Lead(
        lesson="03",
        stop=EXIT,
        skip_if_late="training",
    ),
    *SCALE_PRACTISED,
    masks(skip_if_late="two-calls"),
    Practise(
        lesson="04",
        exercises=("attention.causal_mask", "attention.padding_mask"),
        if_time=("attention.late_mask",),
    ),
    Break(title="Break", minutes=15),
    heads(skip_if_late="cost"),
    Practise(lesson="05", exercises=("heads.split",), if_time=("heads.merge",)),
    TICKET,
    Break(title="Until tomorrow"),
)
SECOND_DAY = (
    Talk(
        title="What do you remember from yesterday?",
        minutes=10,
        slide=f"Open the course, in the folder that contains .venv:\n\n{opened('for-learners')}\n\nThen look up: five "
        "questions from yesterday, without the notebooks. Answer with your cards.",
        does={VOTE: 7},
        note="Ask five of yesterday's questions again, with the notebooks closed. Where the exit tickets show other trouble, "
        "take others.\n\n"
        "* [What weight does a score of 0 get?](for-you/slides.html#/02.zero)\n"
        "* [Vectors are 64 times as wide: by what factor does the spread of the scores "
        "grow?](for-you/slides.html#/03.spread)\n"
        "* [What is the row of *car*, with the last token forbidden?](for-you/slides.html#/04.row)\n"
        "* [The mask comes after softmax: does the first output change?](for-you/slides.html#/04.late)\n"
        "* [One wide head or two narrow ones: who finds both neighbours?](for-you/slides.html#/05.neighbours)",
    ),
    Talk(
        title="What is a module?",
        minutes=5,
        slide="```python\nclass Scaled(nn.Module):\n    def __init__(self, d_in, d_out):\n        super().__init__()\n"
        "        self.w = nn.Linear(d_in, d_out, bias=False)\n\n    def forward(self, x):\n        return 2 * "
        "self.w(x)\n```\n\n"
        "`Scaled(4, 3)` makes one: a matrix of random numbers, which training changes. Called like a function, it runs "
        "`forward`.",
        note="A class is a plan for objects that keep numbers and compute with them, and `nn.Module` is torch's plan for "
        "parts of a model. Point at each line. `__init__` runs once, when an object is made: `super().__init__()` lets torch "
        "prepare it, and `self.w` keeps the matrix, so that torch finds it and training can change it. `forward` runs each "
        "time that the object is called: with `double = Scaled(4, 3)`, `double(x)` takes x of shape (b, n, 4) and returns "
        "(b, n, 3). A head has three such matrices, and its `forward` is the attention that they wrote yesterday.",
    ),
    Project(
        stage="B2",
        title="Group project: one attention head of your own",
        minutes=85,
        does={CODE: 70, EXPLAIN: 15},
        slide="In groups of three:\n\n* **55 minutes:** write the head, check it, and train it.\n* **15 "
        "minutes:** change one thing and train again: no scale, no mask, or `TextModel(…, add_input=False)`. First predict "
        "the bits per character (guessing among 96 characters: 6.6; bigram table: 3.66; lower is better).\n* **15 "
        "minutes:** each group tells the room, in one minute, what it predicted and what happened.",
        note=(
            "The course supplies the parts that groups would have written in earlier stages. Explain the measure: **bits per "
            "character** are minus the logarithm, to base 2, of the probability of the correct character, averaged over the "
            "text. Guessing among 96 characters gives 6.6. The bigram table of B1, which predicts each character from the one "
            "before it, gives 3.66.\n\nAfter 40 minutes, groups whose head does not pass its check look at the "
            "solution, and train that. “Take the positions away” is for groups that finish early.\n\nTo change one "
            "thing, groups put these lines into a new cell; they print the bits, and leave the saved model and its "
            "record as they are:\n\n"
            "```python\ntorch.manual_seed(0)\n"
            "changed = ladder.TextModel(CausalHead(ladder.D_MODEL, ladder.D_MODEL))\n"
            'with figures.live(ladder.steps(), "One change") as watch:\n'
            "    ladder.train(changed, train_step, text.train, get_batch=get_batch, after_step=watch)\n"
            "print(ladder.bits_per_character(changed, text.test))\n```\n\n"
            "For *no scale* and *no mask*, they first change a line of their own `forward` and run its cell again; for *no "
            "input added*, they pass `add_input=False` to `TextModel`. Give each change to several groups, and let one of "
            "them report in full.\n\n**What comes out** (600 steps, two seeds): the head gets about 3.35 bits "
            "per character. *No scale:* 3.7, worse than the bigram table, because with vectors of width 96 the scores "
            "are about ten times as large, and softmax picks a single token (lesson 03). *No input added:* 3.7, because "
            "an average alone blurs the current character. *No mask:* 0.07, because the head reads the character that "
            "it should predict. Save that one for last, and leave open what such a model would write: lesson 13 "
            "measures it."
        ),
    ),
    Break(title="Break", minutes=15),
    replace(
        BRIDGE,
        title="Bridge: from one head to a whole model",
        minutes=16,
        slide="**Position:** a vector for each place, added to the token's vector.\n\n**Feed-forward network:** two matrices "
        "with a ReLU between them, for each token by itself.\n\n**Residual connection:** x + f(x). What is added to, from "
        "layer to layer, is the **stream**.\n\n**LayerNorm:** subtract a vector's mean, and divide by its standard "
        "deviation.\n\n"
        "**On paper, in pairs (4 minutes).** A token has x = [1, 0, 2, 1], and attention returns [2, 1, 1, 0]. Add, then "
        "normalise.",
        note=(
            "**The model (3 minutes).** Show [the map](for-you/slides.html#/the-map) again. “On the left is the **encoder**. "
            "It reads the source, and every position can look at every other. On the right is the **decoder**. It writes the "
            "target, one token at a time, and its self-attention has the mask. Between them is **cross-attention**: the "
            "queries come from the decoder, and the keys and values from the encoder. All other boxes work on one token at a "
            "time.”\n\n"
            "**These other boxes (5 minutes).** Show the next slide, and point at the map's boxes. “Attention does not know "
            "the order of its tokens, so each vector has its **position** added at the bottom. Attention only mixes; the "
            "**feed-forward network** then makes something new of each token's vector. *Add & norm* is two things. The "
            "**residual connection** adds a sublayer's output to its input, so nothing that came in is lost. All these sums "
            "are the **stream** that runs from the bottom to the top, always as wide as at the start. **LayerNorm** keeps its "
            "numbers from growing.” (In your one head you had two of these: the table of positions, and the sum that "
            "`add_input=False` takes away.) Each has its lesson at home: 06, 09, 10 and 11.\n\n"
            "**On paper (4 minutes).** The sum is [3, 1, 3, 1]. Its mean is 2 and its standard deviation 1, so the norm gives "
            "[1, −1, 1, −1]. That is one *add & norm*, and lesson 13 has the line `norm1(y + own)` for it.\n\n"
            "**Training (1 minute).** “In training, the decoder is given the correct tokens so far, not its own: **teacher "
            "forcing**. Its loss says how little probability the correct tokens got; lesson 14 computes it.”\n\n"
            "**Tell a neighbour (3 minutes).** What does cross-attention get from each side? Why does the decoder need a mask "
            "in training? Take one question from the room."
        ),
    ),
    Lead(
        lesson="13",
        stop=EXIT,
        skip_if_late="alignment",
        explain={
            "layer": (
                4,
                "With a neighbour, for each of the three steps: one points at the sublayer, at the sum and at the norm, the "
                "other says the shapes.",
            )
        },
        note="The lesson begins with “parts you already know”: attention from yesterday, and the others from the bridge. In "
        "“The layer, step by step”, neighbours go through the code together: for each of the three steps, one points at the "
        "sublayer, at the sum and at the norm, and the other says the shapes.",
    ),
    Practise(lesson="13", exercises=("decoder.reach", "decoder.leak"), if_time=("decoder.swapped",)),
    Break(title="Lunch", minutes=60),
    Lead(
        lesson="14",
        stop=EXIT,
        skip_if_late="no-shift",
    ),
    Practise(lesson="14", exercises=("training.by_hand", "training.shift"), if_time=("training.underflow", "training.loss")),
    Break(title="Break", minutes=10),
    TRAINING,
    READING,
    Break(title="Break", minutes=10),
    Project(
        stage="B10",
        title="Group project: a model of your own",
        minutes=50,
        does={CODE: 30, EXPLAIN: 15},
        given=("build.tokenizer", "build.generate_text"),
        slide="In groups of three, in the folder that you opened after the break, on one laptop:\n\n* **20 minutes:** "
        "choose a text, run the cells down to “Your loop”, and write `fit`.\n* **10 minutes:** train. First predict which "
        "of the two curves will lie lower, and where they part. Then open the model again.\n* **15 minutes:** each group "
        "reads aloud what its model writes; the others guess the text.",
        note=(
            "In the break, everybody opens the folder of this session: in it, `Tokenizer` and `generate_text` are written, "
            "and only the loop is left. Say what they do in one sentence each: the first turns any text into ids, and back; "
            "the second draws one token after the other, as lesson 15's decoder did. (The parts from earlier stages are the "
            "course's.)\n\nGroups choose a text of at least 10,000 characters: a file on a laptop, or, with `SOURCE` left "
            "empty, Python's documentation. `fit` is the loop of lesson 15 with a rate for each step, and with `evaluate` and "
            "`save`. After 15 minutes, groups whose `fit` does not pass its check look at the solution, below the last hint, "
            "and train with that. Training takes about one minute; reading the text and learning its tokens takes another "
            "15 seconds.\n\nGroups run “Open it again” after a restart of the kernel: the file holds everything. Those who "
            "finish early talk to their model, or export it to one file for any browser. Skip “What is it worth?”, and name "
            "it for home: it compares the model with a table of counts."
        ),
    ),
    TICKET,
    CLOSING_WITH_CARD,
)

TWO_DAYS = Plan(
    name="two-days",
    title="Two days: from three tokens by hand to a model of your own",
    audience=(
        "People who will work with Transformers or teach them. You should be comfortable with Python and NumPy, and know "
        "what a gradient is."
    ),
    handouts=(PAPER_PAGE, PAPER_CHECK, SHAPES_CARD, CARDS),
    items=(*FIRST_DAY, *SECOND_DAY),
)
