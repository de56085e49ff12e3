"""Sphinx's settings for the site. Nothing runs, and no page asks a network for anything."""

from pathlib import Path

project = html_title = "Transformer course"
extensions = ["myst_nb", "transformer_course.site.math_renderer"]
html_theme = "furo"
html_math_renderer = "mathml"
html_static_path = ["static"]
html_extra_path = ["extra"]
html_search_scorer = str(Path(__file__).with_name("scorer.js"))
html_css_files = ["site.css"]
html_js_files = [("path.js", {"defer": "defer"}), ("site.js", {"defer": "defer"})]
html_show_sourcelink = html_show_sphinx = html_show_copyright = False
html_copy_source = False
nb_execution_mode = "off"
nb_number_source_lines = False
nb_code_prompt_show = "Show the code"
nb_code_prompt_hide = "Hide the code"
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
suppress_warnings = ["myst.header"]  # a sheet's parts may begin below the level that its title would ask for
