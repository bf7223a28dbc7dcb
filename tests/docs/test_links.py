"""Links inside the repository lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

from tests.support.documents import ROOT, documents

_LINK = re.compile(r"\[[^\]]*\]\((?!https?://|mailto:|#)(?P<target>[^)#\s]+)(?:#(?P<part>[^)\s]+))?\)")
_CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def anchors(document: Path) -> set[str]:
    """Give the anchors of a document's headings, as code hosts make them."""
    headings = re.findall(r"^#+ (.+)$", _CODE.sub("", document.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def test_every_link_leads_to_a_file_and_a_heading_that_exist() -> None:
    broken = []
    for document in documents():
        for found in _LINK.finditer(_CODE.sub("", document.read_text())):
            target = (document.parent / found["target"]).resolve()
            missing = not target.exists() or ROOT not in [target, *target.parents]
            if missing or (found["part"] and found["part"] not in anchors(target)):
                broken.append(f"{document.relative_to(ROOT)}: {found[0]}")
    assert broken == []


def test_every_document_is_reachable_from_the_readme() -> None:
    readme = (ROOT / "README.md").read_text()
    for document in (ROOT / "docs").glob("*.md"):
        assert f"docs/{document.name}" in readme
