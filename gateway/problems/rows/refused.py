"""Rows of the mapping table: requests that the rules or the state of a match forbid."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from grpc import StatusCode

from gateway.problems.rows.row import row

ROWS: Final = (
    row(
        "WRONG_DECISION",
        StatusCode.FAILED_PRECONDITION,
        422,
        "Another decision is open",
        "The seat must make another decision first. `pending` names it, `legal_actions` lists the possible actions.",
    ),
    row(
        "SEAT_COUNT",
        StatusCode.FAILED_PRECONDITION,
        422,
        "The game does not support this number of players",
        "`seats` must be one of the game's `seat_counts`.",
    ),
    row(
        "SEAT_UNKNOWN",
        StatusCode.FAILED_PRECONDITION,
        422,
        "The match has no such seat",
        "Seats are counted from 0 to one less than the number of players.",
    ),
    row(
        "NOT_YOUR_TURN",
        StatusCode.FAILED_PRECONDITION,
        409,
        "This seat has nothing to decide now",
        "Wait until `to_act` names the seat; the event stream reports it.",
    ),
    row(
        "MATCH_OVER",
        StatusCode.FAILED_PRECONDITION,
        409,
        "The match is over",
        "No further action is possible. The export holds the whole match, including its secret.",
    ),
    row(
        "TOO_MANY_FORKS",
        StatusCode.FAILED_PRECONDITION,
        409,
        "You have reached the limit of forks of this match",
        "`metadata.limit` is the limit: 100 forks of a match per seat or watch token, 10,000 per tenant, unless the rules "
        "server's settings say otherwise. Continue in one of your forks; an API key can create more.",
    ),
    row(
        "TOO_MANY_WAITING",
        StatusCode.FAILED_PRECONDITION,
        409,
        "You sit in too many matches that have not begun",
        "`metadata.limit` is how many a player may sit in with a session. Leave one of them, or wait until one begins.",
    ),
    row(
        "TOO_MANY_LOGIN_CODES",
        StatusCode.FAILED_PRECONDITION,
        409,
        "The tenant has too many login codes that are not redeemed",
        "`metadata.limit` is how many there may be. Wait until some are redeemed or have expired, or revoke those of a player: "
        "`POST /v1/player-sessions/revoke`.",
    ),
    row(
        "UNDO_NOT_ALLOWED",
        StatusCode.FAILED_PRECONDITION,
        422,
        "The match cannot be undone that far",
        "`facts.reason` says why, `facts.seq` names the move that prevents it. `GET …/undo` says how far the seat may go back.",
    ),
    row(
        "NOTHING_TO_UNDO",
        StatusCode.FAILED_PRECONDITION,
        422,
        "There is nothing to undo",
        "The match is already in the state of that version. Name an earlier version.",
    ),
    row(
        "NOTHING_TO_REDO",
        StatusCode.FAILED_PRECONDITION,
        422,
        "There is nothing to redo",
        "A redo restores what the last undo took back. It is possible until the next move.",
    ),
    row(
        "PROPOSAL_OPEN",
        StatusCode.FAILED_PRECONDITION,
        409,
        "A proposal is open already",
        "It ends when it has been answered, with the next move, or when its time is up; `GET …/view` shows it.",
    ),
    row(
        "ABORT_NOT_ALLOWED",
        StatusCode.FAILED_PRECONDITION,
        422,
        "The seat may not propose this",
        "`facts.reason` says why: the seat has left, or the others declined a moment ago.",
    ),
    row(
        "NO_PROPOSAL",
        StatusCode.FAILED_PRECONDITION,
        409,
        "No proposal waits for this seat",
        "The proposal was answered, a move ended it, or its time is up.",
    ),
    row(
        "NOTHING_TO_PLAY",
        StatusCode.FAILED_PRECONDITION,
        422,
        "The match has no open decision at that version",
        "A fork must begin at a version with an open decision. Name an earlier version.",
    ),
    row(
        "NO_CERTAIN_END",
        StatusCode.FAILED_PRECONDITION,
        422,
        "A match with this option might never end",
        "`missing` says what the option requires: a clock with `absent: forfeit`, or that no bot plays. Or leave the option out.",
    ),
    row(
        "TIME_IS_UP",
        StatusCode.FAILED_PRECONDITION,
        409,
        "The time for this decision is up",
        "The server decides in a moment, and the event stream reports the move. A request after the deadline does not count.",
    ),
    row(
        "NOT_AWAY",
        StatusCode.FAILED_PRECONDITION,
        409,
        "The seat is not away",
        "Its player is present, or has left for good. `clocks` of the match says which seats are `away`.",
    ),
    row(
        "MATCH_NOT_STARTED",
        StatusCode.FAILED_PRECONDITION,
        409,
        "The match has not begun",
        "Free seats must be taken first: `POST /v1/matches/{match_id}/join`. A match that was called off before its start never begins.",
    ),
    row(
        "SEAT_TAKEN",
        StatusCode.FAILED_PRECONDITION,
        409,
        "The seat is taken",
        "Choose another seat, or join without naming one.",
    ),
    row(
        "NO_FREE_SEAT",
        StatusCode.FAILED_PRECONDITION,
        409,
        "No seat is open",
        "All seats are taken or reserved.",
    ),
    row(
        "NOT_JOINABLE",
        StatusCode.FAILED_PRECONDITION,
        409,
        "The seat is not for this player",
        "Only the holder of its invite can take an invited seat, and only its player a reserved one. With `metadata.seat` and no seat "
        "asked for: the player has that seat of the match already; a tenant that wants to give out several names the seat.",
    ),
    row(
        "SEAT_GIVEN_UP",
        StatusCode.FAILED_PRECONDITION,
        409,
        "The seat was given up since then",
        "This request to join succeeded once; since then the player left the seat, or its tokens were revoked. Join with a fresh request id, or create a token for the seat.",
    ),
    row(
        "MATCH_STARTED",
        StatusCode.FAILED_PRECONDITION,
        409,
        "The match has begun, or was called off",
        "Seats can change only before the start. To stop playing, resign.",
    ),
    row(
        "NOT_FULL",
        StatusCode.FAILED_PRECONDITION,
        409,
        "The match cannot start with these seats",
        "The free seats must be the last ones, and the game must support the number of players who have joined. `metadata` names the seats.",
    ),
    row(
        "MATCH_NOT_OVER",
        StatusCode.FAILED_PRECONDITION,
        409,
        "The match is not over",
        "Only a match that has ended can have a rematch or be imported.",
    ),
    row(
        "MATCH_ID_TAKEN",
        StatusCode.ALREADY_EXISTS,
        409,
        "Another match of the tenant has this id",
        "An imported match keeps its id. The tenant already has a different match with that id.",
    ),
    row(
        "RULES_VERSION_UNSUPPORTED",
        StatusCode.FAILED_PRECONDITION,
        409,
        "The server does not have this version of the rules",
        "The match, or the request for a new one, names a version of the rules that this server does not have, or not yet while "
        "servers are being replaced. `metadata.supported` lists the versions it has; `GET /v1/games` describes them.",
    ),
    row(
        "RULES_STUCK",
        StatusCode.FAILED_PRECONDITION,
        409,
        "The game's rules did not return from this before",
        "The rules of `metadata.game` computed for ever, so they are not called for the same again: not for this action, or not for "
        "this match. `detail` says which. Nothing was changed. Make another move, or ask whoever runs the server.",
    ),
    row(
        "VERSION_CONFLICT",
        StatusCode.ABORTED,
        409,
        "The match has a newer version",
        "Another move came first. `missed` holds the moves since your version; read them and decide again.",
        conditional_status=HTTPStatus.PRECONDITION_FAILED,
    ),
    row(
        "REQUEST_ID_REUSED",
        StatusCode.ALREADY_EXISTS,
        422,
        "The request id was used for a different request",
        "A request id identifies one request and its repetitions. Use a fresh one for every new request.",
    ),
)
