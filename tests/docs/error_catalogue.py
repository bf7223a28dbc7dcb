"""Write docs/play/errors.md from the codes themselves: `make docs`. The page is never edited by hand."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Final

from engine.kernel.game import AnyGame
from engine.registry import game
from gateway.problems.reasons import REASONS, ProblemReason
from tests.support.documents import ROOT
from tests.support.our_games import OUR_GAMES

PAGE: Final = ROOT / "docs" / "play" / "errors.md"
_HEAD: Final = """\
# Errors

Every error is a problem document (RFC 9457). Program against `reason`; `type` leads to the same text on a running gateway: `GET /problems/{reason}`
answers a program with JSON and a browser with a page. Over gRPC the reason is `ErrorInfo.reason` (AIP-193).

`make docs` generates this page from the code.

## The server's own

| Reason | HTTP | gRPC | What happened, and what to do |
|---|---|---|---|
"""
_GAMES: Final = """
A number in brackets is the status where the request carried `If-Match`.

## What a rulebook refuses

A move that the rules forbid is refused with the game's own code: 422, `FAILED_PRECONDITION`. `rule` names the paragraph, `field` the part of the action
that is wrong, `facts` the values; `legal_actions` lists what may be done instead. `GET /v1/games/{game}` lists the same codes. The links lead to what the
paragraphs say.
"""


def write_page() -> str:
    """Return the page."""
    return _HEAD + "".join(map(_row, REASONS.values())) + _GAMES + "".join(_sections())


def _row(row: ProblemReason) -> str:
    conditional = "" if row.conditional_status is None else f" ({int(row.conditional_status)})"
    code = "" if row.code is None else f"`{row.code.name}`"
    return f"| `{row.name}` | {int(row.status)}{conditional} | {code} | {row.title}. {row.meaning} |\n"


def _sections() -> Iterator[str]:
    for each in map(game, OUR_GAMES):
        yield f"\n### {each.title}\n\n| Code | Paragraphs | What is wrong |\n|---|---|---|\n"
        yield from _codes(each)


def _codes(described: AnyGame) -> Iterator[str]:
    for code in described.codes:
        paragraphs = (f"[{rule}](rules/{described.id}.md#p-{rule})" for rule in code.rules)
        yield f"| `{code}` | {', '.join(paragraphs)} | {code.meaning} |\n"


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    PAGE.write_text(write_page())
    print(f"{PAGE.relative_to(ROOT)} is written")
