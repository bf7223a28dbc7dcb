"""Rows of the mapping table: who may do what."""

from __future__ import annotations

from typing import Final

from grpc import StatusCode

from gateway.problems.rows.row import row

ROWS: Final = (
    row(
        "TOKEN_MISSING",
        StatusCode.UNAUTHENTICATED,
        401,
        "No credential was sent",
        "Send `Authorization: Bearer <API key or token>`. Only public matches of some tenants can be read without.",
    ),
    row(
        "TOKEN_INVALID",
        StatusCode.UNAUTHENTICATED,
        401,
        "The credential is not valid",
        "The API key is unknown or revoked, or the token was revoked or not signed here.",
    ),
    row(
        "TOKEN_EXPIRED",
        StatusCode.UNAUTHENTICATED,
        401,
        "The credential has expired",
        "For a match, the tenant creates a fresh token: `POST /v1/matches/{match_id}/seats/{seat}/token`. "
        "A player's page gets a new session from its tenant: `POST /v1/player-sessions`. "
        "An expired API key must be replaced with another key of its tenant.",
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
        "LOGIN_CODE_INVALID",
        StatusCode.UNAUTHENTICATED,
        401,
        "The login code is not valid",
        "A login code signs in once, before it expires; this one was used, has expired, was revoked, or never was. Ask whoever "
        "sent the link for another one: `POST /v1/login-codes`.",
    ),
    row(
        "SEAT_FORBIDDEN",
        StatusCode.PERMISSION_DENIED,
        403,
        "The token does not permit this",
        "A seat token plays and reads as its own seat of its own match, or reads as the public; a spectator token reads as "
        "the public, a referee token as anybody. A session acts in its player's own seats. An invite reads as the public until "
        "its seat is taken. A revoked token permits none of this.",
    ),
    row(
        "INVITE_INVALID",
        StatusCode.PERMISSION_DENIED,
        403,
        "The invite is no longer valid",
        "A newer invite for the seat was created, the invite was revoked, its seat was given up, or it is for another player. Ask the sender for a fresh one.",
    ),
    row(
        "TENANT_ONLY",
        StatusCode.PERMISSION_DENIED,
        403,
        "Only with an API key",
        "Creating matches, creating tokens and administering accounts requires the tenant's API key; a token is not enough. "
        "A session may create matches with one seat for its own player.",
    ),
    row(
        "SCOPE_MISSING",
        StatusCode.PERMISSION_DENIED,
        403,
        "The credential lacks a scope",
        "The API key or session lacks the scope that `metadata` names. Use one that was issued with it.",
    ),
)
