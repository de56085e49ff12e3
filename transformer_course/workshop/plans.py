"""The plans as data: what is led and practised when, what is left out, and where a lesson stops when its time is up.

Minutes are for a room that is led; they leave the time that the lesson's words and the exercises' own minutes ask for.
"""

from dataclasses import replace
from difflib import get_close_matches

from .sessions import Break, Lead, Pause, Plan, Practise, Talk

SECOND_SITTING = "Second sitting: read what it has learned"
END = "Before you go"
BY_HAND_ON_PAPER = "02_self_attention_by_hand"
CARD = "shapes_and_symbols"
MOVED = "Where attention moves the tokens"
ALL_ROWS = "All three rows at once"
STRETCH = Pause(title="Stand up, windows open", minutes=5)
START = Lead(
    lesson="00",
    minutes=15,
    cut=("The map", "Your progress"),
    stop="Six questions before you set off",
    late="How an exercise works: answer, check",
    closes=False,
    note="Everybody opens the lesson and runs its first cells; who cannot gets a neighbour, or a page of if-a-laptop-fails. "
    "Practise once how the room answers: everybody commits, then all run.",
)
TICKET = Talk(
    title="Exit ticket",
    minutes=10,
    note="Everybody writes for six minutes, alone. Collect the pages; the answers page says what good answers hold.",
)


BY_HAND = Lead(
    lesson="02",
    minutes=60,
    stop=END,
    late=MOVED,
    note="The printed page beside it: scores, exp and weights of token 1 in pairs, before the lesson shows them; its last "
    "part in place of the lesson's own question about the published calculation.",
    aside=5,
)


def masks(minutes: int, stop: str, late: str) -> Lead:
    return Lead(
        lesson="04",
        minutes=minutes,
        stop=stop,
        late=late,
        not_asked=("A program uses",),
        note="In “The other place for a mask”, let the room argue before it runs: a table with zeros in the right places, and "
        "the future still leaks.",
    )


def heads(minutes: int) -> Lead:
    return Lead(
        lesson="05",
        minutes=minutes,
        cut=("Is it a law?",),
        stop="A mask, and heads",
        late="What does a head cost?",
        not_asked=('"One head cannot',),
        note="The task for one head and for two carries this lesson; leave it its time.",
    )


def training(minutes: int, late: str, cut: tuple[str, ...] = ()) -> Lead:
    return Lead(
        lesson="15",
        minutes=minutes,
        cut=cut,
        stop=SECOND_SITTING,
        late=late,
        closes=False,
        not_asked=("In a map",),
        note="First the map of lesson 00, which was passed over ([show it](if-a-laptop-fails/00_start_here.html#the-map)): "
        "where the parts of this workshop stand in the whole, and where the others are taught. Start the training together, "
        "and talk while it runs.",
        aside=3,
    )


LATE = "attention.late_mask"
COUNTED = "The paper's model, counted"
TWO_WAYS = "Two ways to call attention"
READING = Lead(
    lesson="15",
    minutes=25,
    start=SECOND_SITTING,
    stop=END,
    late="What lies close in the table?",
    not_asked=("A translator",),
)
SOFTMAX = Practise(
    lesson="02",
    minutes=30,
    exercises=("attention.by_hand", "attention.softmax"),
    if_time=("attention.hidden_fault", "attention.wrong_row"),
    note="By hand first, all together; then softmax in pairs, one types and the other says what.",
)


MORNING = (START, BY_HAND, STRETCH, SOFTMAX, Break(title="Break", minutes=15))  # of a day, and of two
SCALE_PRACTISED = (
    Practise(lesson="03", minutes=20, exercises=("attention.shapes", "attention.scaled_dot_product")),
    Break(title="Lunch", minutes=60),
)


HALF_DAY = Plan(
    name="half-day",
    title="Half a day: attention by hand, masks, and a model that you train",
    whom="People who write Python and have met a NumPy array, and want to know what attention does. One function of one "
    "line is written, and the NumPy that it needs is read together first. Three and a half hours, breaks among them. No "
    "mathematics beyond exp and the dot product.",
    paper=(BY_HAND_ON_PAPER,),
    items=(
        START,
        replace(
            BY_HAND,
            minutes=50,
            cut=(MOVED,),
            unsaid=(ALL_ROWS,),
            late="Three slips in a published calculation",
            not_asked=("Token 1 gives",),
            closes=False,
            closing="**What does one token take from the others?** A share of each one's vector, its own included: the shares "
            "are the softmax of its query's dot products with all keys, so whoever matches one point better gives e times as "
            "much.",
        ),
        STRETCH,
        Practise(
            lesson="02",
            minutes=17,
            exercises=("attention.by_hand", "attention.zero_token", "attention.wrong_row"),
            note="Pencil and a pocket calculator, in pairs: no program is written yet. Who has done it all reads “All three "
            "rows at once” in the lesson, and then writes softmax (3).",
        ),
        Break(title="Break", minutes=15),
        masks(35, stop=TWO_WAYS, late="Empty places"),
        Practise(
            lesson="04",
            minutes=23,
            exercises=("attention.causal_by_hand", "attention.causal_mask", LATE),
            note="Three short ones: on paper, in one line, and an input on which masking late goes wrong.",
        ),
        Break(title="Break", minutes=10),
        training(30, late="A small one, and what it has never seen", cut=(COUNTED,)),
        TICKET,
    ),
)

