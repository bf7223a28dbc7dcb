"""A view as text for the terminal, with the ids of the API: the same in every language."""

from __future__ import annotations

from collections.abc import Iterator

from example_game.box import Bowl, Pebbles
from example_game.view import GameView, SeatView


def draw(view: GameView) -> str:
    """Return the drawing as several lines."""
    return "\n".join(_lines(view))


def _lines(view: GameView) -> Iterator[str]:
    rolled = f", die {view.pips}" if view.pips else ""
    chosen = f", bowl {view.chosen}" if view.chosen else ""
    yield f"round {view.round} of {view.rounds}, {view.stage}{rolled}{chosen}"
    for bowl in Bowl:
        inside = "  ".join(f"seat {each.seat}: {each.bowls.of(bowl)}" for each in view.seats)
        yield f"  {bowl:6}  {inside}"
    for player in view.seats:
        yield _seat(player)
    for waiting in view.pending:
        yield f"waiting for seat {waiting.seat}: {waiting.decision} (§{waiting.rule})"
    if view.outcome is not None:
        winners = " ".join(f"seat {seat}" for seat in view.outcome.winners)
        yield f"over: {view.outcome.reason}, won by {winners}"


def _seat(player: SeatView) -> str:
    placed = "" if not player.placed else f", placed {_pebbles(player.pebbles)}"
    left = ", left" if player.left else ""
    return (
        f"seat {player.seat}: hand {player.hand}, gone {player.gone}, points {player.points}, "
        f"favour {player.favour or '?'}{placed}{left}"
    )


def _pebbles(pebbles: Pebbles | None) -> str:
    return "?" if pebbles is None else f"{pebbles.left}/{pebbles.middle}/{pebbles.right}"
