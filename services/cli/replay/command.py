"""`foldtable replay`: opens a match in the browser, or prints it."""

from __future__ import annotations

import asyncio
import shutil
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from engine.kernel.errors import Unreadable
from engine.kernel.seats import Audience
from services.cli.console import ERR, fail, printable, say
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
from services.cli.replay.page import NotOpened, open_page
from services.cli.replay.printed import Show, print_json, print_moves
from services.cli.replay.recorded_match import NotShown, Recorded, recorded
from services.cli.replay.words import looking, title
from services.cli.running_system import USUAL_HOME, HomeOption, Key, Url, key_of, url_of


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
            help=f"Audience: {WRITTEN}. Printed, by default: the referee once it has ended, before that the audience of "
            "the key.",
        ),
    ] = "",
    show: Annotated[
        Show | None, typer.Option(help="Print these parts of each move; both by default.")
    ] = None,
    printing: Annotated[
        bool, typer.Option("--print", "--plain", "--no-input", help="Print, and open no browser.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print a JSON object per move, one a line, for tools.")
    ] = False,
    lang: Lang = None,
    url: Url = "",
    key: Key = "",
    home: HomeOption = USUAL_HOME,
) -> None:
    """Open a match of a server in the browser. A file is printed, and so is a match if there is no browser or no terminal."""
    if move is not None and (first, last) != (None, None):
        fail("--move shows one move, --from and --to show several: use one or the other", code=2)
    audience = None if not look_as else read_audience(look_as)
    if look_as and audience is None:
        fail(f"--as {look_as}: not {WRITTEN}", code=2)
    place = place_of(match, url_of(url, home))
    # The page has neither a range nor parts, and its own choice of the language.
    of_printing = printing or as_json or any(option is not None for option in (first, last, show, lang))
    if isinstance(place, MatchAddress) and not of_printing and sys.stdout.isatty():
        key = key_of(key, place.url, home)
        if _is_opened(place, key, move, audience):
            return
    with ExitStack() as open_until_the_end:
        try:
            found = _found(place, key, home, audience, open_until_the_end)
            eyes = audience or found.usual()
            found.admit(eyes)
        except NotShown as problem:
            fail(str(problem))
        if not found.document.moves:
            typer.echo(f"{title(found)}: there is nothing to see yet")
            return
        versions = chosen(found, move, first, last)
        language = language_of(lang, as_json=as_json)
        _print(found, eyes, versions, show or Show.BOTH, language, as_json=as_json)


def _is_opened(place: MatchAddress, key: str, move: int | None, audience: Audience | None) -> bool:
    """Open the match in the browser; if there is none, say how to open it and return False."""
    try:
        link = asyncio.run(open_page(place, key, move, audience))
    except NotOpened as why:
        if str(why):
            say(str(why))
        return False
    except GATEWAY_TROUBLE as problem:
        fail(str(problem))
    say(f"opened {link}")
    return True


def _found(
    place: Path | MatchAddress, key: str, home: Path, audience: Audience | None, stack: ExitStack
) -> Recorded:
    """Return the match. Raises NotShown; end the program with a message for a wrong file."""
    if isinstance(place, Path):
        return recorded(read_export(place))
    gateway = stack.enter_context(Gateway(place.url, key_of(key, place.url, home)))
    try:
        document = gateway.document(place.match_id)
        if audience not in {None, document.audience} and document.audience != "all":
            document = gateway.document(place.match_id, audience)
    except GATEWAY_TROUBLE as problem:
        raise NotShown(str(problem)) from problem
    except Unreadable as problem:
        raise NotShown(
            f"the gateway's answer is not a match export: {problem.detail} (at {problem.pointer})"
        ) from problem
    return recorded(document, gateway, place)


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
