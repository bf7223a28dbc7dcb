"""Faults that can be planted: a service in the place of the real one, with a mistake in it. The product holds none of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tests.proofs.faults.system import PLATFORM, RULES


@dataclass(frozen=True)
class Plant:
    """One mistake."""

    instead: Mapping[str, str]
    """The module that runs in the place of a service, by the service's module."""
    text: str


def _in(service: str, name: str, text: str) -> Plant:
    return Plant({service: f"tests.proofs.faults.planted.{name}"}, text)


PLANTS: Final = {
    "ack-before-commit": _in(RULES, "ack_before_commit", "a move is answered before it is durable"),
    "no-idempotency": _in(RULES, "no_idempotency", "a request id is not looked up"),
    "no-such-match": _in(RULES, "no_such_match", "one look in a hundred says that there is no such match"),
    "notify-only": _in(
        RULES, "notify_only", "a stream tells what wake-ups name, and reads nothing it has missed"
    ),
    "skipped-outbox-row": _in(RULES, "skipped_outbox_row", "one move in fifty has no event"),
    "webhook-once": _in(PLATFORM, "webhook_once", "a webhook counts as delivered before it is sent"),
    "stale-moves": _in(
        RULES, "stale_moves", "a move is taken on whatever version it meets, not on the one it was decided on"
    ),
    "stale-reads": _in(RULES, "stale_reads", "a table in memory is shown without a look at the log"),
}
