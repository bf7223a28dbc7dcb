"""§8.5, §8.6 Final scoring, with a line for every source of points.

§8.5 Final scoring. In each region the players with influence are ranked, and the scoring tile says what each rank is
worth; tied players share [A34]. With 2 players the second scores only with influence of at least 1, and at most 5
spaces behind. Delivered customers score 0, 2, 5, 9, 14, 20 or 27 VP for 0 to 6 or more. Then merchants, nobles and
artisans score, each card on its own (§10).

§8.6 Who wins. Most VP win. Among equals, whoever held more favor when the final scoring began [A41]; if that is equal
too, they share the victory.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from engine.kernel.outcome import Outcome, ScoreLine, SeatResult
from engine.kernel.seats import Seat
from engine.river_of_gold.box.components import (
    CUSTOMER_VP,
    GOODS_PER_VP,
    KOKU_PER_VP,
    REGIONS,
    TWO_PLAYER_GAP,
    BuildingType,
    CustomerType,
    Region,
)
from engine.river_of_gold.box.customers import CUSTOMER, Customer
from engine.river_of_gold.box.ids import CustomerId
from engine.river_of_gold.box.masteries import tile_values
from engine.river_of_gold.event_parts import EndReason, PointLine, SeatScore, VpSource
from engine.river_of_gold.events import MatchEnded
from engine.river_of_gold.rules.holdings import elder_regions, owned_regions, owned_types
from engine.river_of_gold.rules.turn import Turn
from engine.river_of_gold.state import Stage, State

PARAGRAPH: Final = {EndReason.LAST_TURNS_PLAYED: "8.6", EndReason.LAST_PLAYER_LEFT: "F8"}
_PLAYED: Final[dict[VpSource, str]] = {
    VpSource.VISITOR_REWARDS: "5.2",
    VpSource.OWNER_REWARDS: "5.3",
    VpSource.TRACKS: "4.6",
    VpSource.MASTERIES: "7.1",
    VpSource.MERCHANTS: "10.3",
    VpSource.NOBLES: "10.5",
    VpSource.PATRON: "9",
    VpSource.END_TRIGGER: "8.3",
}
_NOBLE_TYPES: Final = {
    CustomerId.NOBLE_1: BuildingType.MARKET,
    CustomerId.NOBLE_2: BuildingType.PORT,
    CustomerId.NOBLE_3: BuildingType.MANOR,
    CustomerId.NOBLE_4: BuildingType.SHRINE,
}


def end_match(turn: Turn, reason: EndReason = EndReason.LAST_TURNS_PLAYED) -> None:
    """§8.5"""
    turn.record(MatchEnded(reason=reason, scores=scores(turn.state)))


def scores(state: State) -> tuple[SeatScore, ...]:
    """§8.6 Favor breaks ties [A41], equals share a rank; players who have left rank behind those who stayed [F8]."""
    regions = [region_vp(state, region) for region in REGIONS]
    lines = [tuple(_lines(state, Seat(seat), regions)) for seat in range(state.seats)]
    totals = [sum(line.points for line in each) for each in lines]
    standings = [
        (seat not in state.left, totals[seat], state.players[seat].favor) for seat in range(state.seats)
    ]
    return tuple(
        SeatScore(
            seat=Seat(seat),
            rank=1 + sum(other > standings[seat] for other in standings),
            score=totals[seat],
            favor=state.players[seat].favor,
            lines=lines[seat],
        )
        for seat in range(state.seats)
    )


def _lines(state: State, seat: Seat, regions: list[tuple[int, ...]]) -> Iterator[PointLine]:
    """§8.5 The VP of the match itself, then regions, customers, and each card. A player who has left keeps only the former [F8]."""
    player = state.players[seat]
    for source, vp in zip(VpSource, player.tally, strict=True):
        yield PointLine(source=source.value, rule=_PLAYED[source], count=vp, points=vp)
    if seat in state.left:
        return
    elders = elder_regions(player)
    for region in REGIONS:
        points = regions[region - 1][seat]
        influence = player.tracks[region - 1]
        yield PointLine(source=f"region_{region}", rule="8.5", count=influence, points=points)
        if region in elders:  # [A35] what is doubled is the rounded result
            yield PointLine(source=f"elder_{region}", rule="10.2", count=influence, points=points)
    number = len(player.delivered)
    yield PointLine(source="customers", rule="8.5", count=number, points=customer_vp(number))
    for card in player.delivered:
        line = _card_line(state, seat, CUSTOMER[card])
        if line is not None:
            yield line


def region_vp(state: State, region: Region) -> tuple[int, ...]:
    """§8.5 [A34] Return every seat's VP from a region's tile: tied players share the values of their ranks, rounded down."""
    values = tile_values(state.region_tiles[region - 1], state.seats)
    tracks = tuple(
        [0 if seat in state.left else player.tracks[region - 1] for seat, player in enumerate(state.players)]
    )
    return _shared_out(values, tracks)


@lru_cache(maxsize=4096)
def _shared_out(values: tuple[int, ...], tracks: tuple[int, ...]) -> tuple[int, ...]:
    """§8.5 [A34] Compute this by the markers on one track; cached, because the same positions recur."""
    result = [0] * len(tracks)
    for space in {track for track in tracks if track}:
        tied = [seat for seat, track in enumerate(tracks) if track == space]
        place = sum(track > space for track in tracks)
        if len(tracks) == 2 and place == 1 and max(tracks) - space > TWO_PLAYER_GAP:
            continue
        for seat in tied:
            result[seat] = sum(values[place : place + len(tied)]) // len(tied)
    return tuple(result)


def totals(state: State) -> list[int]:
    """§8.5 Return every seat's VP if the match ended now: the sums of the lines, without building the lines."""
    regions = [region_vp(state, region) for region in REGIONS]
    return [_total(state, Seat(seat), regions) for seat in range(state.seats)]


