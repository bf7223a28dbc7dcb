"""`foldtable replay`: steps through an export in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from engine.kernel.errors import Unreadable
from engine.kernel.game import AnyGame
from engine.kernel.requests import Resign, StartMatch, read_request
from engine.kernel.seats import REFEREE, Audience, Seat, seat_audience
from engine.registry import game as registered_game
from services.cli.comparison import Replayed
from services.cli.console import fail, say
from services.cli.keys import key_presses
from services.cli.verify import ExportFile, read_export
from services.movelog.export_format import NULL, MatchDocument, MoveDocument
from services.movelog.verification import verify_document

HELP = "n next · p previous · g go to a version · q quit"


def replay(
    file: ExportFile,
    at: Annotated[int | None, typer.Option(min=0, help="Show the table after this move and end.")] = None,
    seat: Annotated[
        int | None, typer.Option(min=0, help="Look as this seat; without it everything is shown.")
    ] = None,
    no_input: Annotated[
        bool, typer.Option("--no-input", help="Print all moves in notation and end.")
    ] = False,
) -> None:
    """Step through an export: n, p, g, q. Without a terminal all moves are printed in notation."""
    document = read_export(file)
    player = Player(document, seat)
    if at is not None:
        say(player.page(player.bounded(at)))
    elif no_input or not (sys.stdin.isatty() and sys.stdout.isatty()):
        for version in range(1, player.last + 1):
            say(player.line(version))
        if player.last:
            say(player.table(player.last))
    else:
        step_through(player, key_presses(), input)


@dataclass
class Player:
    """A match that can be shown at any of its versions."""

    document: MatchDocument
    seat: int | None

    def __post_init__(self) -> None:
        """Fold the match once; says why it cannot be shown and ends otherwise."""
        document = self.document
        try:
            self._game: AnyGame = registered_game(document.game)
        except KeyError as unknown:
            fail(str(unknown.args[0]), code=2)
        if self.seat is not None and self.seat >= document.seats:
            fail(f"this match has the seats 0 to {document.seats - 1}", code=2)
        self._audience: Audience = REFEREE if self.seat is None else seat_audience(Seat(self.seat))
        self._replayed: Replayed | None = None
        if document.secret is not None:
            found = verify_document(document)
            if not found.ok:
                fail(f"move {found.difference_version}: {found.difference}; `foldtable verify` says more")
            self._replayed = Replayed(self._game, document)

    @property
    def last(self) -> int:
        return len(self.document.moves)

    def bounded(self, version: int) -> int:
        return max(0, min(version, self.last))

    def page(self, version: int) -> str:
        """Give the move that led to a version, and the table after it."""
        if version == 0:
            return f"{self._game.title}, {self.document.seats} players; the match has not started"
        return f"{self.line(version)}\n\n{self.table(version)}"

    def line(self, version: int) -> str:
        """Give one move in notation: who asked for what, and what came of it."""
        move = self.document.moves[version - 1]
        who = "start" if move.seat is None else f"seat {move.seat}"
        events = "; ".join(self._game.notation.event(event) for event in self._events(move, version))
        return f"{version:>4}  {who}: {self._asked(move)}\n      {events}"

    def table(self, version: int) -> str:
        """Draw the table; an export of a running match holds too little for that."""
        if self._replayed is None:
            return "(the match still runs: its table can be drawn once the export holds everything)"
        return self._game.notation.view(self._replayed.typed_view(version, self._audience))

    def _asked(self, move: MoveDocument) -> str:
        hidden = self.seat is not None and move.seat not in {None, self.seat}
        if hidden or move.request == NULL:
            return "(not shown)"
        try:
            request = read_request(self._game, bytes(move.request))
        except Unreadable as problem:
            return f"(unreadable: {problem.detail})"
        match request:
            case StartMatch():
                return f"{request.seats} players, options {bytes(request.options).decode()}"
            case Resign():
                return "resigns"
            case _:
                return self._game.notation.action(request)

    def _events(self, move: MoveDocument, version: int) -> tuple[Any, ...]:
        if self._replayed is not None:
            return self._replayed.typed_events(version, self._audience)
        try:
            return self._game.event_codec.decode_many(bytes(move.events))
        except Unreadable as problem:
            fail(f"move {version}: {problem.detail} (at {problem.pointer})", code=2)


def step_through(player: Player, keys: Callable[[], str], ask: Callable[[str], str]) -> None:
    """Show one version after another, as the keys say."""
    version = min(1, player.last)
    while True:
        say(f"\x1b[2J\x1b[H{player.page(version)}\n\nversion {version} of {player.last}   {HELP}")
        match keys():
            case "n" | " " | "\r" | "\n":
                version = player.bounded(version + 1)
            case "p":
                version = player.bounded(version - 1)
            case "g":
                wanted = ask("version: ").strip()
                version = player.bounded(int(wanted)) if wanted.isdecimal() else version
            case "q" | "\x03" | "\x04" | "":
                return
