"""A subscription to the moves of one match, over a stream that carries many."""

from __future__ import annotations

from uuid import UUID

from engine.kernel.seats import Audience
from foldtable.matches.v1 import follow_pb2
from services.process.tracing import part_of_stream
from services.rules.wire.forms import Form


class Subscription:
    """A subscription to the moves of one match, for one audience."""

    __slots__ = (
        "after",
        "audience",
        "authorization",
        "form",
        "has_table",
        "id",
        "match_id",
        "match_text",
        "reached",
        "seats_checked",
        "seats_known",
        "shown",
        "trace",
        "wanted",
    )

    def __init__(self, asked: follow_pb2.Subscribe, own: str | None) -> None:
        """`own` is the stream's authorization, used if the request carries none."""
        self.id = asked.follow_id
        self.authorization = asked.authorization or own
        self.match_text = asked.match_id
        self.match_id: UUID | None = None
        """The match's own id, which is not that of `match_text` if the match was imported. Known once the subscription is admitted."""
        self.trace = part_of_stream(asked.traceparent, asked.x_request_id)
        self.wanted = asked.audience
        self.form = Form(asked.form, asked.language)
        self.has_table = asked.include_table
        self.after = asked.after_version if asked.HasField("after_version") else None
        self.reached: int | None = None
        """The version sent last; None: it receives no moves yet."""
        self.shown: tuple[int, str] | None = None
        """Version and digest of the table sent last; None: none was sent."""
        self.seats_known = ""
        """The revision of the seats that the subscription was told of, or that were read when it was admitted."""
        self.seats_checked = 0
        """The number of changes of seats (`SubscribedMatch.seats_changed`) after which `seats_known` was looked at."""
        self.audience: Audience | None = None
        """Known once the subscription is admitted."""

    def ask_for_seats(self) -> None:
        """Have the seats sent as they are now."""
        self.seats_known, self.seats_checked = "", -1

    def __repr__(self) -> str:
        return f"Subscription({self.id}, {self.match_text})"  # the credential stays out of logs
