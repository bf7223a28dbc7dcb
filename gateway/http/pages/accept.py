"""Whether a client wants HTML or JSON: `Accept` with its weights (RFC 9110 §12.5.1)."""

from __future__ import annotations

from typing import Any, Final

from fastapi import Depends
from starlette.requests import Request

from gateway.headers import header

MAX_RANGES: Final = 32
"""More of them in one header are not read."""

_HTML: Final = ("text/html", "text/*", "*/*")
_JSON: Final = ("application/json", "application/*", "*/*")
"""The ranges that a type is in, the most specific first: its weight is the one that counts."""


class Represented:
    """A dependency that says in which types an operation responds. `Operation` looks for it; nothing is read here."""

    def __init__(self, *, negotiated: bool, has_page: bool) -> None:
        self.is_negotiated = negotiated
        self._has_page = has_page

    async def __call__(self) -> None:
        """Do nothing: the handler reads the header."""

    def is_for_people(self, request: Request) -> bool:
        """Return whether a request gets a page. People follow links to which others have added parameters."""
        return self._has_page and (not self.is_negotiated or wants_a_page(request))


NEGOTIATED: Final[Any] = Depends(Represented(negotiated=True, has_page=False))
"""In the dependencies of an operation that has several types to choose from, none of them a page."""
ALSO_A_PAGE: Final[Any] = Depends(Represented(negotiated=True, has_page=True))
"""In the dependencies of an operation that responds to browsers with a page."""
ONLY_A_PAGE: Final[Any] = Depends(Represented(negotiated=False, has_page=True))
"""In the dependencies of an operation that is only for people."""


def wants_a_page(request: Request) -> bool:
    """Return whether the client prefers HTML. Browsers do; who accepts anything gets JSON, as programs expect it."""
    return prefers_html(header(request, b"accept") or "")


def prefers_html(accepted: str) -> bool:
    """Return whether a value of `Accept` weighs HTML higher than JSON. A weight that cannot be read counts as 0."""
    weights: dict[str, float] = {}
    for part in accepted.lower().split(",")[:MAX_RANGES]:
        media_range, *parameters = (piece.strip() for piece in part.split(";"))
        weights[media_range] = max(_weight(parameters), weights.get(media_range, 0.0))
    return _of(_HTML, weights) > _of(_JSON, weights)


def _of(ranges: tuple[str, ...], weights: dict[str, float]) -> float:
    return next((weights[one] for one in ranges if one in weights), 0.0)


def _weight(parameters: list[str]) -> float:
    """Return the weight among a range's parameters; 1 without one."""
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                weight = float(value)
            except ValueError:
                return 0.0
            return weight if 0 <= weight <= 1 else 0.0
    return 1.0
