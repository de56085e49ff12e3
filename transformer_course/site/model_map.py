"""The map of the model on the site: nothing is filled, and each part leads to the page on which one builds it."""

from transformer_course import course
from transformer_course.course import Stage
from transformer_course.figures import model_map as figure


def model_map(title: str = "", top: str = "") -> str:
    """Return the map as one line of HTML, for a page at the top of the site, or one from which ``top`` leads there ("../")."""
    parts = {}
    for name, builders in course.builders().items():
        stage = next(source for source, _ in builders if isinstance(source, Stage))
        parts[name] = figure.Part(place=stage.number, link=top + stage.link.replace(".ipynb", ".html"))
    return figure.model_map(parts, title)._repr_html_()
