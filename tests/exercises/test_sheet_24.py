"""Sheet 24: its numbers are those of the table."""

import re

import numpy as np

from transformer_course import course
from transformer_course.exercises import catalogue
from transformer_course.experiments.scaling import flops


def test_the_table_computes_its_arithmetic():
    text = course.sheet("24").path.read_text(encoding="utf-8")
    rows = re.findall(r"\| ([\d.]+) billion \| ([\d.]+) (billion|trillion) \| ([\d.]+) \| [\d.]+% \|(.*?)\|", text)
    assert len(rows) == 3
    for parameters, tokens, unit, per_parameter, arithmetic in rows:
        n, d = float(parameters) * 1e9, float(tokens) * {"billion": 1e9, "trillion": 1e12}[unit]
        assert f"{d / n:.2g}" == per_parameter
        expected = catalogue()["bigger.verdict"].right["value"] if not arithmetic.strip() else float(arithmetic)
        np.testing.assert_allclose(flops(n, d) / 1e23, expected)
