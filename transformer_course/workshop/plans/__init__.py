"""The workshops as data: what is led and practised when, what is left out, and where each lesson stops.

Parts of lessons are named by the ids of their headings. Minutes are for a group: they leave time for the lesson's text, for
the votes and for the exercises.
"""

from difflib import get_close_matches

from ..sessions import Plan
from .after_pretraining import AFTER_PRETRAINING
from .day import DAY
from .half_day import HALF_DAY
from .two_days import TWO_DAYS

PLANS = {plan.name: plan for plan in (HALF_DAY, DAY, TWO_DAYS, AFTER_PRETRAINING)}


class UnknownPlan(LookupError):
    """There is no such plan; the message lists those that exist."""


def chosen(name: str) -> Plan:
    """Return the plan of that name. Raises UnknownPlan."""
    if name in PLANS:
        return PLANS[name]
    near = get_close_matches(name, PLANS, 1, cutoff=0.5)
    suggestion = f" Did you mean {near[0]}?" if near else ""
    raise UnknownPlan(f"There is no plan {name!r:.80}; choose {', '.join(list(PLANS)[:-1])} or {list(PLANS)[-1]}.{suggestion}")
