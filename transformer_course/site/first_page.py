"""The site's first page: what you will have, something to drag, what the models of the Build wrote, and where to start."""

import json
from dataclasses import dataclass
from html import escape
from pathlib import Path

from transformer_course import course, explorables
from transformer_course.authoring import lesson_table
from transformer_course.experiments.build_ladder import GUESSING

from .model_map import model_map

WRITTEN = Path(__file__).parent / "written.json"  # python -m tools.written

PAGE = """\
# Write your own language model

<p class="lead">At the end of this course you have a Transformer that you wrote yourself, part by part, and trained on your own
laptop until it writes.</p>

<p class="start" id="start"><a href="notebooks/00_start_here.html">Start</a> <a href="#install">Install</a></p>

**Try this first.** In *attention*, the heart of a Transformer, every word takes something from every word. Here is how much
*red* takes from each. **Drag *car* to the right: can you get *red* to take more than {goal} from it?** (You may move *red*
too.)

```{{raw}} html
{explorable}
```

## From noise to sentences

Part by part your model gets better. Before training it knows nothing. After each of these stages of the Build, it has read the
same text, Python's documentation, and continues *{start}*:

```{{raw}} html
{samples}
```

The last one runs here too, in your browser. Give it a beginning, and see what else it could have written at each place:

{written_here}

All of this comes from one run, and nothing was picked. The bits say how surprised a model is by each next character of a text
that it has never seen: {guessing:.1f} if it took all characters for equally likely, and fewer the better it predicts. (The
model that you train in lesson 00, without knowing yet what is inside, has {first:.2f}. In B4, yours overtakes it.) Even the
last sentences mean little, because model and text are small. After the Build, [your code runs
GPT-2](exercises/GPT2_writes_with_your_code.ipynb), a model of the same kind that is 110 times as large.

## Your path

Choose one, and the list of pages and the links from page to page follow it. You can change it at any time, on any page.

```{{raw}} html
{paths}
```

All of them start with [lesson 00](notebooks/00_start_here.ipynb), {minutes} minutes, or come after one that does. Here you can
read every lesson with its results, and predictions work: choose an answer, and the result appears. You need Python, NumPy
arrays and school mathematics, but no machine learning; [a half-hour test](docs/prerequisites.md) tells you what to read first.

## Install

To train models and have exercises checked, you need the course on your computer. This site does not contain it: ask whoever
gave you the site for the course in one of these forms, and open a terminal.

* **The address of its repository:** `git clone` it, then `cd transformer-course` and `make lab`.
* **Its ZIP file:** unpack it. In the folder that contains `README.md`, run `make lab`.
* **Its wheel,** a file whose name ends in `.whl`: run `pip install` with its name, then `transformer-course lab`.

JupyterLab opens with lesson 00, and ten minutes later you have trained your first model. (Windows, or no `make`: see
[installation](docs/install.md).)

To teach with it, there are slides for <a href="slides/half-day.html">half a day</a>, <a href="slides/day.html">a day</a>,
<a href="slides/two-days.html">two days</a>, or two hours <a href="slides/after-pretraining.html">after pretraining</a>, with
advice on [how to lead a workshop](docs/instructors.md), and sheets that are graded [by one command](docs/grading.md).

## What you build

Every part of the model has a stage in which you write it. Choose one to see how:

```{{raw}} html
{map}
```

## The lessons

{table}
"""
MODEL = """\
```{{raw}} html
<details class="model" ontoggle="this.querySelector('iframe').src ||= '{top}model.html'">
<summary>Load the model (less than 2 MB), and let it write</summary>
<iframe title="The model of stage B8, trained longer"></iframe>
</details>
```"""
SAMPLE = """\
<li>
<p>{label} <b class="bits" style="--bits: {bits:.2f}">{bits:.2f} bits</b></p>
<p class="text"><span>{start}</span>{text}</p>
</li>"""
CARD = """\
<label><input type="radio" name="path" value="{id}"> <b>{title}</b> <small>{duration}</small> <span>{end}</span></label>"""
FIRST = "00"  # the lesson that trains a model before it explains one
TOKENS, NAMES, GOAL = [[1, 0], [0, 1], [1, 1]], ["red", "car", "orange"], 0.9  # the tokens are those of lesson 02


@dataclass(frozen=True)
class Sample:
    """What one model wrote after ``start``, and its bits per character on held-out text."""

    source: str  # the stage that trains it, or lesson 00; empty before training
    model: str
    bits: float
    start: str
    text: str


def samples() -> list[Sample]:
    """Return what the models of the Build wrote in one run, from the worst to the best."""
    return [Sample(**each) for each in json.loads(WRITTEN.read_text(encoding="utf-8"))]


def first_page() -> str:
    """Return the page in Markdown, whose links lead to the sources of other pages."""
    ladder = [sample for sample in samples() if sample.source != FIRST]
    cards = (
        CARD.format(id=each.id, title=each.title, duration=each.duration, end=each.end) for each in course.learning_paths()
    )
    return PAGE.format(
        explorable=explorables.drag_tokens(TOKENS, NAMES, goal=GOAL)._repr_html_(),
        goal=GOAL,
        start=ladder[0].start,
        samples="\n".join(["<ol class='written'>", *map(_shown, ladder), "</ol>"]),
        written_here=MODEL.format(top=""),
        guessing=GUESSING[0],
        first=next(sample.bits for sample in samples() if sample.source == FIRST),
        paths="\n".join(["<fieldset class='paths'><legend>Your path</legend>", *cards, "</fieldset>"]),
        minutes=course.lesson(FIRST).minutes,
        map=model_map(),
        table=lesson_table.table(),
    )


def _shown(sample: Sample) -> str:
    label = sample.model
    if sample.source:
        label = f'<a href="{Path(course.stage(sample.source).link).with_suffix(".html")}">{sample.source}</a>: {label}'
    text = "".join(f"{escape(line)}<br>" for line in sample.text.split("\n")).removesuffix("<br>")
    return SAMPLE.format(label=label, bits=sample.bits, start=sample.start, text=text)
