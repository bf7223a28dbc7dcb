"""The results of a simulation, for people and for tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table

from engine.kernel.game import AnyGame
from engine.kernel.text.text import Text
from services.cli.simulate.distribution import Share, Summary, share
from services.cli.simulate.simulation import Simulation
from services.cli.simulate.tally import Tally
from services.texts.formatting import sentence

SOMEBODY: Final = "…"


def report(simulation: Simulation, asked: int, tally: Tally) -> dict[str, Any]:
    """Return all results for tools, which depend only on the seed, not on the number of workers."""
    matches, moves = tally.matches, tally.lengths.total()
    return {
        "game": simulation.game,
        "options": msgspec.Raw(simulation.options),
        "seats": simulation.seats,
        "seed": simulation.seed,
        "rules_version": simulation.rules_version,
        "asked": asked,
        "matches": matches,
        "moves": tally.lengths.summary(),
        "longest_match": tally.longest.number,
        "draws": tally.draws.summary(),
        "ended_by": {reason: share(count, matches) for reason, count in _most_common(tally.reasons)},
        "wins": [share(tally.wins[seat], matches) for seat in range(simulation.seats)],
        "shared_wins": share(tally.shared, matches),
        "without_winner": share(tally.without_winner, matches),
        "scores": [
            tally.scores[seat].summary() if seat in tally.scores else None for seat in range(simulation.seats)
        ],
        "actions": {tag: {"count": n, "share": n / moves} for tag, n in _most_common(tally.actions)},
    }


def shown(game: AnyGame, simulation: Simulation, tally: Tally, speed: str, language: str) -> RenderableType:
    """Return all results for people."""
    facts = Table(
        title=f"{game.title}: {tally.matches:,} random matches, {simulation.seats} players, seed {simulation.seed}",
        title_justify="left",
        show_header=False,
    )
    facts.add_column(style="bold")
    facts.add_column()
    facts.add_row("moves per match", f"{_summarised(tally.lengths.summary())} (match {tally.longest.number})")
    facts.add_row("draws of luck per match", _summarised(tally.draws.summary()))
    facts.add_row("ended by", ends(game, tally.reasons, tally.matches, language))
    facts.add_row("actions", _shares(_most_common(tally.actions), tally.lengths.total()))
    facts.add_row("speed", speed)
    return Group(facts, _seats(simulation.seats, tally))


def _seats(seats: int, tally: Tally) -> Table:
    """Return a table with one line per seat: how often it won, and its points (median first) if the game has any."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    names = ["seat", "won", "95 % interval"]
    if tally.scores:
        names += ["points", "quartiles", "range", "mean"]
    for name in names:
        table.add_column(name, justify="right", no_wrap=True)
    for seat in range(seats):
        scores = tally.scores.get(seat)
        points = _columns(scores.summary()) if scores is not None else ()
        table.add_row(str(seat), *_interval(share(tally.wins[seat], tally.matches)), *points)
    table.add_row("shared", *_interval(share(tally.shared, tally.matches)))
    table.add_row("nobody", *_interval(share(tally.without_winner, tally.matches)))
    return table


def _interval(part: Share) -> tuple[str, str]:
    return f"{part.share:.1%}", f"{part.low * 100:.1f} to {part.high:.1%}"


def _columns(scores: Summary) -> tuple[str, ...]:
    quartiles = f"{scores.lower_quartile:g} to {scores.upper_quartile:g}"
    return f"{scores.median:g}", quartiles, f"{scores.least} to {scores.most}", f"{scores.mean:.1f}"


def _summarised(values: Summary) -> str:
    return (
        f"median {values.median:g}, quartiles {values.lower_quartile:g} and {values.upper_quartile:g}, "
        f"from {values.least} to {values.most}"
    )


def ends(game: AnyGame, reasons: Mapping[str, int], matches: int, language: str) -> str:
    """Return what part of the matches ended in which way, one per line: as sentences, with dots for the winners."""
    named = [(_end(game, reason, language), count) for reason, count in _most_common(reasons)]
    return _shares(named, matches)


def _end(game: AnyGame, reason: str, language: str) -> str:
    text = Text(f"end.{reason}", {"winners": SOMEBODY})
    return sentence(game, language, text).replace(f"{SOMEBODY}.", SOMEBODY)


def _shares(counts: list[tuple[str, int]], total: int) -> str:
    """Return what part of the total each count is, one per line."""
    return "\n".join(f"{count / total:6.1%}  {name}" for name, count in counts)


def _most_common(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return counts, largest first; equal counts by name, so that the order is always the same."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
