"""The page that a learner reads."""

import html
import re

from reporting import EXERCISES, Page, graded, learner, missed, write

from transformer_course._util import paths
from transformer_course.exercises.exercise import Verdict


def test_what_did_not_run_is_told_from_what_was_wrong(tmp_path):
    reasons = ("missing", "ended", "timeout", "error", "value", "shape")
    results = graded(*(Verdict(False, reason, "No.") for reason in reasons))
    write(tmp_path, [(learner(), results)])
    page = Page(tmp_path / "feedback" / "anna.html")
    standings = re.findall(r"(did not run|timed out|not yet|passed),\s", page.text)
    assert standings == [*2 * ["did not run"], "timed out", "did not run", *2 * ["not yet"], "passed"]


def test_the_page_names_exercises_as_the_sheet_does_and_tells_which_file(tmp_path):
    half = missed(0.5)
    write(tmp_path, [(learner(changed=10**9), graded(half, missed()))])
    page = Page(tmp_path / "feedback" / "anna.html")
    sheet = (paths.ROOT / "exercises" / "02_sheet_self_attention_by_hand.ipynb").read_text("utf-8")
    headings = re.findall(r"(\d · [^\n]+)\n", page.text)
    assert len(headings) == 7
    assert all(f"## {heading} (" in sheet for heading in headings)
    assert re.search(
        r"from anna.ipynb, saved 2001-09-\d\d \d\d:\d\d \(UTC[+-]\d\d:\d\d\), graded by transformer-course \d", page.text
    )
    looks = [value for name, value in page.attributes if name == "class" and value in ("passed", "partly", "missed")]
    assert looks == ["partly"] * 2 + ["missed"] * 2 + ["passed"] * 10


def test_the_learners_own_code_stands_beside_the_verdict(tmp_path):
    answer = "def f(x):\n\tif x:\n\t\treturn '</pre><b>'\x1b[31m\n"
    write(tmp_path, [(learner(), graded(missed(), answers={EXERCISES[0].id: answer}))])
    source = (tmp_path / "feedback" / "anna.html").read_text("utf-8")
    (shown,) = re.findall(r"<summary>Your answer</summary>\s*<pre>(.*?)</pre>", source, re.DOTALL)
    assert html.unescape(shown) == "def f(x):\n    if x:\n        return '</pre><b>'"
