"""What the tests of workshops share: the plans to test, and the text that a reader sees on a page."""

import html
import re

import pytest

from transformer_course.exercises.markup import marked
from transformer_course.workshop.plans import PLANS
from transformer_course.workshop.sessions import Plan

EACH = pytest.mark.parametrize("plan", PLANS.values(), ids=list(PLANS))
LONG = [pytest.param(plan, marks=pytest.mark.slow) for name, plan in PLANS.items() if name != "half-day"]
EACH_WRITTEN = pytest.mark.parametrize("plan", [PLANS["half-day"], *LONG], ids=lambda plan: plan.name)  # in its folder


def of(plan: Plan, kind: type) -> list:
    """The items of a plan that are of this kind."""
    return [item for item in plan.items if isinstance(item, kind)]


def visible(page: str) -> str:
    """The visible text of a page, without whitespace."""
    text = re.sub(r"<(style|title)>.*?</\1>|<[^>]*>", "", page, flags=re.DOTALL)
    return re.sub(r"\s+", "", html.unescape(text))


def visible_marked(text: str) -> str:
    """The visible text of a reply or a diagnosis, without whitespace."""
    return visible(marked(text))


def flat(text: str) -> str:
    """A text without whitespace and backticks."""
    return re.sub(r"\s+", "", text.replace("`", ""))
