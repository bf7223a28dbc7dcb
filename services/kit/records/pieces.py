"""Check that whatever an audience sees lies at a place of the table and has a name."""

from __future__ import annotations

from typing import Final

from engine.kernel.layout import Piece
from engine.kernel.text.texts import LANGUAGES
from services.kit.records.found import Found, audiences, check
from services.kit.records.tables import places_of
from services.kit.subject import Played, Subject

EVERY: Final = 5
"""Tables are looked at after every move of this number; pieces seldom move further."""


def look(subject: Subject, found: Found) -> None:
    """Look at the tables of all matches, as every audience sees them."""
    laid = False
    for played in subject.matches:
        places = set(places_of(subject.game, played.options, played.seats))
        for move, step in enumerate(played.steps, start=1):
            if move % EVERY != 1 and step is not played.steps[-1]:
                continue
            found.here = played.at(move)
            for audience in audiences(played.seats):
                found.looked("tables")
                pieces = subject.game.pieces(subject.game.view(step.state, audience))
                laid = laid or bool(pieces) or not places
                _check_ids(pieces, places, found)
                for piece in pieces:
                    found.looked("pieces")
                    _check(subject, played, piece, places, found)
    found.here = ""
    if not laid:
        found.add(
            "the layout has places, and `pieces` puts nothing on any of them in any match",
            "return from `pieces` what lies on the table, or leave the places out of the layout",
        )


def _check_ids(pieces: tuple[Piece, ...], places: set[str], found: Found) -> None:
    seen: set[str] = set()
    for piece in pieces:
        if piece.id in seen:
            found.add(f"two pieces have the id {piece.id}", "give every piece of a table an id of its own")
        if piece.id in places:
            found.add(f"the piece {piece.id} has the id of a place", "let ids of pieces and places differ")
        seen.add(piece.id)


def _check(subject: Subject, played: Played, piece: Piece, places: set[str], found: Found) -> None:
    if piece.place not in places:
        found.add(
            f"the piece {piece.id} lies at {piece.place}, which is no place of this table",
            "add the place to the layout, or name one that it has; on a mat, with `on_mat`",
            kind=f"place {piece.place.partition('@')[0]}",
        )
    for language in LANGUAGES:
        if piece.component and f"component.{piece.component}" not in subject.game.texts.catalogues[language]:
            found.add(
                f"the piece {piece.id} has no name: {language}.json has no message component.{piece.component}",
                "add the component to `Texts.components` and a message in every language",
            )
    if not piece.kind:
        found.add(f"the piece {piece.id} is of no kind", "say in `kind` which pieces look alike")
    if piece.count < 1:
        found.add(
            f"the piece {piece.id} lies there {piece.count} times",
            "leave out what is not there",
            kind="count",
        )
    if piece.seat is not None and not 0 <= piece.seat < played.seats:
        found.add(
            f"the piece {piece.id} belongs to seat {piece.seat}, which is not in the match",
            "name a seat of the match",
        )


PIECES: Final = check("pieces", "everything that an audience sees lies at a place and has a name", look)
