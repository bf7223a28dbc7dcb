"""The bots of docs/play/bots.md are what the page says: forty lines, and nothing but the language's own."""

from __future__ import annotations

import re

import pytest

from tests.support.documents import ROOT

TEXT = (ROOT / "docs" / "play" / "bots.md").read_text()
MAX_LINES = 40


@pytest.mark.parametrize("program", ["bot.py", "bot.mjs"])
def test_a_bot_has_at_most_forty_lines(program: str) -> None:
    (source,) = re.findall(
        rf"^cat > {re.escape(program)} <<'EOF'\n(.*?)^EOF$", TEXT, re.MULTILINE | re.DOTALL
    )
    assert 20 < len(source.splitlines()) <= MAX_LINES
    assert max(map(len, source.splitlines())) <= 120
