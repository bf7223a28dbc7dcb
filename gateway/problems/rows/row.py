"""The shape of a row of the mapping table."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus

from grpc import StatusCode


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One row: a stable reason, its gRPC code and HTTP status, and its explanation for developers."""

    name: str
    code: StatusCode | None
    """None: a reason of the gateway itself, never sent over gRPC."""
    status: HTTPStatus
    title: str
    """Constant per reason (RFC 9457 §3.1.3)."""
    meaning: str
    """What happened and what to do about it; shown under /problems/{reason}."""
    conditional_status: HTTPStatus | None = None
    """The status when the request carried If-Match (RFC 9110 §13.1.1), where that differs."""

    def status_for(self, *, conditional: bool) -> HTTPStatus:
        """Return the HTTP status; `conditional`: If-Match was sent."""
        if conditional and self.conditional_status is not None:
            return self.conditional_status
        return self.status


def row(
    name: str,
    code: StatusCode | None,
    status: int,
    title: str,
    meaning: str,
    *,
    conditional_status: HTTPStatus | None = None,
) -> Reason:
    return Reason(
        name=name,
        code=code,
        status=HTTPStatus(status),
        title=title,
        meaning=meaning,
        conditional_status=conditional_status,
    )
