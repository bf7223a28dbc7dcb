"""One line of English per event."""

from __future__ import annotations

from typing import Any, Final

from engine.river_of_gold.event_parts import Choice
from engine.river_of_gold.events import RiverOfGoldEvent
from engine.river_of_gold.text.wording import gains, goods, names, seats

_PLAIN: Final[dict[str, str]] = {
    "patron_chosen": "seat {seat} takes {patron} of the {clan} clan",
    "customer_discarded": "seat {seat} discards {customer}",
    "die_rolled": "seat {seat} rolls {face}",
    "die_set": "seat {seat} sets the die to {face} for {favor} favor",
    "turn_started": "turn {turn}: seat {seat}",
    "favor_spent": "seat {seat} turns the die {direction} to {face}",
    "goods_exchanged": "seat {seat} exchanges {number} {given} for 1 {taken}",
    "koku_exchanged": "seat {seat} exchanges {koku} koku for {favor} favor",
    "step_started": "{step} of seat {seat}",
    "choice_lapsed": "seat {seat} has nothing to gain from a choice ({kind})",
    "noble_rewarded": "seat {seat}: {vp} VP from {customer}",
    "patron_rewarded": "seat {seat}: {vp} VP from {patron}",
    "monk_rewarded": "seat {seat}: favor limit {favor_limit}, {favor} favor from {customer}",
    "royal_ship_launched": "the {ship} ship of seat {seat} is now royal",
    "marker_placed": "seat {seat} puts a second marker on {building} on {shore} ({customer})",
    "tile_discarded": "{building} leaves the row for good",
    "mastery_claimed": "seat {seat} claims {mastery}: {vp} VP",
    "turn_closed": "seat {seat} is done",
    "emperor_visited": "the Emperor visits",
    "last_exchanges_closed": "seat {seat} exchanges nothing more",
}
"""The lines of events that need only their fields, by tag."""


def event_line(event: RiverOfGoldEvent) -> str:
    """Return the line of an event, as far as its reader may see it."""
    tag = str(event.__struct_config__.tag)
    plain = _PLAIN.get(tag)
    if plain is not None:
        return plain.format(**{name: getattr(event, name) for name in event.__struct_fields__})
    return _course(tag, event) or _actions(tag, event) or _gained(tag, event)


def _course(tag: str, event: Any) -> str:  # noqa: C901 - one case per event
    match tag:
        case "match_started":
            placed = ", ".join(f"{each.building} on {each.shore}" for each in event.buildings)
            return f"match of {len(event.order)}; {seats(event.order)}; row {names(event.row)}; {placed}"
        case "seat_set_up":
            patron = "" if event.patron is None else f" with {event.patron}"
            ships = f"rolls {event.upstream_roll} to {event.upstream}, {event.midstream_roll} to {event.midstream}"
            return f"seat {event.seat} is {event.clan}{patron}: {event.koku} koku; {ships}"
        case "customer_drawn":
            return f"seat {event.seat} draws {event.customer or 'a customer'}"
        case "deck_reshuffled":
            return f"{len(event.customers)} discarded customers become the new deck"
        case "row_refilled":
            last = ", the last of its era" if event.emptied else ""
            return f"the row slides; {event.building or 'nothing'} enters{last}"
        case "end_triggered":
            return f"seat {event.seat} triggers the end: {event.vp} VP; last turns: {seats(event.last_turns)}"
        case "last_exchanges_opened":
            return f"the last turn is over; before the scoring may exchange: {seats(event.seats)}"
        case "seat_left":
            return f"seat {event.seat} leaves for good; discarded: {names(event.customers)}"
        case "match_ended":
            scores = ", ".join(
                f"seat {score.seat} {score.score} (rank {score.rank})" for score in event.scores
            )
            return f"match ends, {event.reason.lower().replace('_', ' ')}: {scores}"
        case "choice_opened":
            return f"seat {event.choice.seat} is to choose: {_choice(event.choice)}"
        case _:
            return ""


def _choice(choice: Choice) -> str:
    region = None if choice.region is None else f"region {choice.region}"
    origin = choice.shore or region or choice.customer
    return f"{choice.kind} ({choice.source}, {origin})"


def _actions(tag: str, event: Any) -> str:
    match tag:
        case "building_built":
            favor = ", and gains 1 favor" if event.favor else ""
            return f"seat {event.seat} builds {event.building} on {event.shore} for {event.koku} koku{favor}"
        case "ship_sailed":
            royal = "royal " if event.royal else ""
            done = "; the journey is completed" if event.completed else ""
            return f"seat {event.seat} sails the {royal}{event.ship} ship by {event.distance} to {event.to_space}{done}"
        case "customer_delivered":
            return f"seat {event.seat} delivers to {event.customer} for {goods(event.paid)}"
        case "good_chosen":
            return f"seat {event.seat} chooses 1 {event.good} ({event.source})"
        case "journey_completed":
            return f"seat {event.seat} has completed a journey: {names(event.bonuses)}"
        case "bonuses_lapsed":
            return f"seat {event.seat} gains nothing from {names(event.bonuses)}"
        case _:
            return ""


def _gained(tag: str, event: Any) -> str:
    match tag:
        case "influence_gained":
            steps = f"{event.from_space} to {event.to_space}"
            return f"seat {event.seat}: region {event.region} from {steps} ({event.source})"
        case "track_rewarded":
            return f"seat {event.seat}: {gains(event.gains)} for space {event.space} of region {event.region}"
        case "visitor_rewarded":
            there = event.building or "an empty space"
            return f"seat {event.seat} visits {there} on {event.shore}: {gains(event.gains)}"
        case "owner_rewarded":
            by = " by the Emperor" if event.emperor else ""
            return (
                f"seat {event.seat} owns {event.building} on {event.shore}, visited{by}: {gains(event.gains)}"
            )
        case "journey_rewarded":
            return f"seat {event.seat}: {gains(event.gains)} for the journey"
        case "merchant_used":
            sold = f" sells {goods(event.sold)}," if event.customer == "merchant_4" else ""
            return f"seat {event.seat} uses {event.customer}:{sold} {gains(event.gains)}"
        case _:
            raise TypeError(f"no notation for {tag}")
