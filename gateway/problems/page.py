"""The catalogue of errors as an HTML page that loads nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Final

from gateway.schemas.problem_types import ProblemType

_STYLE: Final = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:56rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}"
    "code{font-family:ui-monospace,monospace;background:#f2f0ea;padding:0 .2em}"
    "section{border-top:1px solid #ddd;padding:.5rem 0}h2{font-size:1.1rem;margin:.4rem 0}p{margin:.3rem 0}"
    "@media(prefers-color-scheme:dark){body{color:#ddd;background:#1b1b1b}code{background:#333}section{border-color:#444}}"
)


def page(title: str, problems: Iterable[ProblemType]) -> str:
    """Return an HTML document with a section for each problem. The section's anchor is the reason."""
    sections = "".join(map(_section, problems))
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head>'
        f'<body><h1>{escape(title)}</h1><p><a href="/problems">Every problem</a></p>{sections}</body></html>'
    )


def _section(problem: ProblemType) -> str:
    conditional = (
        ""
        if problem.conditional_status is None
        else f", {problem.conditional_status} where <code>If-Match</code> was sent"
    )
    grpc = "" if problem.grpc_code is None else f" · gRPC {escape(problem.grpc_code)}"
    games = "".join(
        f"<p><b>{escape(each.game)}</b> (§ {escape(', '.join(each.rules))}): {_prose(each.meaning)}</p>"
        for each in problem.games
    )
    return (
        f'<section id="{problem.reason}"><h2><a href="{problem.type}"><code>{problem.reason}</code></a> '
        f"{escape(problem.title)}</h2><p>HTTP {problem.status}{conditional}{grpc}</p>"
        f"<p>{_prose(problem.meaning)}</p>{games}</section>"
    )


def _prose(text: str) -> str:
    """Return HTML for a text with code in backticks."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if number % 2 else part for number, part in enumerate(parts))
