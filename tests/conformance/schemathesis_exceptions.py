"""What schemathesis would take for a fault though it is meant so: every row of it, and why.

The checks themselves are all on. A row excuses one kind of refusal of requests that their schema allows, no other; a
refusal that stands in no row fails the run.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from gateway.problems.reasons import REASONS

EVERYWHERE: Final = ""


@dataclass(frozen=True)
class Meant:
    """One way to refuse a request that fits its schema."""

    reason: str
    why: str
    code: str = ""
    """Of the part of the request that is refused, and where that stands; both may be cut short. Empty: any."""
    detail: str = ""
    """A pattern found in what is told about that part."""
    operations: str = EVERYWHERE
    """Operation ids, with spaces in between."""


MEANT: Final = (
    # ── what only the match can say ────────────────────────────────────────────────────────────────
    Meant("VERSION_CONFLICT", "The match has moved on; a schema cannot know its version."),
    Meant(
        "VERSION_REQUIRED",
        "The version may stand in If-Match or in the body; no schema can ask for one of the two.",
        operations="makeMove undoMoves redoMoves answerUndo answerAbort answerPause answerReplacement",
    ),
    Meant(
        "MALFORMED_REQUEST",
        "How many seats the match has, which are taken, and whether the credential speaks for one, no schema says.",
        code="MALFORMED_REQUEST /seat",
    ),
    Meant(
        "MALFORMED_REQUEST",
        "The same, where the seat stands in the path or in the query.",
        code="MALFORMED_REQUEST seat",
    ),
    Meant(
        "MALFORMED_REQUEST",
        "Players are erased meanwhile, and the seat of one gets no name and no data.",
        code="MALFORMED_REQUEST /data",
        operations="updateSeat",
    ),
    Meant(
        "MALFORMED_REQUEST",
        "The same of its name.",
        code="MALFORMED_REQUEST /name",
        operations="updateSeat",
    ),
    Meant("REQUEST_ID_REUSED", "The examples are sent more than once, with other bodies."),
    # ── what only the game can say ─────────────────────────────────────────────────────────────────
    Meant(
        "MALFORMED_OPTIONS",
        "Options of another game: which ones fit, `game` says.",
        operations="createMatch createMatches quickJoin",
    ),
    Meant(
        "MALFORMED_MOVE",
        "An action of another game: which ones fit, the match says.",
        operations="makeMove",
    ),
    Meant(
        "SEAT_COUNT",
        "For how many players a game is, the game says.",
        operations="createMatch createMatches quickJoin",
    ),
    Meant(
        "GAME_UNKNOWN",
        "There is no game of that name.",
        operations="createMatch createMatches quickJoin importMatch",
    ),
    Meant(
        "BOT_UNKNOWN",
        "The game has no bot of that level, or the name is a level's.",
        operations="createMatch createMatches forkMatch seatBot",
    ),
    # ── what two parts of a request say together ───────────────────────────────────────────────────
    Meant("MALFORMED_REQUEST", "Two parts of the request exclude each other.", code="CONTRADICTION"),
    Meant(
        "MALFORMED_REQUEST",
        "The audience `seat` needs a seat, any other must not have one.",
        code="MISSING_FIELD seat",
    ),
    Meant(
        "MALFORMED_REQUEST",
        "The matches stand in the query or in a ticket; no schema can ask for one of the two.",
        code="MISSING_FIELD matches",
        operations="streamMatches",
    ),
    Meant(
        "MALFORMED_REQUEST",
        "Each match once: ids in a string, which no schema compares, and ids that differ in case only.",
        code="REPEATED",
        operations="streamMatches createMatchesTicket",
    ),
    Meant(
        "MALFORMED_REQUEST",
        "A bot is named for a bot's seat and for no other, by its level or by its name.",
        code="MALFORMED_REQUEST /seating",
        operations="createMatch forkMatch",
    ),
    Meant(
        "MALFORMED_REQUEST",
        "There may be no more players than seats.",
        code="MALFORMED_REQUEST /players",
        operations="createMatch",
    ),
    Meant(
        "MALFORMED_REQUEST",
        "What is meant so of one match is meant so of one of several; and all of them are of one game.",
        code="MALFORMED_REQUEST /matches/",
        operations="createMatches",
    ),
    Meant(
        "MALFORMED_REQUEST",
        "A change of nothing is none: at least one of them.",
        code="MALFORMED_REQUEST",
        detail="at least one of `name`, `data` and `ready`",
        operations="updateSeat",
    ),
    Meant(
        "MALFORMED_REQUEST",
        "A change of nothing is none, here too.",
        code="MALFORMED_REQUEST",
        detail="must change at least one of title, visibility, reference, metadata",
        operations="updateMatch",
    ),
    Meant(
        "MALFORMED_REQUEST",
        "A query parameter with JSON in it is a string for a schema.",
        code="MALFORMED_REQUEST metadata",
        operations="listMatches exportMatches importMatch",
    ),
    Meant(
        "MALFORMED_REQUEST",
        "Metadata are I-JSON within bounds of depth and bytes, of which no schema of an object tells.",
        code="MALFORMED_REQUEST /metadata",
        operations="createMatch forkMatch rematch updateMatch",
    ),
    Meant(
        "MALFORMED_REQUEST",
        "Only a budget of time has an increment.",
        code="MALFORMED_REQUEST /clock/increment_seconds",
        operations="createMatch forkMatch",
    ),
    Meant(
        "MALFORMED_REQUEST",
        "Either the level or the name.",
        code="MALFORMED_REQUEST /level",
        operations="seatBot",
    ),
    Meant(
        "MALFORMED_REQUEST",
        "Who asks what changed since a moment pages by activity.",
        code="MALFORMED_REQUEST order",
        operations="listMatches exportMatches",
    ),
    # ── what schemathesis makes up by itself ───────────────────────────────────────────────────────
    Meant(
        "MALFORMED_REQUEST",
        "For If-Match it sends entity tags of every kind, whatever the pattern of the parameter.",
        code="NOT_A_VERSION If-Match",
    ),
    # ── what a value stands for ────────────────────────────────────────────────────────────────────
    Meant(
        "PAGE_TOKEN_INVALID", "Page tokens and cursors are made by the server; what is in them is its own."
    ),
    Meant(
        "MALFORMED_REQUEST",
        "Where webhooks may be sent, no schema says: to no private address, with https.",
        code="MALFORMED_REQUEST /url",
        operations="createEndpoint updateEndpoint",
    ),
    Meant(
        "MALFORMED_REQUEST",
        "Names and titles are shown to others: what is visible and normalized, Unicode says, not a pattern.",
        code="MALFORMED_REQUEST",
        detail="shown|visible|normalization form C",
    ),
    Meant(
        "MALFORMED_REQUEST",
        "JSON Schema counts 1.0 among the integers; where a whole number is asked for, we read none with a fraction.",
        code="WRONG_TYPE",
        detail="got a number with a fraction or exponent$",
    ),
    Meant(
        "MALFORMED_REQUEST",
        "Bodies are I-JSON, what passes through included; no schema says that of a value that may be anything.",
        code="OUT_OF_RANGE",
        detail="parsers read differently",
    ),
    Meant(
        "MALFORMED_REQUEST",
        "I-JSON has no noncharacters and no lone surrogates.",
        code="NOT_TEXT",
    ),
    Meant(
        "MALFORMED_REQUEST",
        "A key's end lies in the future.",
        code="OUT_OF_RANGE /expires_at",
        operations="createKey",
    ),
    Meant(
        "MALFORMED_REQUEST",
        "A vacation begins now or within a year, and lasts for a minute to a year: no schema knows what time it is.",
        code="MALFORMED_REQUEST /since",
        operations="announceVacation",
    ),
    Meant(
        "MALFORMED_REQUEST",
        "The same, of its end.",
        code="MALFORMED_REQUEST /until",
        operations="announceVacation",
    ),
    Meant(
        "MALFORMED_REQUEST",
        "An API key names the player, a session does not: no schema knows who asks.",
        code="MALFORMED_REQUEST /player",
        operations="announceVacation",
    ),
    Meant(
        "IMPORT_BROKEN",
        "An export is a chain of hashes; nobody can make one up.",
        operations="importMatch",
    ),
    Meant(
        "LOGIN_CODE_INVALID",
        "A login code is made by the server, and good once.",
        operations="redeemLoginCode",
    ),
)
PLAYS: Final = frozenset(
    [
        "createMatch",
        "createMatches",
        "forkMatch",
        "quickJoin",
        "makeMove",
        "resignSeat",
        "undoMoves",
        "redoMoves",
        "answerUndo",
        "abortMatch",
        "answerAbort",
        "pauseMatch",
        "answerPause",
        "resumeMatch",
        "askToReplace",
        "answerReplacement",
        "addTime",
    ]
)
"""Operations that rules can refuse with codes of their own, the games' or the table's: well-formed, and not allowed now."""


def meant(operation: str, problem: Mapping[str, Any]) -> bool:
    """Return whether a refusal of a well-formed request is one that is meant."""
    reason = problem["reason"]
    if reason not in REASONS or "rule" in problem:
        return operation in PLAYS
    parts = [(f"{part['code']} {_place(part)}", part["detail"]) for part in problem.get("errors", ())]
    return any(
        row.reason == reason
        and (row.operations == EVERYWHERE or operation in row.operations.split())
        and (
            not row.code
            or any(name.startswith(row.code) and re.search(row.detail, told) for name, told in parts)
        )
        for row in MEANT
    )


def _place(part: Mapping[str, str]) -> str:
    return part.get("pointer") or part.get("parameter") or part.get("header") or ""
