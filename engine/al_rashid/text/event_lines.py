"""One line of English per event."""

from __future__ import annotations

from typing import Any, Final

from engine.al_rashid.events import AlRashidEvent
from engine.al_rashid.text.wording import goods, pieces, placed, seats, squad

_PLAIN: Final[dict[str, str]] = {
    "stack_rebuilt": "the {colour} discards become the new stack",
    "piece_held": "seat {seat} holds back {piece}",
    "holding_declined": "seat {seat} holds nothing back",
    "piece_moved": "seat {seat} moves {piece} from {from_area} to {to_area} ({by})",
    "manoeuvres_ended": "seat {seat} moves no further piece",
    "own_turn_started": "seat {seat} takes its turn",
    "office_used": "seat {seat} activates {office}",
    "notes_gained": "seat {seat} gets credit notes: {notes} ({source})",
    "influence_gained": "seat {seat} gets influence: {markers} ({source})",
    "dishonor_taken": "seat {seat} takes dishonor: {markers} ({source})",
    "mercenary_removed": "seat {seat} discards {colour} {own_value} to remove {colour} {value} from {territory}",
    "negotiation_ended": "seat {seat} removes nothing from {territory}",
    "piece_gained": "seat {seat} gets a {piece} ({source})",
    "favors_chosen": "seat {seat} has the impostor do {first}, then {second}",
    "good_given": "seat {seat} gives {good} for a {colour} mercenary",
    "colours_named": "seat {seat} names {red} red, {blue} blue ({source})",
    "conversion_declined": "seat {seat} converts no sage",
    "spy_move_waived": "seat {seat} waives a spy move",
    "battle_won": "seat {seat} wins the battle of {territory}",
    "area_closed": "{area} is resolved",
    "own_turn_ended": "seat {seat} ends its turn",
    "territories_refilled": "the territories are refilled",
    "offices_refreshed": "all offices are turned face up",
}
"""Events that are fully described by their fields, by tag."""


def event_line(event: AlRashidEvent) -> str:
    """Return the line of an event; values missing from a redacted event are left out."""
    tag = str(event.__struct_config__.tag)
    plain = _PLAIN.get(tag)
    if plain is not None:
        return plain.format(**{name: getattr(event, name) for name in event.__struct_fields__})
    return _course(tag, event) or _at_areas(tag, event) or _owners(tag, event)


def _course(tag: str, event: Any) -> str:
    match tag:
        case "match_started":
            return f"match of {len(event.seats)}; turn order: {seats(event.order)}"
        case "crisis_drawn":
            return f"crisis {event.crisis}: {placed(event.tiles)}"
        case "turn_started":
            return f"turn {event.turn}; order: {seats(event.order)}"
        case "piece_placed":
            held = "the held " if event.held else ""
            return f"seat {event.seat} places {held}{event.piece} in {event.area}"
        case "resolution_started":
            return f"resolution; officers to move: {seats(each.seat for each in event.manoeuvres)}"
        case "round_started":
            return f"round {event.round}; order: {seats(event.order)}"
        case "order_changed":
            return f"turn order from the next round on: {seats(event.order)}"
        case "seat_left":
            return f"seat {event.seat} leaves for good; discarded: {squad(event.tiles)}"
        case "match_ended":
            scores = ", ".join(
                f"seat {score.seat} {score.score} (rank {score.rank})" for score in event.scores
            )
            return f"match ends, {event.reason.lower().replace('_', ' ')}: {scores}"
        case _:
            return ""


def _at_areas(tag: str, event: Any) -> str:
    match tag:
        case "area_opened":
            ranks = ", ".join(f"{each.rank}. seat {each.seat} ({each.dominance})" for each in event.ranking)
            return f"seat {event.seat} names {event.area}: {ranks or 'nobody ranked'}"
        case "pieces_taken_back":
            back = pieces(event.pashas, event.merchants, event.sages)
            return f"seat {event.seat} takes back {back} from {event.area} ({event.reason})"
        case "tiles_revealed":
            return f"revealed: {placed(event.tiles)}"
        case "territory_peeked":
            return f"seat {event.seat} looks at {event.territory}: {placed(event.tiles)}"
        case "fought":
            spent, beaten = squad(event.spent), placed(event.beaten)
            return f"seat {event.seat} fights with {spent}; beaten: {beaten}; left: {event.remaining}"
        case "trade_started":
            return f"trade on {event.territory}: {seats(event.traders)}"
        case "traded":
            note = " and a credit note" if event.notes else ""
            return f"seat {event.seat} takes {goods(event.goods)}{note} from {event.territory}"
        case "spy_moves_started":
            return f"spy moves: {seats(event.moves)}"
        case _:
            return ""


def _owners(tag: str, event: Any) -> str:
    match tag:
        case "mercenaries_drawn":
            tiles = ", ".join(
                f"{tile.colour}{'' if tile.value is None else f' {tile.value}'}" for tile in event.tiles
            )
            return f"seat {event.seat} draws {tiles or 'nothing'}"
        case "goods_swapped":
            return f"seat {event.seat} gives {goods(event.given)} for {goods(event.taken)} ({event.source})"
        case "goods_gained":
            return f"seat {event.seat} gets {goods(event.goods)} ({event.source})"
        case "visit_declared":
            named = (event.service, event.office, event.favor, event.benevolence)
            parts = " and ".join(str(part) for part in named if part is not None)
            note = ", with a credit note" if event.note else ""
            return f"seat {event.seat} (rank {event.rank}) visits {event.area}: {parts or 'nothing'}{note}; total {event.total}"
        case "goods_paid":
            return f"seat {event.seat} pays {goods(event.goods)}, worth {event.value}, for {event.total}"
        case "office_acquired":
            note = ", with a credit note" if event.note else ""
            return f"seat {event.seat} acquires {event.office}{note}"
        case "sage_converted":
            return f"seat {event.seat} makes a merchant of a sage in {event.area or 'the reserve'}"
        case _:
            raise TypeError(f"no notation for {tag}")
