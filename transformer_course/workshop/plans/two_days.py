"""Two days: lessons 00, 02 to 05 and 13 to 15, and two stages of the Build as group projects: a head, and a model."""

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
        note="Ask five questions from yesterday's slides, with the notebooks closed. Choose those that caused the "
        "most trouble in the exit tickets.",
    ),
    Project(
        stage="B2",
        title="Group project: one attention head of your own",
        minutes=90,
        does={CODE: 70, EXPLAIN: 15},
        slide="In groups of three:\n\n* **55 minutes:** write the head, check it, and train it.\n* **15 "
        "minutes:** change one thing and train again: no scale, no mask, or `TextModel(…, add_input=False)`. First predict "
        "the bits per character (guessing among 96 characters: 6.6; bigram table: 3.66; lower is better).\n* **15 "
        "minutes:** each group tells the room, in one minute, what it predicted and what happened.",
        note=(
            "Begin with five minutes on nn.Module: open stage B1 in your own `my-course`, run its imports and “Your "
            "first module”, and show where the parameters are made and where `forward` uses them. The course supplies "
            "the parts that groups would have written in earlier stages. Explain the measure: **bits per character** "
            "are minus the logarithm, to base 2, of the probability of the correct character, averaged over the text. "
            "Guessing among 96 characters gives 6.6. The bigram table of B1, which predicts each character from the one "
            "before it, gives 3.66.\n\nAfter 40 minutes, groups whose head does not pass its check look at the "
            "solution, and train that. “Take the positions away” is for groups that finish early.\n\nTo change one "
            "thing, groups copy the cells that train and measure. For *no scale* and *no mask*, they change a line of "
            "their own `forward`; for *no input added*, they pass `add_input=False` to `TextModel`. They print the "
            "bits, but no sample of text, and do not call `ladder.record`. Give each change to several groups, and let "
            "one of them report in full.\n\n**What comes out** (600 steps, two seeds): the head gets about 3.35 bits "
            "per character. *No scale:* 3.7, worse than the bigram table, because with vectors of width 96 the scores "
            "are about ten times as large, and softmax picks a single token (lesson 03). *No input added:* 3.7, because "
            "an average alone blurs the current character. *No mask:* 0.07, because the head reads the character that "
            "it should predict. Save that one for last, and leave open what such a model would write: lesson 13 "
            "measures it."
        ),
    ),
    Break(title="Break", minutes=15),
    BRIDGE,
    Lead(
        lesson="13",
        stop=EXIT,
        skip_if_late="alignment",
    ),
    Practise(lesson="13", exercises=("decoder.reach", "decoder.leak")),
    Break(title="Lunch", minutes=60),
    Lead(
        lesson="14",
        stop=EXIT,
        skip_if_late="no-shift",
    ),
    Practise(lesson="14", exercises=("training.by_hand", "training.shift")),
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
