"""Sessions that more than one plan has."""

from dataclasses import replace

from transformer_course.course.part import EXIT

from ..sessions import Break, Lead, Pause, Practise, Talk

PAPER_PAGE, PAPER_CHECK = "02_self_attention_by_hand", "02_is_it_right"  # in docs/paper
SHAPES_CARD = "shapes_and_symbols"
CARDS = "voting_cards"


def opened(folder: str) -> str:
    """Return the Markdown that says how to open a folder that is next to .venv."""
    command = f"transformer-course lab {folder}"
    return f"`.venv/bin/{command}`\n\nOn Windows:\n\n`.venv\\Scripts\\{command}`"


OPENING = Talk(
    title="Opening: why attention?",
    minutes=12,
    slide="*The trophy does not fit into the suitcase because it is too big.*\n\nWhat does *it* refer to? And if the last "
    "word were *small*?\n\nTo understand one word, a model needs the others. **Attention** is how it draws on them."
    "\n\nTell a neighbour: what would you like to be able to explain when you go home?",
    note=(
        "Before you start, put a set of voting cards at each place. Say who you are. Read the sentence on the slide, and "
        "ask what *it* refers to: the trophy. With *small*, it refers to the suitcase: changing one word changes the "
        "meaning of another. Then everybody tells a neighbour their answer to the last question on the slide.\n\nNext, show "
        "the questions that this workshop will answer.\n\nThen show [the map](for-you/slides.html#/the-map): nearly every "
        "large language model is built from these boxes, and only the three attention boxes let one word take anything from "
        "another. Point at these three: the workshop explains them, and by the end everybody will have trained a model that "
        "has every box. Finally, explain how you will work: guess, run, explain to each other. Wrong guesses are welcome. "
        "The lessons call this map “the map from lesson 00”. They sometimes refer to others that this workshop leaves out; "
        "nobody needs those today."
    ),
)
START = Lead(
    lesson="00",
    cut=("train-one", "map", "path", "progress"),
    stop="ready",
    ends_with_summary=False,
    note="Everybody opens the lesson and runs its first cells. If a laptop fails, its owner joins a neighbour or uses a page "
    "from if-a-laptop-fails. Practise answering once: everybody commits to a guess, then everybody runs the cell.",
    extra_minutes=5,
)
BY_HAND = Lead(
    lesson="02",
    cut=("in-print",),
    stop=EXIT,
    skip_if_late="matrices",
    skip_questions=("02.exit.row_sums",),
    paper_before="average",
    paper="Sheet A, in pairs: fill in the rows of *red* and *orange*.\n\nEight minutes, with the screens down.",
    note="Hand out sheet A before “The weighted average” and give pairs eight minutes for the rows of *red* and *orange*, "
    "with the screens down (its part 5 is for home). Then run the section together and compare; its “Your turn” is the row of "
    "*orange* again, so skip it. Sheet B is for pairs who finish the exercises early, or to take home; the last line of “To "
    "take away” is about it.",
    extra_minutes=4,
)
STRETCH = Pause(title="Stand up and open the windows", minutes=5)
SOFTMAX = Practise(
    lesson="02",
    exercises=("attention.by_hand", "attention.softmax"),
    if_time=("attention.wrong_row",),
    note="Begin with the exercise by hand, all together, with the powers of e at the top of sheet A. Then softmax in pairs: "
    "one types, the other says what to type.",
)
MORNING = (OPENING, START, BY_HAND, Break(title="Break", minutes=15), SOFTMAX, STRETCH)
SCALE_PRACTISED = (
    Practise(lesson="03", exercises=("attention.shapes", "attention.scaled_dot_product")),
    Break(title="Lunch", minutes=60),
)


def masks(stop: str = EXIT, skip_if_late: str = "") -> Lead:
    return Lead(
        lesson="04",
        stop=stop,
        skip_if_late=skip_if_late,
        note="In “The other place for a mask”, let people argue before they run the cell: the zeros in the table are in the "
        "right places, but the future still leaks in.",
    )


MASKS_AND_PADDING = masks(stop="two-calls")


def heads(stop: str = EXIT, skip_if_late: str = "") -> Lead:
    return Lead(
        lesson="05",
        stop=stop,
        skip_if_late=skip_if_late,
        note="“The same task for one head and for two” is the heart of this lesson. Give it all the time it needs.",
    )


