"""Sphinx makes the site from what stage.py has collected. Nothing of a page comes from elsewhere."""

import pathlib

from pygments.lexers.special import TextLexer

ROOT = pathlib.Path(__file__).resolve().parents[2]

project = "Tailwater"
author = "The Tailwater authors"
html_title = "Tailwater"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "index"
exclude_patterns = []

myst_heading_anchors = 4
# Pages that Sphinx does not make (see stage.py): the link is taken as it is.
myst_url_schemes = {"http": None, "https": None, "mailto": None, "site": "{{path}}#{{fragment}}"}

html_theme = "furo"
html_theme_options = {
    # The pages say nothing of the machine that built them, and load nothing from elsewhere.
    "light_css_variables": {"color-brand-primary": "#0b6b5d", "color-brand-content": "#0b6b5d"},
    "dark_css_variables": {"color-brand-primary": "#5fd3bd", "color-brand-content": "#5fd3bd"},
    "footer_icons": [],
}
html_static_path = [str(ROOT / "docs/site/static")]
html_css_files = ["tailwater.css"]
html_extra_path = [str(ROOT / "docs/target/site-extra")]
html_copy_source = False
# A browser does not let a page of a file system read other pages.
html_show_search_summary = False
html_show_copyright = False
html_last_updated_fmt = None
pygments_style = "friendly"
pygments_dark_style = "github-dark"


def setup(app):
    app.add_lexer("conf", TextLexer)
