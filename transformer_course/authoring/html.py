"""What all generated HTML pages share: a base template and a filter. Each page is one file, without scripts or a network."""

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from transformer_course._util.palette import custom_properties
from transformer_course.exercises import markup


def environment(package: str) -> Environment:
    """Return a Jinja environment with the templates of a package and the base template."""
    pages = Environment(
        loader=ChoiceLoader([PackageLoader(package), PackageLoader(__package__)]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    pages.filters["marked"], pages.globals["colours"] = marked, custom_properties
    return pages


def marked(text: str) -> Markup:
    """Return a text as HTML, with `code` and *emphasis* as the cards in a notebook show them."""
    return Markup(markup.marked(text))
