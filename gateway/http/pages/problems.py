"""The catalogue of errors as an HTML page."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from gateway.http.pages.html import document, prose
from gateway.schemas.problem_types import ProblemType


def page(title: str, problems: Iterable[ProblemType]) -> str:
    """Return an HTML document with a section for each problem. The section's anchor is the reason."""
    sections = "".join(map(_section, problems))
    return document(title, f'<p><a href="/problems">Every problem</a></p>{sections}')


def _section(problem: ProblemType) -> str:
    conditional = (
        ""
        if problem.conditional_status is None
        else f", {problem.conditional_status} where <code>If-Match</code> was sent"
    )
    grpc = "" if problem.grpc_code is None else f" · gRPC {escape(problem.grpc_code)}"
    games = "".join(
        f"<p><b>{escape(each.game)}</b> (§ {escape(', '.join(each.rules))}): {prose(each.meaning)}</p>"
        for each in problem.games
    )
    return (
        f'<section id="{problem.reason}"><h2><a href="{problem.type}"><code>{problem.reason}</code></a> '
        f"{escape(problem.title)}</h2><p>HTTP {problem.status}{conditional}{grpc}</p>"
        f"<p>{prose(problem.meaning)}</p>{games}</section>"
    )
