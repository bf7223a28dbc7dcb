"""JSON in requests: bounded in depth, and alike for all parsers (RFC 7493), with refusals that name the place."""

from __future__ import annotations

from engine.kernel.errors import Unreadable
from services.process.i_json import MAX_DEPTH, fault_of, is_too_deep
from services.process.reasons import Reason
from services.rpc.refusals import unreadable


def check_json(text: bytes) -> None:
    """Raises Unreadable for JSON that is too deep, or that parsers read differently. What is no JSON its decoder refuses."""
    if is_too_deep(text):
        raise Unreadable(f"is nested deeper than {MAX_DEPTH} levels")
    if (fault := fault_of(text)) is not None:
        raise Unreadable(fault.what, pointer=fault.path)


def must_be_alike_for_all(text: bytes, at: str) -> None:
    """Raises Refused MALFORMED_REQUEST for JSON as `check_json` does."""
    try:
        check_json(text)
    except Unreadable as error:
        raise unreadable(error, reason=Reason.MALFORMED_REQUEST, prefix=at) from None
