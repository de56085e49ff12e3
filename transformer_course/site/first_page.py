"""The site's first page: what you will have, something to drag, what the models of the Build wrote, and where to start."""

import json
from dataclasses import dataclass
from html import escape
from pathlib import Path

from transformer_course import course, explorables
from transformer_course.authoring import lesson_table
from transformer_course.course import Source
from transformer_course.experiments.build_ladder import GUESSING

from .model_map import model_map

WRITTEN = Path(__file__).parent / "written.json"  # python -m tools.written

PAGE = """\
# Write your own language model

<p class="lead">At the end of this course you have a Transformer that you wrote yourself, part by part, and trained on your own
laptop until it writes.</p>

<p class="start"><a href="#start">Start</a></p>

**Try this first.** In *attention*, the heart of a Transformer, every word takes something from every word. The row of *red*
shows how much it takes from each. Drag *car* to the right, and *red* takes more from it. **Can you get it to take more than
0.9?** (You may move *red* too.)

```{{raw}} html
{explorable}
```

## From noise to sentences

Part by part your model gets better. The first one below has learned nothing yet. The others were trained on the same text,
Python's documentation. Each had to continue *{start}*:

```{{raw}} html
{samples}
```

All of this comes from one run, and nothing was picked. The bits say how surprised a model is by each next character of a text
that it has never seen: {guessing:.1f} if it took all characters for equally likely, and fewer the better it predicts. Even the
last sentences mean little, because model and text are small. After the Build, [your code runs
GPT-2](exercises/GPT2_writes_with_your_code.ipynb), a model of the same kind that is 110 times as large.

## Start

**On your computer.** Open a terminal in the course's folder, a clone of its repository or the unpacked ZIP file:

```sh
cd transformer-course
make lab
```

JupyterLab opens with lesson 00, and ten minutes later you have trained your first model. (Windows, or no `make`: see
[installation](docs/install.md).)

**Here, without installing anything.** [Read lesson 00](notebooks/00_start_here.ipynb), about {minutes} minutes. All lessons
are here with their results, and predictions work: choose an answer, and the result appears. Exercises are checked only where
the course is installed.

You need Python, NumPy arrays and school mathematics, but no machine learning; [a half-hour test](docs/prerequisites.md) tells
you what to read first.

## Who is it for?

* **You, on your own:** the path *{path}* takes {duration}, in parts of at most an hour. [Lesson
  00](notebooks/00_start_here.ipynb#your-path) shows it, and the shorter and longer ones.
* **A workshop:** slides for <a href="slides/half-day.html">half a day</a>, <a href="slides/day.html">a day</a> or
  <a href="slides/two-days.html">two days</a>, and [how to lead one](docs/instructors.md).
* **A class that is graded:** sheets of exercises, with marks, feedback for each learner and common mistakes, [from one
  command](docs/grading.md).

## What you build

Every part of the model has a stage in which you write it. Choose one to see how:

```{{raw}} html
{map}
```

## The lessons

{table}
"""
SAMPLE = """\
<li>
<p><a href="{link}">{source}</a> · {model} <b class="bits" style="--bits: {bits:.2f}">{bits:.2f} bits</b></p>
<p class="text"><span>{start}</span>{text}</p>
</li>"""
TOKENS, NAMES = [[1, 0], [0, 1], [1, 1]], ["red", "car", "orange"]  # as in lesson 02


@dataclass(frozen=True)
class Sample:
    """What one model wrote after ``start``, and its bits per character on held-out text."""

    source: str  # the lesson or stage that trains it
    model: str
    bits: float
    start: str
    text: str


def samples() -> list[Sample]:
    """Return what the models of the Build wrote in one run, from the worst to the best."""
    return [Sample(**each) for each in json.loads(WRITTEN.read_text(encoding="utf-8"))]


def first_page() -> str:
    """Return the page in Markdown, whose links lead to the sources of other pages."""
    sources = {source.number: source for source in (*course.lessons(), *course.stages())}
    path = course.learning_paths()[0]
    return PAGE.format(
        explorable=explorables.drag_tokens(TOKENS, NAMES)._repr_html_(),
        start=samples()[0].start,
        samples="\n".join(["<ol class='written'>", *(_shown(sample, sources) for sample in samples()), "</ol>"]),
        guessing=GUESSING[0],
        minutes=sources["00"].minutes,
        path=path.title,
        duration=path.duration,
        map=model_map(),
        table=lesson_table.table(),
    )


def _shown(sample: Sample, sources: dict[str, Source]) -> str:
    source = sources[sample.source]
    name = f"Lesson {source.number}" if isinstance(source, course.Lesson) else f"Stage {source.number}"
    link = str(Path(source.link).with_suffix(".html"))
    text = "".join(f"{escape(line)}<br>" for line in sample.text.split("\n")).removesuffix("<br>")
    return SAMPLE.format(link=link, source=name, model=sample.model, bits=sample.bits, start=sample.start, text=text)
