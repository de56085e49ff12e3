"""Questions, replies and diagnoses as HTML: they are plain text with `code`, *emphasis*, **strong** words and $formulas$."""

import html
import re

_MARK = re.compile(
    r"""
    `(?P<code>[^`]+)`
    | (?P<formula>\$[^$]+\$)                                                  # left as it is, for JupyterLab to typeset
    | (?<![\w*])\*\*(?P<strong>[^\s*`](?:[^*`]*[^\s*`])?)\*\*(?![\w*])
    | (?<![\w*])\*(?P<em>[^\s*`](?:[^*`]*[^\s*`])?)\*(?![\w*])
    """,
    re.VERBOSE,
)


def marked(text: str) -> str:
    """Convert text to HTML: backticks mark code, one asterisk emphasis, two asterisks strong words."""

    def element(mark: re.Match) -> str:
        tag = mark.lastgroup
        return mark[0] if tag == "formula" else f"<{tag}>{mark[tag]}</{tag}>"

    return _MARK.sub(element, html.escape(text, quote=False))


def linked(words: str, path: str) -> str:
    return f'<div style="margin-top:.3em"><a href="{html.escape(path)}">{html.escape(words)}</a></div>'
