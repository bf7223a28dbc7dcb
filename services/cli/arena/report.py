"""The results of an arena, for people and for tools."""

from __future__ import annotations

from typing import Any

import msgspec
from rich.box import SIMPLE_HEAD
from rich.table import Table

from engine.kernel.game import AnyGame
from services.cli.arena.matches import Arena
from services.cli.arena.tally import ArenaTally
from services.cli.simulate.distribution import interval
from services.cli.simulate.report import ends


def report(arena: Arena, asked: int, tally: ArenaTally) -> dict[str, Any]:
    """Return all results for tools. Except `seconds_per_move`, they depend only on the seed and a budget of playouts."""
    simulation = arena.simulation
    return {
        "game": simulation.game,
        "options": msgspec.Raw(simulation.options),
        "seats": simulation.seats,
        "seed": simulation.seed,
        "budget": {"seconds": arena.seconds} if arena.seconds > 0 else {"playouts": arena.playouts},
        "asked": asked,
        "matches": tally.matches,
        "moves": tally.lengths.summary(),
        "ended_by": dict(sorted(tally.reasons.items())),
        "levels": {level: level_report(tally, level) for level in arena.levels if level in tally.levels},
    }


def level_report(tally: ArenaTally, level: str) -> dict[str, Any]:
    """Return the results of one level for tools."""
    of = tally.levels[level]
    low, high = interval(of.wins, of.matches)
    return {
        "matches": of.matches,
        "wins": of.wins,
        "share": of.wins / of.matches,
        "low": low,
        "high": high,
        "mean_score": of.scores.summary().mean if len(of.scores) else None,
        "moves": of.moves,
        "seconds_per_move": of.seconds / of.moves if of.moves else None,
    }


def shown(game: AnyGame, arena: Arena, tally: ArenaTally, language: str) -> Table:
    """Return a table with one line per level."""
    simulation = arena.simulation
    budget = f"{arena.seconds:g} s" if arena.seconds > 0 else f"{arena.playouts} playouts"
    lengths = tally.lengths.summary()
    table = Table(
        title=f"{game.title}: {tally.matches:,} matches, {simulation.seats} players",
        title_justify="left",
        caption=f"seed {simulation.seed}, {budget} a move, median {lengths.median:g} moves a match; ended by\n"
        f"{ends(game, tally.reasons, tally.matches, language)}",
        caption_justify="left",
        box=SIMPLE_HEAD,
        pad_edge=False,
    )
    table.add_column("level", no_wrap=True)
    for name in ("wins", "95 % interval", "mean points", "moves", "ms a move"):
        table.add_column(name, justify="right", no_wrap=True)
    for level in arena.levels:
        if level in tally.levels:
            table.add_row(level, *_columns(level_report(tally, level)))
    return table


def _columns(level: dict[str, Any]) -> tuple[str, ...]:
    score, seconds = level["mean_score"], level["seconds_per_move"]
    return (
        f"{level['share']:.1%}",
        f"{level['low'] * 100:.1f} to {level['high']:.1%}",
        "-" if score is None else f"{score:.1f}",
        f"{level['moves']:,}",
        "-" if seconds is None else f"{seconds * 1000:.1f}",
    )
