"""Open decisions as data: which seat must decide what, and by which rule."""

from __future__ import annotations

import msgspec

from engine.kernel.seats import Seat


class Pending(msgspec.Struct, frozen=True, kw_only=True):
    """An open decision of one seat. It is public: everybody may know which seats must act, and what they must decide."""

    seat: Seat
    decision: str
    """Stable name of the kind of decision, such as `program` or `stone`."""
    rule: str
    """Paragraph that requires it."""
    id: str
    """Id of this decision, unique within the match: another decision of the same kind has another id."""
    simultaneous: bool = False
    """True if several seats decide secretly at the same time, so that their actions cannot conflict."""
