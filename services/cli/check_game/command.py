"""`foldtable check-game`: asks of a game everything that every game must fulfil, and says what to do where it does not."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Final

import msgspec
import typer

from engine.registry import GAMES, REFUSED, GameUnusable
from services.cli.console import ERR, fail, say
from services.kit import building
from services.kit.check import Check
from services.kit.every_check import named
from services.kit.printed import printed
from services.kit.records.golden import NotWritten, write_first
from services.kit.running import run
from services.kit.subject import MATCHES, Subject, UnplayableError

MAX_MATCHES: Final = 10_000


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """A check with what it has found, for tools."""

    name: str
    asks: str
    checked: str
    skipped: str
    faults: list[dict[str, str]]
    seconds: float


def check_game(
    name: Annotated[str, typer.Argument(help="The game's id; without it, every installed game.")] = "",
    matches: Annotated[
        int, typer.Option(min=1, max=MAX_MATCHES, help="Random matches for each value of the options.")
    ] = MATCHES,
    seed: Annotated[int, typer.Option(min=0, help="Other random matches; the same seed, the same ones.")] = 0,
    only: Annotated[list[str] | None, typer.Option(help="This check only; repeatable.")] = None,
    show_list: Annotated[bool, typer.Option("--list", help="List the checks, and check nothing.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object, for tools.")] = False,
    write_golden: Annotated[
        str, typer.Option(help="Store a first match of the game under this name, and check nothing.")
    ] = "",
    golden: Annotated[
        Path | None,
        typer.Option(help="The folder of the stored matches, if the package does not say where they are."),
    ] = None,
    build: Annotated[
        bool,
        typer.Option(
            "--build", help="Build the package's generated files first: its descriptors and paragraphs."
        ),
    ] = False,
) -> None:
    """Check everything that a game must fulfil; exit code 1 if anything is wrong."""
    try:
        checks = named(tuple(only or ()))
    except KeyError as unknown:
        fail(str(unknown.args[0]), code=2)
    if show_list:
        say("\n".join(f"{check.name:20}{check.asks}" for check in checks))
        return
    games = (name,) if name else (*GAMES, *REFUSED)
    if not games:
        fail("no game is installed", code=2)
    if (write_golden or golden) and not name:
        fail("--write-golden and --golden need the name of a game", code=2)
    subjects = [_subject(one, matches, seed, golden, build=build) for one in games]
    if write_golden:
        _write_golden(subjects[0], write_golden)
        return
    report: dict[str, list[Checked]] = {}
    for subject in subjects:
        if not as_json:
            say(f"{subject.id}: {subject.game.title}, rules {subject.game.rules_version}")
        report[subject.id] = [_checked(check, subject, aloud=not as_json) for check in checks]
    wrong = any(one.faults for each in report.values() for one in each)
    if as_json:
        typer.echo(msgspec.json.encode({"ok": not wrong, "games": report}))
    raise typer.Exit(1 if wrong else 0)


def _subject(game_id: str, matches: int, seed: int, golden: Path | None, *, build: bool) -> Subject:
    """Return the game to check; end with one sentence if it cannot be used."""
    if game_id in REFUSED:
        fail(str(REFUSED[game_id]), code=2)
    if game_id not in GAMES:
        fail(f"unknown game {game_id!r}; there are: {', '.join(GAMES)}", code=2)
    if build:
        _build(game_id)
    try:
        return Subject(game_id, matches=matches, seed=seed, golden=golden)
    except GameUnusable as problem:
        fail(str(problem), code=2)


def _build(game_id: str) -> None:
    """Write the generated files of a package; end with one sentence if they cannot be made."""
    try:
        for path in building.build(GAMES[game_id]):
            ERR.print(f"{path.name} is written", markup=False)
    except (
        building.ToolsMissing,
        building.ContractRefused,
        building.NoMessage,
        building.NotInAFolder,
        ImportError,
        ValueError,
    ) as problem:
        fail(str(problem), code=2)


def _write_golden(subject: Subject, name: str) -> None:
    """Store a first match; end with one sentence if it cannot be stored."""
    try:
        path = write_first(subject, name)
    except NotWritten as problem:
        fail(str(problem), code=2)
    except UnplayableError as problem:
        fail(f"no match can be played: {problem.__cause__}; see the check `plays`", code=2)
    say(f"{path.parent.name}/{path.name} is written")


def _checked(check: Check, subject: Subject, *, aloud: bool) -> Checked:
    began = time.perf_counter()
    result = run(check, subject)
    if aloud:
        say(printed(check, result))
    return Checked(
        name=check.name,
        asks=check.asks,
        checked=result.checked,
        skipped=result.skipped,
        faults=[{"what": one.what, "where": one.where, "do": one.do} for one in result.faults],
        seconds=round(time.perf_counter() - began, 3),
    )
