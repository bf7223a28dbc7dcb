"""The types of values in the API, with their bounds and descriptions."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Final, Literal, get_args

from msgspec import Meta, Raw

from gateway.schemas.forms import form
from services.process.bounds import (
    MAX_BOT_NAME,
    MAX_BOT_PACE,
    MAX_CLOCK,
    MAX_METADATA_NAME,
    MAX_METADATA_NAMES,
    MAX_NAME,
    MAX_PLAYER,
    MAX_REFERENCE,
    MAX_REQUEST_ID,
    MAX_SEED,
    MAX_TITLE,
    MAX_UNDO_TIMEOUT,
)

MAX_VERSION: Final = 2**53 - 1
"""The largest integer that every JSON reader represents exactly (RFC 8259 §6)."""
MAX_SEAT: Final = 99
SECOND: Final = timedelta(seconds=1)
HOUR: Final = timedelta(hours=1)


def _of_the_games(name: str, absent: bytes = b"null") -> Meta:
    """Return the description of data that passes through: the published schemas of that name, one per game.

    `absent` is the JSON to use if a message does not have the data.
    """
    return Meta(extra_json_schema={"$ref": f"#/components/schemas/{name}"}, extra={"absent": absent})


def _list_of_the_games(name: str) -> Meta:
    return Meta(
        extra_json_schema={"type": "array", "items": {"$ref": f"#/components/schemas/{name}"}},
        extra={"absent": b"[]"},
    )


RawAction = Annotated[Raw, _of_the_games("Action")]
RawOptions = Annotated[Raw, _of_the_games("Options", absent=b"{}")]
RawView = Annotated[Raw, _of_the_games("View")]
RawEvents = Annotated[Raw, _list_of_the_games("Event")]
RawActions = Annotated[Raw, _list_of_the_games("Action")]
RawTemplates = Annotated[Raw, _list_of_the_games("Template")]
RawMoveAction = Annotated[
    Raw,
    Meta(
        extra_json_schema={
            "oneOf": [{"$ref": "#/components/schemas/RequestedAction"}, {"type": "null"}],
        }
    ),
]
RawSchema = Annotated[Raw, Meta(extra_json_schema={"type": "object"})]
RawStates = Annotated[Raw, Meta(extra_json_schema={"type": "array", "items": {"type": "object"}})]
RawComponents = Annotated[Raw, Meta(extra_json_schema={"type": "object"})]

RawPlayerData = Annotated[Raw, Meta(examples=[{"colour": "teal"}], extra_json_schema={})]

SeatNumber = Annotated[int, Meta(ge=0, le=MAX_SEAT)]
VersionNumber = Annotated[int, Meta(ge=0, le=MAX_VERSION)]
RequestId = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=MAX_REQUEST_ID,
        pattern=form(
            r"^[\x20-\x7e]+(?![\s\S])",  # not `$`, which allows a trailing line break
            f"1 to {MAX_REQUEST_ID} printable ASCII characters, such as a UUID",
        ),
        description="Chosen by the client, usually a UUID. A repeated request gets the first response.",
        examples=["0b8d2c1e-5c0e-4c55-9d1d-6e4a2f0f9c11"],
    ),
]
PlayerId = Annotated[str, Meta(max_length=MAX_PLAYER, examples=["ada"])]
PlayerName = Annotated[str, Meta(max_length=MAX_NAME, examples=["Ada"])]
Title = Annotated[str, Meta(max_length=MAX_TITLE, examples=["Friday night"])]
Reference = Annotated[str, Meta(max_length=MAX_REFERENCE, examples=["spring/round-3/board-12"])]
_METADATA: Final = [{"tournament": "spring", "round": 3}]
_OBJECT: Final = {
    "type": "object",
    "maxProperties": MAX_METADATA_NAMES,
    "propertyNames": {"minLength": 1, "maxLength": MAX_METADATA_NAME},
}
RawMetadata = Annotated[
    Raw,
    Meta(examples=_METADATA, extra_json_schema={"type": "object"}, extra={"absent": b"{}"}),
]
SentMetadata = Annotated[
    Raw, Meta(examples=_METADATA, extra_json_schema={"anyOf": [_OBJECT, {"type": "null"}]})
]
Ticket = Annotated[
    str,
    Meta(max_length=128, description="A stream ticket. It replaces `Authorization`, `seat` and `audience`."),
]
WaitTime = Annotated[
    str,
    Meta(
        pattern=form(r"^([12]?[0-9]|30)s(?![\s\S])", "a number of seconds from `0s` to `30s`, such as `20s`"),
        description="If there is no such move yet, wait this long for one: at most `30s`.",
        examples=["20s"],
    ),
]
Instant = Annotated[
    str, Meta(examples=["2026-01-31T12:00:00.123456Z"], extra_json_schema={"format": "date-time"})
]
Digest = Annotated[str, Meta(extra_json_schema={"pattern": "^[0-9a-f]{64}$"})]
MatchId = Annotated[str, Meta(extra_json_schema={"format": "uuid"})]
GameId = Annotated[str, Meta(examples=["river_dragons"])]
Link = Annotated[str, Meta(description="A path of this API.", extra_json_schema={"format": "uri-reference"})]
Status = Literal["waiting", "running", "ended"]
Visibility = Literal["private", "unlisted", "public"]
StartRule = Literal["when_full", "on_demand"]
UndoRule = Literal["none", "free", "consent"]
ProposalKind = Literal["undo", "abort", "pause", "replace"]
ReplacementConsent = Literal["tenant", "table"]
PausedBy = Literal["tenant", "consent"]
AddedSeconds = Annotated[int, Meta(ge=1, le=MAX_CLOCK // SECOND)]
UndoSeconds = Annotated[int, Meta(ge=1, le=MAX_UNDO_TIMEOUT // SECOND)]
BotPace = Annotated[float, Meta(ge=0, le=MAX_BOT_PACE // SECOND, examples=[1.5])]
SeatState = Literal["open", "invited", "reserved", "taken"]
BotLevel = Annotated[str, Meta(max_length=MAX_BOT_NAME, examples=["greedy"])]
BotName = Annotated[
    str,
    Meta(
        max_length=MAX_BOT_NAME,
        pattern=form(
            r"^([a-z][a-z0-9_.-]*)?(?![\s\S])",  # not `$`, which allows a trailing line break; empty: none
            "a lower-case letter and then lower-case letters, digits, `_`, `.` and `-`",
        ),
        examples=["my-bot.2"],
    ),
]
Seed = Annotated[
    str,
    Meta(max_length=MAX_SEED, description="Seed of the random deal; the same seed gives the same deals."),
]
AudienceKind = Literal["seat", "public", "referee"]
Included = Literal["table"]
"""What answers and streams can have besides what they always have."""

CatalogueLanguage = Literal["en", "it", "fr", "pl"]
"""A language of the games' texts."""
LANGUAGES: Final = get_args(CatalogueLanguage)
Language = Literal["en", "it", "fr", "pl", "keys"]
"""A language of texts, or their keys and arguments only."""
