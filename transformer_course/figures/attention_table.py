"""Attention weights as an HTML table. The browser draws its text, so it can show scripts that matplotlib has no font for."""

import html
from collections.abc import Sequence

from .style import WEIGHT, array

VISIBLE = 0.05  # smaller weights stay blank, or a long sentence becomes a wall of numbers
# As a transparent colour, it is stronger for larger weights on a light and on a dark page. At 85%, black and white text both
# have a contrast above 4.5 on it.
PURPLE, STRONGEST = ",".join(map(str, bytes.fromhex(WEIGHT[1:]))), 0.85
CELL = "text-align:center;padding:2px 5px;min-width:1.6em"
LABEL = "text-align:right;padding:2px 8px 2px 0;font-weight:normal"


def attention_table(weights, rows: Sequence[str], columns: Sequence[str], glosses: Sequence[str], caption: str) -> str:
    """Return attention weights (n, m) as an HTML table with a row per key and a column per query, in percent.

    ``rows`` labels the n queries and ``columns`` the m keys, as in `heatmap`, but the table is transposed, because keys are
    words and queries single characters. Each character's gloss stands below it. Weights below 5 % are left blank.
    """
    weights = array(weights)
    head = "".join(
        f'<th scope="col" style="{CELL};font-weight:normal"><span style="font-size:1.3em">{html.escape(row)}</span>'
        f'<br><span style="font-size:.8em">{html.escape(gloss)}</span></th>'
        for row, gloss in zip(rows, glosses, strict=True)
    )
    body = "".join(
        f'<tr style="background:none"><th scope="row" style="{LABEL}">{html.escape(column)}</th>'
        f"{''.join(_cell(weight) for weight in weights[:, key])}</tr>"
        for key, column in enumerate(columns)
    )
    return (
        f'<div style="padding:.4em 0">{html.escape(caption)}</div>'
        f'<table aria-label="{html.escape(caption)}" style="border-collapse:collapse;margin:0">'
        f'<tr style="background:none"><td></td>{head}</tr>{body}</table>'
    )


def _cell(weight: float) -> str:
    if weight < VISIBLE:
        return "<td></td>"
    return f'<td style="{CELL};background:rgba({PURPLE},{STRONGEST * weight:.2f})">{100 * weight:.0f}</td>'