DAY = Plan(
    name="day",
    title="A day: attention and all its parts, and two models trained and read",
    whom="People who write Python with NumPy and want to understand a Transformer's attention well enough to build and to "
    "check it. Seven and three quarter hours, breaks and lunch among them.",
    paper=(BY_HAND_ON_PAPER, CARD),
    items=(
        *MORNING,
        Lead(
            lesson="03",
            minutes=40,
            cut=("Three sentences, put to the test",),
            stop="Does training suffer?",
            late="What large scores do to softmax",
            note="Without the training runs. Say what they found: large first scores cost steps, and were no wall.",
        ),
        *SCALE_PRACTISED,
        masks(40, stop="A very low number in place of −∞", late=TWO_WAYS),
        Practise(lesson="04", minutes=25, exercises=("attention.causal_mask", "attention.padding_mask"), if_time=(LATE,)),
        Break(title="Break", minutes=10),
        heads(40),
        Practise(lesson="05", minutes=15, exercises=("heads.split",), if_time=("heads.merge",)),
        Break(title="Break", minutes=10),
        training(35, late=COUNTED),
        Break(title="Break", minutes=10),
        READING,
        TICKET,
    ),
)

TWO_DAYS = Plan(
    name="two-days",
    title="Two days: from three tokens by hand to a Transformer that is trained, read, and doubted",
    whom="People who will work with Transformers, or teach them: Python with NumPy, and what a gradient is. Two days of six "
    "and a half to seven and three quarter hours, breaks and lunch among them.",
    paper=(BY_HAND_ON_PAPER, CARD),
    items=(
        *MORNING,
        Lead(
            lesson="03",
            minutes=55,
            cut=("Three sentences, put to the test",),
            stop=END,
            late="Does training suffer?",
        ),
        *SCALE_PRACTISED,
        masks(40, stop="A very low number in place of −∞", late=TWO_WAYS),
        Practise(lesson="04", minutes=30, exercises=("attention.causal_mask", "attention.padding_mask", LATE)),
        Break(title="Break", minutes=15),
        heads(40),
        Practise(lesson="05", minutes=25, exercises=("heads.split", "heads.merge")),
        Break(title="Break", minutes=10),
        Lead(
            lesson="06",
            minutes=35,
            stop="One vector, two readers",
            late="And back",
            not_asked=("Two probes read", "A probe reads"),
            note="What can be read out of one vector, the lesson's second half, is left for home.",
        ),
        TICKET,
        Break(title="Until tomorrow"),
        Talk(
            title="What is left of yesterday?",
            minutes=10,
            note="Questions of yesterday's lessons from questions.html, five of them, without notebooks; those that the exit "
            "tickets had most trouble with.",
        ),
        Lead(
            lesson="10",
            minutes=35,
            stop="Is it only the gradient?",
            late="What note 2 leaves out",
            not_asked=("Somebody mends",),
            note="Feed-forward networks and norms (lessons 09 and 11) are named here and left for home.",
        ),
        Practise(lesson="10", minutes=10, exercises=("residual.by_hand",)),
        Break(title="Break", minutes=10),
        Lead(
            lesson="13",
            minutes=45,
            stop="Note 5's table, rebuilt from the code",
            late="Three kinds of attention in one model",
        ),
        Practise(lesson="13", minutes=15, exercises=("decoder.reach", "decoder.leak")),
        Break(title="Break", minutes=10),
        Lead(lesson="14", minutes=45, stop="Padding that counts", late="A check before the first step", closes=False),
        Practise(lesson="14", minutes=15, exercises=("training.by_hand", "training.shift")),
        Break(title="Lunch", minutes=60),
        training(45, late=COUNTED),
        Practise(
            lesson="15",
            minutes=15,
            exercises=("training.rare",),
            note="In groups of three: plan the run that tells short from rare. The check answers to a plan.",
        ),
        Break(title="Break", minutes=15),
        READING,
        Lead(
            lesson="20",
            minutes=40,
            stop="In a trained model",
            late="The same test for a GPT",
            closes=False,
            not_asked=("A head was",),
            note="The doubt belongs to the end: what a map of attention shows, and what it does not.",
        ),
        TICKET,
    ),
)

PLANS = {plan.name: plan for plan in (HALF_DAY, DAY, TWO_DAYS)}


class UnknownPlan(LookupError):
    """A plan that there is not; the message names those that there are."""


def chosen(name: str) -> Plan:
    """The plan of that name. Raises UnknownPlan."""
    if name in PLANS:
        return PLANS[name]
    near = get_close_matches(name, PLANS, 1, cutoff=0.5)
    meant = f" Did you mean {near[0]}?" if near else ""
    raise UnknownPlan(f"There is no plan {name!r:.80}; choose {', '.join(list(PLANS)[:-1])} or {list(PLANS)[-1]}.{meant}")
