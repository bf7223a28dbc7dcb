"""Write the types of the Python client from the OpenAPI document as it is served: `make docs`. No file of them is edited by hand.

`types.py` has the objects of the API, `games/<game>.py` what a game calls its actions, events and views, and `tables.py` the table
of each game.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tests.docs.python_types import Schema, formatted, joined, module, references
from tests.support.documents import ROOT
from tests.support.served_document import served_document

CLIENT: Final = ROOT / "clients/python/src/foldtable_client"
ROOTS: Final = (
    "AnnounceVacationRequest",
    "CancelledVacation",
    "CreateLoginCodeRequest",
    "CreateMatchRequest",
    "CreateMatchesRequest",
    "CreatePlayerSessionRequest",
    "CreatedMatch",
    "CreatedMatches",
    "Credential",
    "ErasedPlayer",
    "FeedMatch",
    "FollowingMatch",
    "ForkRequest",
    "GameDescription",
    "GameSummary",
    "JoinRequest",
    "JoinedMatch",
    "Layout",
    "LegalActionsAnswer",
    "LoginCode",
    "Match",
    "Move",
    "MoveAnswer",
    "MoveRehearsed",
    "PlayerRecord",
    "PlayerSession",
    "Problem",
    "QuickJoinRequest",
    "RematchRequest",
    "ReplacePlayerRequest",
    "ReplayTable",
    "RevokedPlayer",
    "RevokedSessions",
    "SeatsUpdatedData",
    "Table",
    "TablePatchedData",
    "UndoState",
    "UpdateMatchRequest",
    "UpdateSeatRequest",
    "Vacation",
    "Verification",
    "ViewAnswer",
)
"""What the client's methods take and give; whatever these name is written too."""
OF_A_GAME: Final = frozenset({"Action", "Event", "Options", "Template", "View"})
"""Each game has its own; here they are unions of the games'."""
_WRITTEN: Final = "written by `make docs` from the OpenAPI document, not by hand."


def written_modules() -> dict[Path, str]:
    """Return every module, by the file it is in."""
    components: dict[str, Schema] = served_document()["components"]["schemas"]
    games = sorted(name.removesuffix(".View") for name in components if name.endswith(".View"))
    modules = {
        "types.py": _types(components, games),
        "tables.py": _tables(components, games),
        "games/__init__.py": _init(games),
        **{f"games/{game}.py": _game(components, game) for game in games},
    }
    return {CLIENT / name: formatted(source, CLIENT / name) for name, source in modules.items()}


def _types(components: dict[str, Schema], games: list[str]) -> str:
    """Return the objects of the API: the roots and everything they refer to."""
    own = {name: components[name] for name in _named(components, games)}

    def naming(name: str) -> str:
        return name if _game_of(name, games) else joined(name)

    imports = f"from foldtable_client.games import {', '.join(games)}\n"
    return module(f"The API's objects as they travel: {_WRITTEN}", own, naming, imports=imports)


def _named(components: dict[str, Schema], games: list[str]) -> set[str]:
    named, waiting = set[str](), list(ROOTS)
    while waiting:
        name = waiting.pop()
        if name not in named and not _game_of(name, games):
            named.add(name)
            waiting += references(components[name])
    return named


def _game(components: dict[str, Schema], game: str) -> str:
    """Return what a game calls things."""
    own = {name: schema for name, schema in components.items() if _game_of(name, [game])}
    return module(
        f"What {game} calls its actions, events and views: {_WRITTEN}",
        own,
        lambda name: joined(name.removeprefix(f"{game}.")),
    )


def _init(games: list[str]) -> str:
    return module(f"What each game calls its actions, events and views: {', '.join(games)}.", {}, joined)


def _tables(components: dict[str, Schema], games: list[str]) -> str:
    """Return the table of each game, and how to tell them apart."""
    own: dict[str, Schema] = {}
    for game in games:
        legal, table = f"{game}.TableLegalActions", f"{game}.Table"
        own[legal] = _of_game(components["TableLegalActions"], game)
        own[table] = _of_game(components["Table"], game)

    def naming(name: str) -> str:
        if name in own:
            return joined(f"_{name}")
        return name if _game_of(name, games) else f"types.{joined(name)}"

    imports = f"from foldtable_client import types\nfrom foldtable_client.games import {', '.join(games)}\n"
    said = f"The table of each game, with its own view and actions: {_WRITTEN}"
    return module(said, own, naming, imports=imports, more="".join(_is_of(games, naming)))


def _is_of(games: list[str], naming: Any) -> Iterator[str]:
    for game in games:
        yield "@overload\n"
        yield f'def is_of(table: types.Table, game: Literal["{game}"]) -> TypeGuard[{naming(f"{game}.Table")}]: ...\n'
    yield "@overload\ndef is_of(table: types.Table, game: str) -> bool: ...\n"
    yield "def is_of(table: types.Table, game: str) -> bool:\n"
    yield '    """Return whether a table is of a game: then a type checker knows its view and its actions."""\n'
    yield '    return table["match"]["game"] == game\n'


def _of_game(schema: Any, game: str) -> Any:
    """Return a copy of a schema in which what games have of their own is one game's."""
    if isinstance(schema, list):
        return [_of_game(part, game) for part in schema]
    if not isinstance(schema, dict):
        return schema
    copied = {key: _of_game(part, game) for key, part in schema.items()}
    if "$ref" in copied:
        where, _, name = copied["$ref"].rpartition("/")
        if name in OF_A_GAME | {"TableLegalActions"}:
            copied["$ref"] = f"{where}/{game}.{name}"
    return copied


def _game_of(name: str, games: list[str]) -> str:
    """Return the game a component belongs to; empty if it is none's."""
    game = name.partition(".")[0]
    return game if game in games and "." in name else ""


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    for path, source in written_modules().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(source)
        print(f"{path.relative_to(ROOT)} is written")
