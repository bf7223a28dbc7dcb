"""Who must decide what, and why: choices are data."""

from __future__ import annotations

import msgspec

from engine.kernel.seats import Seat


class Pending(msgspec.Struct, frozen=True, kw_only=True):
    """An open decision of one seat. Public: everybody may know who is waited for, and for what."""

    seat: Seat
    decision: str
    """Stable name of the kind of decision, such as `program` or `stone`."""
    rule: str
    """Paragraph that asks for it."""
    id: str
    """Names this very decision within the match: another decision, even of the same kind, has another id."""
    simultaneous: bool = False
    """Several seats decide in secret at once: this answer does not depend on, or conflict with, theirs."""
