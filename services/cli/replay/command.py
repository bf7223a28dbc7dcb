"""`foldtable replay`: steps through a match in the terminal, or prints it."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from engine.kernel.errors import Unreadable
from engine.kernel.seats import Audience
from services.cli.console import ERR, OUT, fail, printable
from services.cli.languages import Lang, language_of
from services.cli.matches.audience import WRITTEN, read_audience
from services.cli.matches.place import (
    GATEWAY_TROUBLE,
    FileOrMatch,
    Gateway,
    MatchAddress,
    place_of,
    read_export,
)
from services.cli.replay.browser import Browser, Show
from services.cli.replay.keys import press
from services.cli.replay.printed import print_json, print_moves
from services.cli.replay.recorded_match import NotShown, Recorded, recorded
from services.cli.replay.screen import frame
from services.cli.replay.terminal import Terminal
from services.cli.replay.words import looking, title
from services.cli.running_system import USUAL_HOME, HomeOption, Key, Url, key_of, url_of
from services.movelog.records import Status


def replay(
    match: FileOrMatch,
    move: Annotated[
        int | None, typer.Option("--move", "--at", min=1, help="Begin at this move; printed: only this one.")
    ] = None,
    first: Annotated[int | None, typer.Option("--from", min=1, help="Print from this move on.")] = None,
    last: Annotated[int | None, typer.Option("--to", min=1, help="Print up to this move.")] = None,
    look_as: Annotated[
        str,
        typer.Option(
            "--as",
            help=f"Audience: {WRITTEN}. Default: the referee once it has ended, before that the audience of the key.",
        ),
    ] = "",
    show: Annotated[Show, typer.Option(help="Which parts of each move to show.")] = Show.BOTH,
    plain: Annotated[
        bool, typer.Option("--plain", "--no-input", help="Print without waiting for keys, as in a pipe.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print a JSON object per move, one a line, for tools.")
    ] = False,
    lang: Lang = None,
    url: Url = "",
    key: Key = "",
    home: HomeOption = USUAL_HOME,
) -> None:
    """Step through a match with single keys (? lists them). Without a terminal everything is printed."""
    if move is not None and (first, last) != (None, None):
        fail("--move shows one move, --from and --to show several: use one or the other", code=2)
    audience = None if not look_as else read_audience(look_as)
    if look_as and audience is None:
        fail(f"--as {look_as}: not {WRITTEN}", code=2)
    with ExitStack() as open_until_the_end:
        source = Source(place_of(match, url_of(url, home)), key, home, audience, open_until_the_end)
        try:
            found = source.open()
            eyes = audience or found.usual()
            found.admit(eyes)
        except NotShown as problem:
            fail(str(problem))
        if not found.document.moves:
            typer.echo(f"{title(found)}: there is nothing to see yet")
            return
        printed = plain or as_json or (first, last) != (None, None) or not has_terminal()
        versions = chosen(found, move, first, last)
        language = language_of(lang, as_json=as_json)
        if printed:
            _print(found, eyes, versions, show, language, as_json=as_json)
        else:
            _step(Browser(found, versions.start, eyes, language, show, source.again(found)))


class Source:
    """The source of the match: a file that is read once, or a gateway that can be asked again."""

    def __init__(
        self, place: Path | MatchAddress, key: str, home: Path, audience: Audience | None, stack: ExitStack
    ) -> None:
        self._place = place
        self._audience = audience
        self._gateway: Gateway | None = None
        if isinstance(place, MatchAddress):
            self._gateway = stack.enter_context(Gateway(place.url, key_of(key, place.url, home)))

    def open(self) -> Recorded:
        """Return the match. Raise NotShown; end the program with a message for a wrong file."""
        if isinstance(self._place, Path):
            return recorded(read_export(self._place))
        assert self._gateway is not None
        try:
            document = self._gateway.document(self._place.match_id)
            if self._audience not in {None, document.audience} and document.audience != "all":
                document = self._gateway.document(self._place.match_id, self._audience)
        except GATEWAY_TROUBLE as problem:
            raise NotShown(str(problem)) from problem
        except Unreadable as problem:
            raise NotShown(
                f"the gateway's answer is not a match export: {problem.detail} (at {problem.pointer})"
            ) from problem
        return recorded(document, self._gateway, self._place)

    def again(self, found: Recorded) -> Callable[[], Recorded] | None:
        """Return a function that fetches a running match again; None for any other match."""
        running = found.document.status is Status.RUNNING
        return self.open if running and self._gateway is not None else None


def has_terminal() -> bool:
    """Return whether keys can be read and screens drawn."""
    return sys.stdin.isatty() and sys.stdout.isatty() and not OUT.is_dumb_terminal


def chosen(match: Recorded, move: int | None, first: int | None, last: int | None) -> range:
    """Return the requested moves; end with a message if they do not exist."""
    there_are = len(match.document.moves)
    begin = move or first or 1
    end = min(move or last or there_are, there_are)
    if begin > there_are:
        fail(f"move {begin}: this match has the moves 1 to {there_are}", code=2)
    if begin > end:
        fail(f"--from {begin} lies after --to {end}", code=2)
    return range(begin, end + 1)


def _print(
    match: Recorded, audience: Audience, versions: range, show: Show, language: str, *, as_json: bool
) -> None:
    try:
        if as_json:
            missing = print_json(match, audience, versions, show, language, typer.echo)
        else:
            typer.echo(f"{title(match)}; {looking(audience)}")
            width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
            missing = print_moves(match, audience, versions, show, language, typer.echo, width=width)
    except NotShown as problem:
        fail(str(problem))
    if missing and show is not Show.EVENTS:
        ERR.print(printable(f"no views: {missing}"), markup=False, soft_wrap=True)


def _step(browser: Browser) -> None:
    """Show one place after another as the keys direct; Ctrl-C quits like q."""
    try:
        with Terminal(OUT) as terminal:
            while not browser.done:
                terminal.show(frame(browser, *terminal.size))
                press(browser, terminal.key())
    except KeyboardInterrupt:
        return
