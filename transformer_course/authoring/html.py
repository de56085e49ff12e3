"""What all generated HTML pages share: a base template and a filter. Each page is one file, without scripts or a network."""

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from transformer_course._util.palette import custom_properties
from transformer_course.exercises.markup import marked


def environment(package: str) -> Environment:
    """Return a Jinja environment with the templates of a package and the base template."""
    pages = Environment(
        loader=ChoiceLoader([PackageLoader(package), PackageLoader(__package__)]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    pages.filters["marked"] = lambda text: Markup(marked(text))  # as the cards in a notebook show `code` and *emphasis*
    pages.globals["colours"] = custom_properties
    return pages
