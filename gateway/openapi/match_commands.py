"""Components for the server's own requests and events in moves, which belong to no game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from gateway.openapi.games import COMPONENT, Schema

_SEAT: Final[Schema] = {"type": "integer", "minimum": 0, "description": "The seat, counted from 0."}
_TO: Final[Schema] = {
    "type": "integer",
    "minimum": 1,
    "description": "The version whose state the match has again.",
}
_SEATS: Final[Schema] = {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 1}
_SECONDS: Final[Schema] = {
    "type": "integer",
    "minimum": 1,
    "description": "How much time each of them gets.",
}
_ACCEPT: Final[Schema] = {"type": "boolean", "description": "Whether it agrees."}

_Tagged = Mapping[str, tuple[str, Mapping[str, Schema]]]
"""Tag to meaning and members."""

_EVENTS: Final[_Tagged] = {
    "move_undone": ("A seat has taken moves back.", {"seat": _SEAT, "to": _TO}),
    "move_redone": ("A seat has restored moves that it had taken back.", {"seat": _SEAT, "to": _TO}),
    "undo_proposed": ("A seat proposes to take moves back.", {"seat": _SEAT, "to": _TO}),
    "undo_answered": ("A seat has answered that proposal.", {"seat": _SEAT, "accept": _ACCEPT}),
    "abort_proposed": ("A seat proposes to call the match off.", {"seat": _SEAT}),
    "abort_answered": ("A seat has answered that proposal.", {"seat": _SEAT, "accept": _ACCEPT}),
    "forked": (
        "The match begins with a state of another one.",
        {
            "of": {"type": "string", "format": "uuid", "description": "The other match."},
            "version": {
                "type": "integer",
                "minimum": 1,
                "description": "The version with whose state it begins.",
            },
            "audience": {
                "$ref": f"{COMPONENT}Audience",
                "description": "The audience whose knowledge was kept; everything hidden from it was dealt again.",
            },
            "state": {
                "description": "The complete state; null except for a referee.",
                "examples": [None],
            },
        },
    ),
    "match_aborted": (
        "The match is called off.",
        {
            "by": {
                "enum": ["tenant", "consent", "absence"],
                "description": "Who called it off: its tenant, or all of its seats.",
            },
            "seat": {
                "type": ["integer", "null"],
                "description": "The seat that proposed it; null for the tenant.",
            },
        },
    ),
    "pause_proposed": ("A seat proposes to pause the match.", {"seat": _SEAT}),
    "pause_answered": ("A seat has answered that proposal.", {"seat": _SEAT, "accept": _ACCEPT}),
    "match_paused": (
        "The match is paused: nobody has to act, and all clocks stand.",
        {
            "by": {
                "enum": ["tenant", "consent"],
                "description": "Who paused it: its tenant, or all of its seats.",
            },
            "seat": {
                "type": ["integer", "null"],
                "description": "The seat that proposed it; null for the tenant.",
            },
        },
    ),
    "match_resumed": (
        "The pause is over.",
        {
            "seat": {
                "type": ["integer", "null"],
                "description": "The seat that asked for it; null for the tenant.",
            }
        },
    ),
    "replacement_proposed": ("The others are asked whether another player may have a seat.", {"seat": _SEAT}),
    "replacement_answered": ("A seat has answered that proposal.", {"seat": _SEAT, "accept": _ACCEPT}),
    "replacement_agreed": ("All others agree that another player may have a seat.", {"seat": _SEAT}),
    "time_added": (
        "Clocks have more time.",
        {
            "by": {
                "type": ["integer", "null"],
                "description": "The seat that gave the time; null for the tenant.",
            },
            "seats": {**_SEATS, "description": "The seats that got it."},
            "seconds": _SECONDS,
        },
    ),
    "vacation_began": ("The player of a seat is on vacation: the seat's clock stands.", {"seat": _SEAT}),
    "vacation_ended": ("The vacation of a seat's player is over.", {"seat": _SEAT}),
    "seat_returned": ("The player of a seat that was away is back.", {"seat": _SEAT}),
}
_REQUESTS: Final[_Tagged] = {
    "resign": ("Leave for good.", {}),
    "undo": ("Take moves back, or propose it to the others.", {"to": _TO}),
    "redo": ("Restore the moves taken back last.", {}),
    "answer_undo": ("Answer the proposal to take moves back.", {"accept": _ACCEPT}),
    "abort": ("Call the match off, or propose it to the others.", {}),
    "answer_abort": ("Answer the proposal to call the match off.", {"accept": _ACCEPT}),
    "pause": ("Pause the match, or propose it to the others.", {}),
    "answer_pause": ("Answer the proposal to pause the match.", {"accept": _ACCEPT}),
    "resume": ("End the pause.", {}),
    "ask_to_replace": ("Ask the others whether another player may have the seat.", {}),
    "answer_replace": ("Answer the proposal to give a seat to another player.", {"accept": _ACCEPT}),
    "add_time": (
        "Give others time.",
        {"seats": {**_SEATS, "description": "The seats that get it."}, "seconds": _SECONDS},
    ),
    "begin_vacation": ("The player's announced vacation begins.", {}),
    "end_vacation": ("The player's vacation is over.", {}),
    "return_to_seat": ("Return to a seat that was away.", {}),
    "time_out": (
        "A seat's time was up.",
        {
            "action": {
                "type": "object",
                "description": "What the server did for the seat: an action of the game, or a resignation.",
                "examples": [{"type": "resign"}],
            },
            "decision": {
                "type": "string",
                "description": "Id of the decision that was not made in time.",
                "examples": ["program:round1:seat0"],
            },
        },
    ),
}


def command_components() -> dict[str, Schema]:
    """Return the components."""
    return {
        **_union(
            "MatchEvent",
            "An event of the server rather than of a game: an undo, a redo, a proposal or its answer, a match called off or paused, "
            "added time, a vacation, the begin of a fork, or a player's return. Public.",
            _EVENTS,
        ),
        **_union(
            "MatchCommand",
            "A request of a seat or of its clock that is not an action of the game.",
            _REQUESTS,
        ),
        "RequestedAction": {
            "title": "RequestedAction",
            "description": "The request: an action of the game, or one of the server's own requests.",
            "anyOf": [{"$ref": f"{COMPONENT}Action"}, {"$ref": f"{COMPONENT}MatchCommand"}],
        },
    }


def _union(name: str, description: str, members: _Tagged) -> dict[str, Schema]:
    references = {tag: f"{COMPONENT}{name}.{tag}" for tag in members}
    return {
        name: {
            "title": name,
            "description": description,
            "anyOf": [{"$ref": reference} for reference in references.values()],
            "discriminator": {"propertyName": "type", "mapping": references},
        },
        **{f"{name}.{tag}": _member(tag, *said) for tag, said in members.items()},
    }


def _member(tag: str, meaning: str, properties: Mapping[str, Schema]) -> Schema:
    return {
        "title": tag,
        "description": meaning,
        "type": "object",
        "required": ["type", *properties],
        "properties": {"type": {"type": "string", "const": tag, "description": "The kind."}, **properties},
    }
