"""How well a colour is seen on another."""

from transformer_course.figures.style import luminance


def contrast(left, right) -> float:
    """Return the contrast of two colours as WCAG 2.1 defines it, from 1 to 21. Text should have 4.5, lines and edges 3."""
    lighter, darker = sorted((luminance(left), luminance(right)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)
