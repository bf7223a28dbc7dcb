"""The frame of every page, and text with code in it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from html import escape
from typing import Final

from starlette.responses import HTMLResponse

_STYLE: Final = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:56rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}"
    "code{font-family:ui-monospace,monospace;background:#f2f0ea;padding:0 .2em}"
    "section{border-top:1px solid #ddd;padding:.5rem 0}h2{font-size:1.1rem;margin:.4rem 0}p{margin:.3rem 0}"
    "section:target{background:#fff6d8}"
    "@media(prefers-color-scheme:dark){body{color:#ddd;background:#1b1b1b}code{background:#333}section{border-color:#444}"
    "section:target{background:#3a3420}}"
)

_POLICY: Final = (
    f"default-src 'none'; style-src 'sha256-{b64encode(sha256(_STYLE.encode()).digest()).decode()}'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def page_headers(policy: str) -> dict[str, str]:
    """Return what every page and everything that pages load is sent with; `policy`: of its Content-Security-Policy."""
    return {
        "content-security-policy": policy,
        "cross-origin-opener-policy": "same-origin",
        "referrer-policy": "no-referrer",
    }


def html_answer(contents: str, *, headers: Mapping[str, str]) -> HTMLResponse:
    """Return the response with a page of `document`, which may load nothing, and may not be framed."""
    return HTMLResponse(contents, headers={**page_headers(_POLICY), **headers})


def document(title: str, body: str) -> str:
    """Return an HTML document in English; `body` is HTML."""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head>'
        f"<body><h1>{escape(title)}</h1>{body}</body></html>"
    )


def prose(text: str) -> str:
    """Return HTML for a text with code in backticks."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if number % 2 else part for number, part in enumerate(parts))
