"""Collects the pages of the repository for Sphinx: stage.py yes|no (with the Javadoc or without).

The pages stay as they are for readers of the repository. docs/README.md is the only list of them: it becomes the first
page of the site, and its sections become the navigation.
"""

import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = ROOT / "docs/target"
SOURCE = TARGET / "site-source"
EXTRA = TARGET / "site-extra"  # copied into the site as it is
PAGES = ["CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "bench/README.md"]
LINK = re.compile(r"\]\(([^)#\s]+)(#[^)]*)?\)")


def copy(path):
    target = SOURCE / path
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(ROOT / path, target)


def prepare(page, text):
    """Links to HTML that is not made by Sphinx, and to files of the repository that are no pages."""

    def replaced(match):
        target = match[1]
        if re.match(r"[a-z]+:", target):
            return match[0]
        if target.endswith(".html"):
            return f"](site:{target})"
        path = (ROOT / page).parent.joinpath(target).resolve()
        if not path.exists():
            return match[0]  # Sphinx says so.
        name = path.relative_to(ROOT).as_posix()
        if name == "docs/README.md":
            return "](" + "../" * page.count("/") + "index.md" + (match[2] or "") + ")"
        if path.suffix != ".md" and not name.startswith("docs/"):
            return "](site:" + "../" * page.count("/") + "files/" + extra(name) + ")"
        return match[0]

    return LINK.sub(replaced, text)


def extra(name):
    """A file or directory of the repository that a page links to."""
    source, target = ROOT / name, EXTRA / "files" / name
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        target.mkdir(exist_ok=True)
        names = sorted(child.name for child in source.iterdir() if child.is_file())
        (target / "index.html").write_text(
            "<!doctype html><meta charset=utf-8><title>" + name + "</title>"
            + "".join(f"<p>{child}" for child in names)
        )
        return name + "/index.html"
    shutil.copyfile(source, target)
    return name


def index(text, with_javadoc):
    """docs/README.md as the first page: its links from one directory higher, and its sections as the navigation."""
    text = re.sub(r"^# .*\n", "", text, count=1)
    text = re.sub(r"\n`?The pages are ordered.*?\n\n", "\n", text, count=1, flags=re.S)
    text = LINK.sub(lambda m: m[0] if ":" in m[1] else m[0].replace(m[1], lifted(m[1])), text)
    if with_javadoc:
        text = re.sub(r"\| the API \|.*", "| the API | [Javadoc](site:javadoc/index.html) |", text)
    trees = []
    for section in re.split(r"^## ", text, flags=re.M)[1:]:
        title = section.splitlines()[0]
        pages = [m[1][: -len(".md")] for m in LINK.finditer(section) if m[1].endswith(".md")]
        trees.append("```{toctree}\n:hidden:\n:caption: " + title + "\n\n" + "\n".join(pages) + "\n```\n")
    hero = re.search(r"\*\*Every byte.*?(?=\n- \*\*Byte-exact)", (ROOT / "README.md").read_text(), re.S)[0]
    return "# Tailwater\n\n" + hero + "\n" + text + "\n" + "\n".join(trees)


def lifted(link):
    return link[len("../") :] if link.startswith("../") else "docs/" + link


def main():
    with_javadoc = sys.argv[1] == "yes"
    docs = ROOT / "docs"
    for path in sorted(docs.rglob("*")):
        name = path.relative_to(ROOT).as_posix()
        if name.startswith(("docs/target/", "docs/site/")) or not path.is_file():
            continue
        if path.suffix in (".md", ".svg", ".png", ".json"):
            copy(name)
        elif path.suffix == ".html":
            (EXTRA / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, EXTRA / name)
    for page in PAGES:
        copy(page)
    (SOURCE / "docs/README.md").unlink()
    for path in SOURCE.rglob("*.md"):
        page = path.relative_to(SOURCE).as_posix()
        path.write_text(prepare(page, path.read_text()))
    decisions = SOURCE / "docs/decisions/README.md"
    decisions.write_text(decisions.read_text() + "\n```{toctree}\n:hidden:\n:glob:\n\n0*\n```\n")
    (SOURCE / "index.md").write_text(prepare("index.md", index((docs / "README.md").read_text(), with_javadoc)))
    EXTRA.mkdir(parents=True, exist_ok=True)
    if with_javadoc:
        shutil.copytree(TARGET / "javadoc", EXTRA / "javadoc")


main()
