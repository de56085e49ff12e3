"""The report of ``transformer-course doctor``: will the course run on this computer?

Learners send the report to their instructor, so it contains no names of users or computers.
"""

import re
from pathlib import Path

from .doctor_checks import CHECKS, REINSTALL, Finding, check_training
from .self_tests import last_line


def examine(folder: Path) -> list[Finding]:
    """Run all checks, with ``folder`` as the learner's folder. Takes about twenty seconds and never raises."""
    findings = []
    for check in CHECKS:
        try:
            findings += check(folder)
        except Exception as error:  # a computer can be in any state, so a check that fails is a finding like any other
            name = check.__name__.removeprefix("check_").replace("_", " ")
            result = f"could not be tested ({type(error).__name__}: {last_line(str(error))})"
            advice = f"First fix the other problems in this report. If there are none, {REINSTALL}."
            findings.append(Finding(name, result, advice, blocking=check is not check_training))
    return findings


def report(findings: list[Finding]) -> str:
    """Return the findings as lines of text. The first line says whether the course will run."""
    marks = [("!!" if finding.blocking else "!") if finding.advice else "" for finding in findings]
    lines = ["The course will not run here yet. See the lines marked !!" if "!!" in marks else "The course will run here."]
    for mark, finding in zip(marks, findings, strict=True):
        lines.append(f"{mark:2} {finding.name:11} {finding.result}")
        lines += [f"{'':14} {finding.advice}"] if finding.advice else []
    return _without_names("\n".join(lines))


def _without_names(text: str) -> str:
    """Replace the home folder with ~, and the user's name in other paths with USER."""
    end = r"(?![\w.-])"
    if not (name := Path.home().name):
        return text
    for home in (Path.home(), Path.home().resolve()):
        text = re.sub(re.escape(str(home)) + end, "~", text, flags=re.I)
    return re.sub(rf"(?<=[/\\]){re.escape(name)}{end}", "USER", text, flags=re.I)
