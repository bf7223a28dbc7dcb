"""§12 Scoring after turn 5, with a line for every source of points.

§12 Scoring. After turn 5 every player scores family, offices and influence, and loses points for dishonor.

§12.1 Points for the family. A pasha scores 3, a merchant 2, a sage 1, the first pieces included.

§12.2 Points printed on offices. Every office scores the points printed on it, each copy on its own.

§12.3 Offices that count something. Eight offices score by what their owner has: influence markers, palaces with an
own office, kinds of goods left, offices of the Spies or the Military, sages, merchants or pashas. Each has steps, and
the highest step that is reached counts.

§12.4 Influence and dishonor. An influence marker scores 1, but all together 5 at most. A dishonor marker costs 2,
without any limit, so a total can be negative.

§12.5 What scores nothing. Goods, credit notes and mercenary tiles score nothing at the end, except for what an office
counts.

§12.6 Who wins. The player with most points wins. Players with equal points share the victory [R32].
"""

from __future__ import annotations

from typing import Final

from engine.al_rashid.box.areas import MILITARY, SPIES
from engine.al_rashid.box.components import (
    DISHONOR_POINTS,
    FAMILY_POINTS,
    INFLUENCE_LIMIT,
    MERCHANT,
    PASHA,
    SAGE,
)
from engine.al_rashid.box.offices import OFFICE, Metric, Office
from engine.al_rashid.event_parts import EndReason, PointLine, PointSource, SeatScore
from engine.al_rashid.events import MatchEnded
from engine.al_rashid.rules.turn import Turn
from engine.al_rashid.state import Stage, State
from engine.kernel.outcome import Outcome, ScoreLine, SeatResult
from engine.kernel.seats import Seat

PARAGRAPH: Final = {EndReason.TURNS_PLAYED: "12.6", EndReason.LAST_PLAYER_LEFT: "F8"}
_FAMILY: Final = (PointSource.PASHAS, PointSource.MERCHANTS, PointSource.SAGES)


def end_match(turn: Turn, reason: EndReason = EndReason.TURNS_PLAYED) -> None:
    """§12.6"""
    turn.record(MatchEnded(reason=reason, scores=scores(turn.state)))


def scores(state: State) -> tuple[SeatScore, ...]:
    """§12 Score every seat. Equal scores share a rank [R32]; players who have left rank behind those who stayed."""
    lines = [point_lines(state, Seat(seat)) for seat in range(state.seats)]
    totals = [sum(line.points for line in each) for each in lines]
    standings = [(seat not in state.left, totals[seat]) for seat in range(state.seats)]
    return tuple(
        SeatScore(
            seat=Seat(seat),
            rank=1 + sum(other > standings[seat] for other in standings),
            score=totals[seat],
            lines=lines[seat],
        )
        for seat in range(state.seats)
    )


def point_lines(state: State, seat: Seat) -> tuple[PointLine, ...]:
    """§12.1 to §12.4 Goods, notes and mercenaries score nothing (§12.5)."""
    player = state.players[seat]
    family = zip(_FAMILY, state.family(seat), FAMILY_POINTS, strict=True)
    return (
        *(
            PointLine(source=source.value, rule="12.1", count=count, points=count * each)
            for source, count, each in family
        ),
        *(_office_line(state, seat, OFFICE[held.office]) for held in player.offices),
        PointLine(
            source=PointSource.INFLUENCE.value,
            rule="12.4",
            count=player.influence,
            points=min(player.influence, INFLUENCE_LIMIT),
        ),
        PointLine(
            source=PointSource.DISHONOR.value,
            rule="12.4",
            count=player.dishonor,
            points=DISHONOR_POINTS * player.dishonor,
        ),
    )


def _office_line(state: State, seat: Seat, office: Office) -> PointLine:
    """§12.2, §12.3 Every copy counts; a variable office counts with the highest step reached."""
    if office.metric is None:
        return PointLine(source=office.id, rule="12.2", count=1, points=office.points)
    count = measured(state, seat, office.metric)
    reached = [step.points for step in office.steps if count >= step.at_least]
    points = max(reached, default=office.points)
    return PointLine(source=office.id, rule="12.3", count=count, points=points)


def measured(state: State, seat: Seat, metric: Metric) -> int:
    """§12.3 Return the number that a variable office scores by."""
    player = state.players[seat]
    palaces = [OFFICE[held.office].palace for held in player.offices]
    match metric:
        case Metric.INFLUENCE_MARKERS:
            return player.influence
        case Metric.DISTINCT_PALACES:  # [R38]
            return len(set(palaces))
        case Metric.DISTINCT_GOODS:
            return sum(count > 0 for count in player.goods)
        case Metric.SPIES_OFFICES:
            return palaces.count(SPIES)
        case Metric.MILITARY_OFFICES:
            return palaces.count(MILITARY)
        case Metric.SAGES:
            return state.family(seat)[SAGE]
        case Metric.MERCHANTS:
            return state.family(seat)[MERCHANT]
        case Metric.PASHAS:
            return state.family(seat)[PASHA]


def outcome(state: State) -> Outcome | None:
    """§12.6 Return how the match ended; None while it goes on."""
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
