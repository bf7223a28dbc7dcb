"""Links inside the repository lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

from tests.support.documents import ROOT, documents

_LINK = re.compile(r"\[[^\]]*\]\((?!https?://|mailto:)(?P<target>[^)#\s]*)(?:#(?P<part>[^)\s]+))?\)")
PARTS = ("play", "build", "run", "trust")
FIRST = ROOT / "docs" / "add-a-game.md"
"""The page for authors of games, where they look for it."""
_CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def anchors(document: Path) -> set[str]:
    """Return the anchors of a document's headings, as code hosts make them, and those that are written out."""
    text = _CODE.sub("", document.read_text())
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    made = {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}
    return made | set(re.findall(r'<a id="([^"]+)"></a>', text))


def test_every_link_leads_to_a_file_and_a_heading_that_exist() -> None:
    broken = []
    for document in documents():
        for found in _LINK.finditer(_CODE.sub("", document.read_text())):
            target = (document.parent / found["target"]).resolve() if found["target"] else document
            missing = not target.exists() or ROOT not in [target, *target.parents]
            if missing or (found["part"] and found["part"] not in anchors(target)):
                broken.append(f"{document.relative_to(ROOT)}: {found[0]}")
    assert broken == []


def links_of(document: Path) -> list[Path]:
    """Return the files a document links to, in order."""
    text = _CODE.sub("", document.read_text())
    return [(document.parent / found["target"]).resolve() for found in _LINK.finditer(text)]


def test_every_page_is_in_one_part_and_in_the_index_once() -> None:
    docs = ROOT / "docs"
    listed = links_of(docs / "README.md")
    pages = {path for part in PARTS for path in (docs / part).rglob("*.md")}
    pages |= {*ROOT.glob("clients/*/README.md"), FIRST}
    assert {path.name for path in docs.glob("*.md")} == {"README.md", FIRST.name}
    assert sorted(page.relative_to(ROOT) for page in pages if listed.count(page) != 1) == []


def test_the_readme_links_all_four_parts() -> None:
    readme = (ROOT / "README.md").read_text()
    assert [part for part in PARTS if f"](docs/README.md#{part})" not in readme] == []
