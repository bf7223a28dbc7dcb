"""For whose eyes a request looks."""

from __future__ import annotations

from foldtable.rules.v1.table_pb2 import Audience
from gateway.auth import Caller
from gateway.messages import KINDS
from gateway.problem_documents import malformed
from gateway.schemas.fields import AudienceKind


def audience(caller: Caller, kind: AudienceKind | None, seat: int | None) -> Audience:
    """Give the audience that `audience` and `seat` name together; whether it is allowed, the rules server says."""
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
