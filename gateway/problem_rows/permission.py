"""Rows of the mapping table: who may do what."""

from __future__ import annotations

from typing import Final

from grpc import StatusCode

from gateway.problem_rows.row import row

ROWS: Final = (
    row(
        "TOKEN_MISSING",
        StatusCode.UNAUTHENTICATED,
        401,
        "No credential was sent",
        "Send `Authorization: Bearer <API key or match token>`.",
    ),
    row(
        "TOKEN_INVALID",
        StatusCode.UNAUTHENTICATED,
        401,
        "The credential is not valid",
        "The API key is unknown or revoked, or the match token was revoked or not signed here.",
    ),
    row(
        "TOKEN_EXPIRED",
        StatusCode.UNAUTHENTICATED,
        401,
        "The credential has expired",
        "For a match the tenant mints a fresh token: `POST /v1/matches/{match_id}/seats/{seat}/token`. "
        "An API key is replaced by another one of its tenant.",
    ),
    row(
        "TICKET_INVALID",
        StatusCode.UNAUTHENTICATED,
        401,
        "The stream ticket is not valid",
        "A ticket opens one stream, once, within a minute. Get another one: "
        "`POST /v1/matches/{match_id}/stream-tickets`, or `POST /v1/feed/stream-tickets`.",
    ),
    row(
        "SEAT_FORBIDDEN",
        StatusCode.PERMISSION_DENIED,
        403,
        "Not with this token",
        "A seat token plays and looks as its own seat of its own match, or looks as the public; a spectator looks as "
        "the public, a referee as anybody. A token that was revoked does none of it.",
    ),
    row(
        "INVITE_INVALID",
        StatusCode.PERMISSION_DENIED,
        403,
        "The invite is no longer good",
        "Another invite for the seat was made since, or it was revoked, or its seat was given up. Ask whoever sent it for a fresh one.",
    ),
    row(
        "TENANT_ONLY",
        StatusCode.PERMISSION_DENIED,
        403,
        "Only with an API key",
        "Creating matches, minting tokens and administering accounts is for the tenant, not for somebody at a match.",
    ),
    row(
        "SCOPE_MISSING",
        StatusCode.PERMISSION_DENIED,
        403,
        "The API key is not good for this",
        "The key lacks the scope that `metadata` names. Use a key that was issued with it.",
    ),
)