BRIDGE = Talk(
    title="Bridge: from attention to a model that learns",
    minutes=12,
    shows_map=True,
    slide="1. **Loss:** at each position, the model gives every possible next token a probability. The loss is minus the "
    "logarithm of the probability of the correct one.\n2. **A training step** changes every number in the model a little, so "
    "that the loss falls.\n3. **Teacher forcing:** in training, the decoder is given the correct tokens so far. The mask "
    "hides the rest.\n\n**Tell a neighbour:** what does cross-attention get from each side? Why does the decoder need a mask "
    "in training?",
    note=(
        "**The model (5 minutes).** Show [the map](for-you/slides.html#/the-map) again, and point at each box as you "
        "name it. “On the left is the **encoder**. It reads the source, such as *three hundred*, and every position can "
        "look at every other. On the right is the **decoder**. It writes the target, such as 三百, one token at a time, "
        "and its self-attention has a causal mask. Between them is **cross-attention**: the queries come from the "
        "decoder, and the keys and values from the encoder. So while the decoder writes, it can look at the source. "
        "Each attention has several **heads**: several attentions side by side, each with matrices of its own. The "
        "feed-forward networks change each token separately. Each arrow round a box adds the box's input to its output: a "
        "**residual connection**. The vectors that are passed up in this way, one for each token, are called the **residual "
        "stream**. What the encoder hands over to the decoder is called the **memory**. "
        "*Norm* keeps the numbers at a similar size. On the map it comes after each box; in our model it comes before, "
        "which is called **pre-norm**. And because attention knows nothing about the order of tokens, positions are "
        "added at the bottom. Each of these parts has a lesson of its own.”\n\n**Training (4 minutes).** "
        "The slide has three points; go through them with one example. “At each position, the model gives a probability "
        "to every token of its vocabulary, with a softmax over scores called **logits**. The **loss**, called "
        "cross-entropy, is minus the logarithm of the probability of the correct token, the **label**.” Ask: what is "
        "the loss if that probability is 1? (0.) And if it is nearly 0? (Very large.) “In a training step, we take a batch of "
        "examples and ask, for each number in the model, whether the loss would fall if this number were a little "
        "larger or a little smaller. The answers are the **gradient**. Then every number moves a little in the right "
        "direction. And in training the decoder is given the correct tokens so far, not its own: this is **teacher "
        "forcing**. So the model learns from all positions at once, and the mask keeps each position from seeing its own "
        "answer.” The training loop of lesson 15 has three more things: AdamW, which decides how far each number moves, a "
        "learning rate that rises and then falls, and clipping, which shortens a gradient that is too long. For now, nobody "
        "needs to know more about them.\n\n**Explain it to a neighbour (3 minutes).** One explains what cross-attention gets "
        "from each side, and the other explains why the decoder needs a mask in training. Take one question from the "
        "room."
    ),
)
TRAINING = Lead(
    lesson="15",
    stop="attention-map",
    ends_with_summary=False,
    skip_questions=("15.exit.attention_map", "15.exit.same_output"),
    skip_if_late="loop",
    note="Read the loop together before anybody starts it. Start the training together, and talk while it runs; "
    "for-you/notes.html suggests what to say. If a laptop has not reached step 100 after a minute, stop its training with ■ "
    "(the red KeyboardInterrupt is normal), remove the `#` in the cell below the reply, and run that cell: it loads the "
    "trained model.",
)
READING = Lead(
    lesson="15",
    start="attention-map",
    stop=EXIT,
    skip_if_late="change-source",
    skip_questions=("15.exit.whole_texts",),
)
TICKET = Talk(
    title="Exit ticket",
    minutes=7,
    slide="On your own, on paper: six minutes.\n\nIt is not a test. It shows me what is still unclear.",
    note="Everybody writes on their own for six minutes. Collect the tickets; the answers page says what a good answer "
    "contains.",
)
CLOSING = Talk(
    title="Closing round",
    minutes=3,
    slide=(
        "**What surprised you?** Two or three of you: one sentence each.\n\nAt home, in the folder that contains .venv:\n\n"
        f"{opened('my-course')}\n\nIt contains all the lessons, and the Build, where you write a Transformer yourself. Your "
        "work stays in `for-learners`."
    ),
    note=(
        "Ask two or three people for one sentence: what surprised you today? Explain how to continue at home; the command "
        "is on the slide. Write the course's address (in the letter, the [ADDRESS]) on the board."
    ),
)
CLOSING_WITH_CARD = replace(CLOSING, note=f"{CLOSING.note} Hand out the card of shapes and symbols.")
