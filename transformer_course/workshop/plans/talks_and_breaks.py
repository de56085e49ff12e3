"""Sessions that more than one plan has."""

from dataclasses import replace

from transformer_course.course.part import EXIT

from ..activity import EXPLAIN, PAPER
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
    minutes=9,
    does={EXPLAIN: 3},
    slide="*The trophy does not fit into the suitcase because it is too big.*\n\nWhat does *it* refer to? And if the last "
    "word were *small*?\n\nTo understand one word, a model needs the others. **Attention** is how it draws on them."
    "\n\nTell a neighbour: what would you like to be able to explain when you go home?",
    note=(
        "Before you start, put a set of voting cards at each place. Say who you are. Read the sentence on the slide. "
        "Neighbours decide what *it* refers to: the trophy. With *small*, it refers to the suitcase: changing one word "
        "changes the meaning of another. Then everybody tells a neighbour their answer to the last question on the "
        "slide.\n\nNext, show the questions that this workshop will answer.\n\nThen show [the "
        "map](for-you/slides.html#/the-map): nearly every large language model is built from these boxes, and only the "
        "three attention boxes let one word take anything from another. Point at these three: the workshop explains them, "
        "and by the end everybody will have trained a model that has every box. Finally, explain how you will work: guess, "
        "run, explain to each other. Wrong guesses are welcome. The lessons call this map “the map from lesson 00”. They "
        "sometimes refer to others that this workshop leaves out; nobody needs those today."
    ),
)
START = Lead(
    lesson="00",
    cut=("train-one", "map", "path", "progress"),
    stop="ready",
    ends_with_summary=False,
    note="Everybody opens the lesson and runs its first cells. If a laptop fails, its owner joins a neighbour or uses a page "
    "from if-a-laptop-fails. Practise answering once: everybody commits to a guess, then everybody runs the cell.",
    extra_minutes={"title": 5},
    skip_if_late="exercise",
)
BY_HAND = Lead(
    lesson="02",
    cut=("in-print",),
    stop=EXIT,
    skip_if_late="missing-row",
    skip_questions=("02.exit.row_sums", "02.exit.returned_weight"),
    paper_before="average",
    paper="Sheet A, in pairs: fill in the rows of *red* and *orange*.\n\nEight minutes, with the screens down.\n\nFinished "
    "early? Part 5: draw them.",
    note="Hand out sheet A before “The weighted average” and give pairs eight minutes for the rows of *red* and *orange*, "
    "with the screens down (its part 5 is for pairs who finish early, or for home). Then run the section together and "
    "compare; its “Your turn” is the row of *orange* again, so skip it. Sheet B is for pairs who finish the exercises early, "
    "or to take home; the last line of “To take away” is about it.",
    extra_minutes={"average": 4},
    explain={
        "all-rows": (
            3,
            "With a neighbour: one points at a name in the code, the other says what it is.\n\nThen, in the heat map, find "
            "the rows that you computed by hand.",
        )
    },
)
STRETCH = Pause(title="Stand up and open the windows", minutes=5)
SOFTMAX = Practise(
    lesson="02",
    exercises=("attention.softmax",),
    if_time=("attention.by_hand", "attention.wrong_row"),
    note="In pairs: one types, the other says what to type. The exercise by hand, for those who finish early, needs the "
    "powers of e at the top of sheet A.",
)
MORNING = (OPENING, START, BY_HAND, Break(title="Break", minutes=15), SOFTMAX, STRETCH)
SCALE_PRACTISED = (
    Practise(
        lesson="03",
        exercises=("attention.shapes", "attention.scaled_dot_product"),
        if_time=("attention.score_spread", "attention.one_way"),
    ),
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
    does={PAPER: 4, EXPLAIN: 3},
    shows_map=True,
    slide="**Loss:** minus the logarithm of the probability that the model gave to the correct next token.\n\n**Teacher "
    "forcing:** in training, the decoder is given the correct tokens so far.\n\n**On paper, in "
    "pairs (4 minutes).** A model gave three correct tokens the probabilities 1, 1/2 and 1/100. What is the loss of each, and "
    "their mean? (On a calculator: −ln.)\n\n**Tell a neighbour (3 minutes).** What does cross-attention get from each side? "
    "Why does the decoder need a mask in training?",
    note=(
        "**The model (3 minutes).** Show [the map](for-you/slides.html#/the-map) again, and point at each box as you name it. "
        "“On the left is the **encoder**. It reads the source, such as *three hundred*, and every position can look at every "
        "other. On the right is the **decoder**. It writes the target, such as 三百, one token at a time, and its "
        "self-attention has the mask. Between them is **cross-attention**: the queries come from the decoder, and the keys "
        "and values from the encoder. So while the decoder writes, it can look at the source. All other boxes work on one "
        "token at a time, and each has a lesson of its own.”\n\n**Training (2 minutes).** Show the next slide. “At each "
        "position, the model gives a probability to every token it knows. The **loss** is minus the logarithm of the "
        "probability of the correct one, and each step of the training changes every number in the model a little, so that "
        "the loss falls. Meanwhile the decoder is given the correct tokens so far, not its own: this is **teacher forcing**. "
        "So it learns from all positions at once, and the mask keeps each position from seeing its own answer.” These five "
        "names are enough for today. Lesson 15 uses more; if somebody asks, the glossary in `for-learners` has each of them "
        "in one sentence.\n\n**On paper (4 minutes).** Pairs compute the three losses: 0, 0.69 and 4.61, with the mean 1.77. "
        "Ask: which of the three tokens does the next step work on most? (The third: one bad guess outweighs the "
        "others.)\n\n**Tell a neighbour (3 minutes).** One explains what cross-attention gets from each side, and the other "
        "explains why the decoder needs a mask in training. Take one question from the room."
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
    skip_if_late="remove-heads",
    skip_questions=("15.exit.whole_texts",),
)
TICKET = Talk(
    title="Exit ticket",
    minutes=7,
    does={PAPER: 6},
    slide="On your own, on paper: six minutes.\n\nIt is not a test. It shows me what is still unclear.",
    note="Everybody writes on their own for six minutes. Collect the tickets; the answers page says what a good answer "
    "contains.",
)
CLOSING = Talk(
    title="Closing round",
    minutes=3,
    does={EXPLAIN: 2},
    slide=(
        "**What surprised you?** Tell a neighbour in one sentence; then two or three of you tell the room.\n\nAt home, in "
        "the folder that contains .venv:\n\n"
        f"{opened('my-course')}\n\nIt contains all the lessons, and the Build, where you write a Transformer yourself. Your "
        "work stays in `for-learners`."
    ),
    note=(
        "Everybody tells a neighbour, in one sentence, what surprised them; then two or three tell the room. Explain how to "
        "continue at home; the command is on the slide. Write the course's address (in the letter, the [ADDRESS]) on the "
        "board."
    ),
)
CLOSING_WITH_CARD = replace(CLOSING, note=f"{CLOSING.note} Hand out the card of shapes and symbols.")
