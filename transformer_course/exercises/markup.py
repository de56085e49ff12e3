"""Replies and diagnoses as HTML: they are plain text, but for `code` and *emphasis*."""

import html
import re

_MARK = re.compile(r"`(?P<code>[^`]+)`|(?<![\w*])\*(?P<emphasis>[^\s*`](?:[^*`]*[^\s*`])?)\*(?![\w*])")


def marked(text: str) -> str:
    """Text as HTML, in which what stands in backticks is code, and what stands between asterisks emphasised."""

    def element(mark: re.Match) -> str:
        return f"<code>{mark['code']}</code>" if mark["code"] else f"<em>{mark['emphasis']}</em>"

    return _MARK.sub(element, html.escape(text, quote=False))
