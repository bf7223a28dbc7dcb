"""What docs/play/quickstart.md quotes stands in the page. tests/conformance/test_front_end.py plays on it."""

from __future__ import annotations

from tests.support.documents import ROOT, blocks

PAGE = [ROOT / "docs" / "examples" / name for name in ("table.html", "table.mjs", "board.mjs")]


def test_the_document_quotes_the_page_as_it_is() -> None:
    page = "\n".join(line.strip() for path in PAGE for line in path.read_text().splitlines())
    quoted = [block for block in blocks(ROOT / "docs" / "play" / "quickstart.md") if block.mark == "page"]
    assert len(quoted) >= 4
    for block in quoted:
        lines = "\n".join(line.strip() for line in block.content.splitlines())
        assert lines in page, str(block)
