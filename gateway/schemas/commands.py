"""Bodies of commands to a match other than moves: undo, abort, pause, replacement, added time, resign, return."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from gateway.schemas.fields import MAX_SEAT, MAX_VERSION, AddedSeconds, RequestId, SeatNumber, VersionNumber
from gateway.schemas.inputs import RequestBody, like

ExpectedVersion = Annotated[
    Annotated[int, like(VersionNumber)] | None,
    Field(description="The version that the command is based on; equivalent to `If-Match`."),
]


class Command(BaseModel):
    """The fields that all commands have. It is not a body by itself, and not a component of the OpenAPI document."""

    model_config = RequestBody.model_config

    seat: Annotated[int, like(SeatNumber)] | None = None
    expected_version: ExpectedVersion = None
    request_id: Annotated[str, like(RequestId)] | None = None


class CommandOfSeat(BaseModel):
    """The same for a command whose path names the seat."""

    model_config = RequestBody.model_config

    expected_version: ExpectedVersion = None
    request_id: Annotated[str, like(RequestId)] | None = None


class UndoRequest(Command, RequestBody):
    """Go back to an earlier version."""

    to: Annotated[int, Field(ge=1, le=MAX_VERSION)]


class RedoRequest(Command, RequestBody):
    """Restore what was taken back last."""


class UndoAnswerRequest(Command, RequestBody):
    """An answer to the open proposal."""

    accept: bool


class AbortRequest(Command, RequestBody):
    """Call the match off."""

    seat: Annotated[int, like(SeatNumber)] | None = None


class AbortAnswerRequest(Command, RequestBody):
    """An answer to the open proposal."""

    accept: bool


class PauseRequest(Command, RequestBody):
    """Pause the match."""

    seat: Annotated[int, like(SeatNumber)] | None = None


class PauseAnswerRequest(Command, RequestBody):
    """An answer to the open proposal."""

    accept: bool


class ResumeRequest(Command, RequestBody):
    """End the pause."""

    seat: Annotated[int, like(SeatNumber)] | None = None


class AskToReplaceRequest(CommandOfSeat, RequestBody):
    """Ask the table."""


class ReplacementAnswerRequest(Command, RequestBody):
    """An answer to the open proposal."""

    accept: bool


class AddTimeRequest(Command, RequestBody):
    """Add time to clocks."""

    seat: Annotated[int, like(SeatNumber)] | None = None
    seats: Annotated[list[Annotated[int, like(SeatNumber)]], Field(min_length=1, max_length=MAX_SEAT + 1)]
    seconds: Annotated[int, like(AddedSeconds)]


class ResignRequest(Command, RequestBody):
    """Leave for good."""


class ReturnRequest(Command, RequestBody):
    """The player of the seat is back."""
