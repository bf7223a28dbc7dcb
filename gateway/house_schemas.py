"""Components of what is of no game: the house's own requests and events, as they stand in moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from gateway.game_schemas import COMPONENT, Schema

_SEAT: Final[Schema] = {"type": "integer", "minimum": 0, "description": "The seat, counted from 0."}
_TO: Final[Schema] = {
    "type": "integer",
    "minimum": 1,
    "description": "The version the match stands at again.",
}
_ACCEPT: Final[Schema] = {"type": "boolean", "description": "Whether it agrees."}

_Tagged = Mapping[str, tuple[str, Mapping[str, Schema]]]
"""By tag: what it means, and its members."""

_EVENTS: Final[_Tagged] = {
    "move_undone": ("A seat has taken moves back.", {"seat": _SEAT, "to": _TO}),
    "move_redone": ("A seat has put moves back.", {"seat": _SEAT, "to": _TO}),
    "undo_proposed": ("A seat asks the others to take moves back.", {"seat": _SEAT, "to": _TO}),
    "undo_answered": ("A seat has answered that.", {"seat": _SEAT, "accept": _ACCEPT}),
    "abort_proposed": ("A seat asks the others to call the match off.", {"seat": _SEAT}),
    "abort_answered": ("A seat has answered that.", {"seat": _SEAT, "accept": _ACCEPT}),
    "forked": (
        "The match begins at a table of another one.",
        {
            "of": {"type": "string", "format": "uuid", "description": "The other match."},
            "version": {"type": "integer", "minimum": 1, "description": "At whose table it begins."},
            "audience": {
                "$ref": f"{COMPONENT}Audience",
                "description": "Whose knowledge was kept; the rest was dealt again.",
            },
            "state": {
                "description": "The whole table; null for everybody but a referee.",
                "examples": [None],
            },
        },
    ),
    "match_aborted": (
        "The match is called off.",
        {
            "by": {"enum": ["tenant", "consent"], "description": "By whom: its tenant, or all of its seats."},
            "seat": {"type": ["integer", "null"], "description": "The seat that asked; null for the tenant."},
        },
    ),
    "seat_returned": ("Somebody who was away is back.", {"seat": _SEAT}),
}
_REQUESTS: Final[_Tagged] = {
    "resign": ("Leave for good.", {}),
    "undo": ("Take moves back, or ask the others to.", {"to": _TO}),
    "redo": ("Put them back.", {}),
    "answer_undo": ("Answer who asked for it.", {"accept": _ACCEPT}),
    "abort": ("Call the match off, or ask the others to.", {}),
    "answer_abort": ("Answer who asked for it.", {"accept": _ACCEPT}),
    "return_to_seat": ("Be back at the table.", {}),
    "time_out": (
        "The time of a seat was up.",
        {
            "action": {
                "type": "object",
                "description": "What the house did in the seat's stead: an action of the game, or a resignation.",
                "examples": [{"type": "resign"}],
            },
            "decision": {
                "type": "string",
                "description": "Id of the decision it was late with.",
                "examples": ["program:round1:seat0"],
            },
        },
    ),
}


def house_components() -> dict[str, Schema]:
    """Give the components."""
    return {
        **_union(
            "HouseEvent",
            "An event of no game: moves were taken back or put back, the match was called off or begins as a fork, the "
            "others were asked, or somebody is back. Public.",
            _EVENTS,
        ),
        **_union(
            "HouseRequest", "A request of no game: what else a seat, or its clock, may ask for.", _REQUESTS
        ),
        "RequestedAction": {
            "title": "RequestedAction",
            "description": "What was asked: an action of the game, or something of the house.",
            "anyOf": [{"$ref": f"{COMPONENT}Action"}, {"$ref": f"{COMPONENT}HouseRequest"}],
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
        "properties": {"type": {"const": tag, "description": "Which kind it is."}, **properties},
    }
