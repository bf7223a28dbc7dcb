"""Rows of the mapping table: what the rules or the state of a match forbid."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from grpc import StatusCode

from gateway.problem_rows.row import row

ROWS: Final = (
    row(
        "WRONG_DECISION",
        StatusCode.FAILED_PRECONDITION,
        422,
        "Another decision is open",
        "The seat must decide something else first. `pending` says what, `legal_actions` how.",
    ),
    row(
        "SEAT_COUNT",
        StatusCode.FAILED_PRECONDITION,
        422,
        "The game is not for that many players",
        "`seats` must be one of the game's `seat_counts`.",
    ),
    row(
        "SEAT_UNKNOWN",
        StatusCode.FAILED_PRECONDITION,
        422,
        "No such seat at this table",
        "Seats are counted from 0 to one less than the number of players.",
    ),
    row(
        "NOT_YOUR_TURN",
        StatusCode.FAILED_PRECONDITION,
        409,
        "This seat has nothing to decide now",
        "Wait until `to_act` names the seat; the stream tells when.",
    ),
    row(
        "MATCH_OVER",
        StatusCode.FAILED_PRECONDITION,
        409,
        "The match is over",
        "Nothing can be done any more. The export holds the whole match, its secret included.",
    ),
    row(
        "UNDO_NOT_ALLOWED",
        StatusCode.FAILED_PRECONDITION,
        422,
        "The match cannot go back so far",
        "`facts.reason` says why, `facts.seq` which move is in the way. `GET …/undo` says how far the seat may go.",
    ),
    row(
        "NOTHING_TO_UNDO",
        StatusCode.FAILED_PRECONDITION,
        422,
        "Nothing would be taken back",
        "The match stands as at that version already. Name an earlier one.",
    ),
    row(
        "NOTHING_TO_REDO",
        StatusCode.FAILED_PRECONDITION,
        422,
        "Nothing was taken back",
        "A redo puts back what the last undo took back, until the next move.",
    ),
    row(
        "PROPOSAL_OPEN",
        StatusCode.FAILED_PRECONDITION,
        409,
        "A proposal is open already",
        "It ends with its answers, with the next move, or when its time is up; `GET …/view` shows it.",
    ),
    row(
        "ABORT_NOT_ALLOWED",
        StatusCode.FAILED_PRECONDITION,
        422,
        "The seat may not ask for this",
        "`facts.reason` says why: the seat has left, or the others refused a moment ago.",
    ),
    row(
        "NO_PROPOSAL",
        StatusCode.FAILED_PRECONDITION,
        409,
        "No proposal waits for this seat",
        "It was answered, a move came first, or its time is up.",
    ),
    row(
        "NOTHING_TO_PLAY",
        StatusCode.FAILED_PRECONDITION,
        422,
        "Nobody has anything to decide at this table",
        "A fork begins where a decision is open. Name an earlier version.",
    ),
    row(
        "TIME_IS_UP",
        StatusCode.FAILED_PRECONDITION,
        409,
        "The time for this decision is up",
        "The house decides it within a moment; the stream tells what. What is asked after the deadline does not count.",
    ),
    row(
        "NOT_AWAY",
        StatusCode.FAILED_PRECONDITION,
        409,
        "The seat is not away",
        "It plays for itself, or has left for good. `clocks` of the match says which seats are `away`.",
    ),
    row(
        "MATCH_NOT_STARTED",
        StatusCode.FAILED_PRECONDITION,
        409,
        "The match has not begun",
        "Free seats must be taken first: `POST /v1/matches/{match_id}/join`. A match that was called off before never begins.",
    ),
    row(
        "SEAT_TAKEN",
        StatusCode.FAILED_PRECONDITION,
        409,
        "The seat is taken",
        "Ask for another seat, or for any free one.",
    ),
    row(
        "NO_FREE_SEAT",
        StatusCode.FAILED_PRECONDITION,
        409,
        "No seat is open",
        "All seats are taken, or kept for somebody.",
    ),
    row(
        "NOT_JOINABLE",
        StatusCode.FAILED_PRECONDITION,
        409,
        "The seat is kept for somebody else",
        "An invited seat is for its invite, a reserved one for its player.",
    ),
    row(
        "SEAT_GIVEN_UP",
        StatusCode.FAILED_PRECONDITION,
        409,
        "The seat has been given up since",
        "This request to join was granted once; since then the seat was left, or its tokens were revoked. Join with a fresh request id, or mint a token for the seat.",
    ),
    row(
        "MATCH_STARTED",
        StatusCode.FAILED_PRECONDITION,
        409,
        "The match has begun, or was called off",
        "Seats change hands before the start only. Who wants to stop playing resigns.",
    ),
    row(
        "NOT_FULL",
        StatusCode.FAILED_PRECONDITION,
        409,
        "The match cannot start with these seats",
        "Free seats must be the last ones, and the game for as many players as are there. `metadata` names them.",
    ),
    row(
        "MATCH_NOT_OVER",
        StatusCode.FAILED_PRECONDITION,
        409,
        "The match is not over",
        "A rematch follows a match that has ended, and only the export of one can be imported.",
    ),
    row(
        "MATCH_ID_TAKEN",
        StatusCode.ALREADY_EXISTS,
        409,
        "Another match has this id",
        "An imported match keeps its id. A match with that id is here already, and it is not this one.",
    ),
    row(
        "RULES_VERSION_UNSUPPORTED",
        StatusCode.FAILED_PRECONDITION,
        409,
        "These rules are not served here",
        "The match is played by rules the server does not have (yet: servers are being replaced), or a new match asked for "
        "such rules. `metadata.supported` names those it has; `GET /v1/games` says what they are.",
    ),
    row(
        "VERSION_CONFLICT",
        StatusCode.ABORTED,
        409,
        "The match has moved on",
        "Somebody moved first. `missed` holds the moves since; look again and decide again.",
        conditional_status=HTTPStatus.PRECONDITION_FAILED,
    ),
    row(
        "REQUEST_ID_REUSED",
        StatusCode.ALREADY_EXISTS,
        422,
        "The request id was used for something else",
        "A request id repeats one request. Take a fresh one for every new request.",
    ),
)
