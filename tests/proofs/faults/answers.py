"""What an answer says, over REST or gRPC: done, no, not now, or something that nobody should be told."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

import grpc
import httpx
import msgspec
from google.rpc import error_details_pb2, status_pb2

from tests.proofs.faults.notes import AttemptOutcome, canonical
from tests.proofs.faults.system import PASSING

_NOT_NOW: Final = frozenset({"RATE_LIMITED", "RULES_TIMEOUT", "RULES_UNAVAILABLE", "LOG_UNAVAILABLE"})
"""Reasons that say: not now."""
_FAILURES: Final = frozenset({"INTERNAL", "REPLAY_MISMATCH"})
"""Reasons that nobody should ever be given."""
_OF_A_CONNECTION: Final = frozenset(
    {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED, grpc.StatusCode.DEADLINE_EXCEEDED}
)
"""What gRPC itself says where a connection breaks. With anything else a server of ours gives its reason."""


def read_rest(answer: httpx.Response) -> dict[str, Any]:
    """Return the fields of an `Answered` note. Whether a refusal is right is for the checker to say."""
    if answer.status_code == 200:
        told = answer.json()
        return {
            "outcome": AttemptOutcome.ACKNOWLEDGED,
            "version": told["version"],
            "events": canonical(msgspec.json.encode(told["events"])),
            "to_act": tuple(told["to_act"]),
            "ended": told["status"] == "ended",
            "replayed": "idempotent-replayed" in answer.headers,
        }
    reason = reason_of(answer)
    if answer.status_code in PASSING:
        return unknown(reason)
    judged = 400 <= answer.status_code < 500 and reason not in _FAILURES
    return {"outcome": AttemptOutcome.REFUSED if judged else AttemptOutcome.STRANGE, "reason": reason}


def read_error(error: grpc.aio.AioRpcError) -> dict[str, Any]:
    """Return the fields of an `Answered` note for a call that failed."""
    reason = denial_in(error)
    if reason is None:
        return unknown(_reason_in(error) or error.code().name)
    judged = _reason_in(error) is not None and reason not in _FAILURES
    return {"outcome": AttemptOutcome.REFUSED if judged else AttemptOutcome.STRANGE, "reason": reason}


def unknown(reason: str) -> dict[str, Any]:
    """Return the fields of an `Answered` note where it is not known what became of the attempt."""
    return {"outcome": AttemptOutcome.UNKNOWN, "reason": reason}


def denial_of(answer: httpx.Response) -> str | None:
    """Return why somebody was told no who asked for something else than a 2xx; None: not now."""
    return None if answer.status_code in PASSING else reason_of(answer)


def denial_in(error: grpc.aio.AioRpcError) -> str | None:
    """Return the same of a call; None: not now, or it is only the connection that broke."""
    reason = _reason_in(error)
    if reason in _NOT_NOW or (reason is None and error.code() in _OF_A_CONNECTION):
        return None
    return reason or error.code().name


def reason_of(answer: httpx.Response) -> str:
    """Return the stable code of a problem document, or the status where there is none."""
    with suppress(ValueError, KeyError):
        document: Mapping[str, Any] = answer.json()
        return str(document["reason"])
    return f"status {answer.status_code}"


def _reason_in(error: grpc.aio.AioRpcError) -> str | None:
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin":
            for detail in status_pb2.Status.FromString(value).details:
                info = error_details_pb2.ErrorInfo()
                if detail.Unpack(info):
                    return str(info.reason)
    return None