def _total(state: State, seat: Seat, regions: list[tuple[int, ...]]) -> int:
    player = state.players[seat]
    if seat in state.left:
        return player.vp
    total = player.vp + sum([vp[seat] for vp in regions]) + customer_vp(len(player.delivered))
    for card in player.delivered:
        line = _card_line(state, seat, CUSTOMER[card])
        if line is not None:
            total += line.points
    return total + sum([regions[region - 1][seat] for region in elder_regions(player)])


def customer_vp(number: int) -> int:
    """§8.5 Return the VP for delivered customers; more than six count as six."""
    return CUSTOMER_VP[min(number, len(CUSTOMER_VP) - 1)]


def _card_line(state: State, seat: Seat, customer: Customer) -> PointLine | None:
    """§8.5, §10 Return the end-game ability of a card; monks have none, elders double their region."""
    player = state.players[seat]
    match customer.type:
        case CustomerType.ARTISAN:
            return _line(customer, "10.1", sum(player.goods), sum(player.goods) // GOODS_PER_VP)
        case CustomerType.MERCHANT:
            return _line(customer, "10.3", player.koku, player.koku // KOKU_PER_VP)
        case CustomerType.NOBLE:
            count = _noble_count(state, seat, customer.id)
            return _line(customer, "10.5", count, count)
        case CustomerType.MONK | CustomerType.ELDER:
            return None


def _line(customer: Customer, rule: str, count: int, points: int) -> PointLine:
    return PointLine(source=customer.id.value, rule=rule, count=count, points=points)


def _noble_count(state: State, seat: Seat, noble: CustomerId) -> int:
    """§10.5 [A15] Count buildings of a type, different types, or regions."""
    if noble is CustomerId.NOBLE_6:
        return len(owned_regions(state, seat))
    types = owned_types(state, seat)
    return len(set(types)) if noble is CustomerId.NOBLE_5 else types.count(_NOBLE_TYPES[noble])


def outcome(state: State) -> Outcome | None:
    """§8.6"""
    if state.stage is not Stage.ENDED or state.reason is None:
        return None
    return Outcome(
        reason=state.reason,
        rule=PARAGRAPH[state.reason],
        winners=tuple(score.seat for score in state.scores if score.rank == 1),
        results=tuple(
            SeatResult(
                seat=score.seat,
                rank=score.rank,
                score=score.score,
                breakdown=tuple(
                    ScoreLine(reason=line.source, rule=line.rule, points=line.points) for line in score.lines
                ),
            )
            for score in state.scores
        ),
    )
