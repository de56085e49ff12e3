"""Sessions that more than one plan has."""

from ..sessions import FINAL_QUESTIONS, Break, Lead, Pause, Practise, Talk

PAPER_PAGE, SHAPES_CARD = "02_self_attention_by_hand", "shapes_and_symbols"  # in docs/paper

START = Lead(
    lesson="00",
    minutes=15,
    cut=("The map", "Your progress"),
    stop="Six questions before you set off",
    skip_if_late="How an exercise works: answer, check",
    ends_with_summary=False,
    note="Everybody opens the lesson and runs its first cells. If a laptop fails, its owner joins a neighbour or uses a page "
    "from if-a-laptop-fails. Practise once how the room answers: everybody commits to a guess, then all run the cell.",
)
BY_HAND = Lead(
    lesson="02",
    minutes=60,
    stop=FINAL_QUESTIONS,
    skip_if_late="In print",
    note="Use the printed page alongside the lesson: pairs compute the scores, exponentials and weights of token 1 before "
    "the lesson shows them. The last part of the page replaces the lesson's own question about the published calculation.",
    extra_minutes=5,
)
STRETCH = Pause(title="Stand up, windows open", minutes=5)
SOFTMAX = Practise(
    lesson="02",
    minutes=30,
    exercises=("attention.by_hand", "attention.softmax"),
    if_time=("attention.hidden_fault", "attention.wrong_row"),
    note="First the exercise by hand, all together. Then softmax in pairs: one types, the other says what to type.",
)
MORNING = (START, BY_HAND, STRETCH, SOFTMAX, Break(title="Break", minutes=15))
SCALE_PRACTISED = (
    Practise(lesson="03", minutes=20, exercises=("attention.shapes", "attention.scaled_dot_product")),
    Break(title="Lunch", minutes=60),
)


def masks(minutes: int, skip_if_late: str, stop: str = FINAL_QUESTIONS, skip_questions: tuple[str, ...] = ()) -> Lead:
    return Lead(
        lesson="04",
        minutes=minutes,
        stop=stop,
        skip_if_late=skip_if_late,
        skip_questions=skip_questions,
        note="In “The other place for a mask”, let the room argue before it runs the cell: the zeros in the table are in the "
        "right places, but the future still leaks in.",
    )


MASKS_WITH_BOTH_CALLS = masks(40, skip_if_late="Two ways to call attention")


def heads(minutes: int) -> Lead:
    return Lead(
        lesson="05",
        minutes=minutes,
        stop=FINAL_QUESTIONS,
        skip_if_late="What does a head cost?",
        note="The task for one head and for two is the heart of this lesson. Give it all the time it needs.",
    )


SECOND_SITTING = "Where does it look?"


def training(minutes: int) -> Lead:
    return Lead(
        lesson="15",
        minutes=minutes,
        stop=SECOND_SITTING,
        skip_if_late="A task and an untrained model",
        ends_with_summary=False,
        skip_questions=("15.exit.attention_map", "15.exit.same_output"),
        note="First show the map of lesson 00, which was left out earlier ([show "
        "it](if-a-laptop-fails/00_start_here.html#the-map)): where the parts of this workshop fit in, and which lessons "
        "teach the rest. Start the training together, and talk while it runs.",
        extra_minutes=3,
    )


READING = Lead(
    lesson="15",
    minutes=25,
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
