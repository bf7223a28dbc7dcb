"""Whether a client wants gzip: `Accept-Encoding` with its weights (RFC 9110 §12.5.3)."""

from __future__ import annotations

from enum import Enum
from typing import Final

from gateway.http.kept_answers import keeping_short

MAX_CODINGS: Final = 32
"""More of them in one header are not read."""

_GZIP: Final = ("gzip", "x-gzip")
"""RFC 9110 §8.4.1.3: the second is the same."""


class Wish(Enum):
    """What a client says about gzip."""

    REFUSED = "refused"
    """It did not ask for it, or prefers the response as it is."""
    WELCOME = "welcome"
    REQUIRED = "required"
    """It accepts gzip, and not the response as it is (`identity;q=0`)."""


@keeping_short
def gzip_wish(accepted: bytes) -> Wish:
    """Return what a value of `Accept-Encoding` says about gzip. A weight that cannot be read counts as 0."""
    weights: dict[str, float] = {}
    for part in accepted.decode("latin-1").lower().split(",", MAX_CODINGS)[:MAX_CODINGS]:
        coding, _, parameter = part.partition(";")
        weights[coding.strip()] = _weight(parameter)
    anything = weights.get("*", 0.0)
    gzip = max((weights[name] for name in _GZIP if name in weights), default=anything)
    as_it_is = weights.get("identity", weights.get("*"))
    if gzip <= 0 or ("identity" in weights and weights["identity"] > gzip):
        return Wish.REFUSED
    return Wish.REQUIRED if as_it_is == 0 else Wish.WELCOME


def _weight(parameter: str) -> float:
    name, _, value = parameter.partition("=")
    if not name.strip():
        return 1.0
    try:
        weight = float(value) if name.strip() == "q" else 0.0
    except ValueError:
        return 0.0
    return weight if 0 <= weight <= 1 else 0.0
