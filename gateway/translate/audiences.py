"""The audience of a request."""

from __future__ import annotations

from foldtable.rules.v1.table_pb2 import Audience
from gateway.access.auth import Caller
from gateway.problems.document import malformed
from gateway.schemas.fields import AudienceKind
from gateway.translate.messages import KINDS


def audience(caller: Caller, kind: AudienceKind | None, seat: int | None) -> Audience:
    """Return the audience that `audience` and `seat` name together. The rules server decides whether it is allowed."""
    if kind is None:
        return Audience() if seat is None else Audience(kind=Audience.KIND_SEAT, seat=seat)
    if kind != "seat":
        if seat is not None:
            raise malformed(
                f"`seat` does not go with the audience {kind}", code="CONTRADICTION", parameter="seat"
            )
        return Audience(kind=KINDS[kind])
    if seat is None and caller.claims is not None:
        seat = caller.claims.seat
    if seat is None:
        raise malformed("the audience seat needs `seat`", code="MISSING_FIELD", parameter="seat")
    return Audience(kind=Audience.KIND_SEAT, seat=seat)
