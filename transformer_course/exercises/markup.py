"""Replies and diagnoses as HTML: they are plain text with `code` and *emphasis*."""

import html
import re

_MARK = re.compile(r"`(?P<code>[^`]+)`|(?<![\w*])\*(?P<emphasis>[^\s*`](?:[^*`]*[^\s*`])?)\*(?![\w*])")


def marked(text: str) -> str:
    """Convert text to HTML: backticks mark code, asterisks emphasis."""

    def element(mark: re.Match) -> str:
        return f"<code>{mark['code']}</code>" if mark["code"] else f"<em>{mark['emphasis']}</em>"

    return _MARK.sub(element, html.escape(text, quote=False))
