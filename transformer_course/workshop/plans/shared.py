"""Sessions that more than one plan has."""

from ..sessions import FINAL_QUESTIONS, Break, Lead, Pause, Practise, Talk

PAPER_PAGE, PAPER_CHECK = "02_self_attention_by_hand", "02_is_it_right"  # in docs/paper
SHAPES_CARD = "shapes_and_symbols"
CARDS = "voting_cards"

OPENING = Talk(
    title="Opening: why attention?",
    minutes=15,
    note="Say who you are, and ask everybody to tell a neighbour what they would like to be able to explain when they go "
    "home. Then show the map ([show it](if-a-laptop-fails/00_start_here.html#the-map)): nearly every large language model is "
    "built from these boxes, and only the attention boxes let one word learn anything from another. Point at the boxes that "
    "this workshop opens. Last, explain how the day works: guess, run, explain to each other. Wrong guesses are welcome.",
)
START = Lead(
    lesson="00",
    cut=("The map", "Your progress"),
    stop="Six questions before you set off",
    skip_if_late="How an exercise works: answer, check",
    ends_with_summary=False,
    note="Everybody opens the lesson and runs its first cells. If a laptop fails, its owner joins a neighbour or uses a page "
    "from if-a-laptop-fails. Practise once how the room answers: everybody commits to a guess, then all run the cell.",
)
BY_HAND = Lead(
    lesson="02",
    cut=("In print",),
    stop=FINAL_QUESTIONS,
    skip_if_late="What the matrices decide",
    note="Use sheet A alongside the lesson: pairs compute the scores, exponentials and weights of token 1 before the lesson "
    "shows them. Hand out sheet B only after “The row that is missing”.",
    extra_minutes=5,
)
STRETCH = Pause(title="Stand up, windows open", minutes=5)
SOFTMAX = Practise(
    lesson="02",
    exercises=("attention.by_hand", "attention.softmax"),
    if_time=("attention.wrong_row",),
    note="First the exercise by hand, all together. Then softmax in pairs: one types, the other says what to type.",
)
MORNING = (OPENING, START, BY_HAND, STRETCH, SOFTMAX, Break(title="Break", minutes=15))
SCALE_PRACTISED = (
    Practise(lesson="03", exercises=("attention.shapes", "attention.scaled_dot_product")),
    Break(title="Lunch", minutes=60),
)


def masks(stop: str = FINAL_QUESTIONS, skip_if_late: str = "") -> Lead:
    return Lead(
        lesson="04",
        stop=stop,
        skip_if_late=skip_if_late,
        note="In “The other place for a mask”, let the room argue before it runs the cell: the zeros in the table are in the "
        "right places, but the future still leaks in.",
    )


MASKS_AND_PADDING = masks(stop="Two ways to call attention")


def heads(stop: str = FINAL_QUESTIONS, skip_if_late: str = "") -> Lead:
    return Lead(
        lesson="05",
        stop=stop,
        skip_if_late=skip_if_late,
        note="The task for one head and for two is the heart of this lesson. Give it all the time it needs.",
    )


SECOND_SITTING = "Where does it look?"
TRAINING = Lead(
    lesson="15",
    stop=SECOND_SITTING,
    ends_with_summary=False,
    skip_questions=("15.exit.attention_map", "15.exit.same_output"),
    note="Start the training together, and talk while it runs; for-you/notes.html has something to say. Where a laptop is too "
    "slow, stop its training with ■ and run the cell that loads the trained model.",
)
READING = Lead(
    lesson="15",
    start=SECOND_SITTING,
    stop=FINAL_QUESTIONS,
    skip_if_late="Change the source",
    skip_questions=("15.exit.whole_texts",),
)
TICKET = Talk(
    title="Exit ticket",
    minutes=10,
    note="Everybody writes alone for six minutes. Collect the tickets; the answers page says what a good answer contains.",
)
CLOSING = Talk(
    title="Closing round",
    minutes=5,
    note="Ask everybody for one sentence: what surprised you today? Say how the course goes on at home: the lessons that were "
    "left out, and the Build, in which you write a Transformer yourself. Leave the address of the course on the board.",
)
