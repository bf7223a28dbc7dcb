"""The actions a seat may send. The rules, not these types, refuse ids that do not exist in the game."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec

from engine.al_rashid.box.components import (
    MAX_NAME,
    AreaId,
    Colour,
    Favor,
    Good,
    Goods,
    OfficeId,
    Piece,
    Squad,
)
from engine.kernel.records import Action

_name: Final = msgspec.Meta(max_length=MAX_NAME)
_tile: Final = msgspec.Meta(ge=0, le=1_000_000)


class ChooseStack(Action, frozen=True, kw_only=True, tag="choose_stack"):
    """§2.9 Draw the first mercenary from the stack of this colour."""

    colour: Colour


class HoldBack(Action, frozen=True, kw_only=True, tag="hold_back"):
    """§4.1 Keep a pasha or a merchant for the end of the placement phase."""

    piece: Piece


class Decline(Action, frozen=True, kw_only=True, tag="decline"):
    """§13.6 Do not use the optional effect that is offered."""


class PlacePiece(Action, frozen=True, kw_only=True, tag="place_piece"):
    """§4.2, §4.3"""

    piece: Piece
    area: Annotated[AreaId, _name]


class MovePiece(Action, frozen=True, kw_only=True, tag="move_piece"):
    """§5.1 With a Plotter between palaces, with an Informer between territories; §7.6 as a spy move."""

    piece: Piece
    from_area: Annotated[AreaId, _name]
    to_area: Annotated[AreaId, _name]


class Peek(Action, frozen=True, kw_only=True, tag="peek"):
    """§7.6 Look at the face-down mercenaries of a territory."""

    territory: Annotated[AreaId, _name]


class UseSmuggler(Action, frozen=True, kw_only=True, tag="use_smuggler"):
    """§10.2 Give a good, take one of another kind."""

    give: Good
    take: Good


class UseTrader(Action, frozen=True, kw_only=True, tag="use_trader"):
    """§10.2 Give a common good, take one of each other common kind."""

    give: Good


class UseImporter(Action, frozen=True, kw_only=True, tag="use_importer"):
    """§10.2 Take one good of the importer's kind."""

    office: Annotated[OfficeId, _name]


class UseRecruiter(Action, frozen=True, kw_only=True, tag="use_recruiter"):
    """§10.2 Draw a mercenary."""

    colour: Colour


class UseNegotiator(Action, frozen=True, kw_only=True, tag="use_negotiator"):
    """§10.2 Look at a territory's mercenaries; what to remove is asked next."""

    territory: Annotated[AreaId, _name]


class RemoveMercenary(Action, frozen=True, kw_only=True, tag="remove_mercenary"):
    """§10.2 [R28] Discard an own tile of this value to remove the named tile, which has the same colour."""

    tile: Annotated[int, _tile]
    own_value: Annotated[int, msgspec.Meta(ge=2, le=4)]

    def __repr__(self) -> str:
        """Leave out the value, because a list of removals would reveal a hand."""
        return f"RemoveMercenary(tile={self.tile}, own_value=<hidden>)"


class ResolveArea(Action, frozen=True, kw_only=True, tag="resolve_area"):
    """§5.3 The mandatory part of an own turn."""

    area: Annotated[AreaId, _name]


class EndTurn(Action, frozen=True, kw_only=True, tag="end_turn"):
    """§5.3 End the own turn without activating an office."""


class DeclareVisit(Action, frozen=True, kw_only=True, tag="declare_visit"):
    """§7.2 What a visit to a guild's palace consists of: at most two of service, office and favor."""

    service: bool = False
    office: Annotated[OfficeId, _name] | None = None
    note: bool = False
    """§6.6 Spend a credit note on the office."""
    favor: Favor | None = None
    """The favor: that of the palace's head; at the Spies the one that the Favorite copies."""


class DeclareAudience(Action, frozen=True, kw_only=True, tag="declare_audience"):
    """§8.2 What a visit to Al-Rashid consists of: benevolence, an office, or both."""

    benevolence: Good | None = None
    """§8.3 The good to take."""
    office: Annotated[OfficeId, _name] | None = None
    note: bool = False


class Pay(Action, frozen=True, kw_only=True, tag="pay"):
    """§6.4 Pay for the declared visit with exactly these goods."""

    goods: Goods


class ChooseFavors(Action, frozen=True, kw_only=True, tag="choose_favors"):
    """§10.2 The Impostor's two different favors, in the order in which they are done."""

    first: Favor
    second: Favor


class GiveGood(Action, frozen=True, kw_only=True, tag="give_good"):
    """§7.7 The General: a good for a mercenary of the colour."""

    give: Good
    colour: Colour


class SwapGood(Action, frozen=True, kw_only=True, tag="swap_good"):
    """§7.7 The Vizier: a good for one of another kind."""

    give: Good
    take: Good


class NameColours(Action, frozen=True, kw_only=True, tag="name_colours"):
    """[R14] How many mercenaries to draw from each stack."""

    red: Annotated[int, msgspec.Meta(ge=0, le=4)]
    blue: Annotated[int, msgspec.Meta(ge=0, le=4)]


class TakeGoods(Action, frozen=True, kw_only=True, tag="take_goods"):
    """§10.2 The Quartermaster: two goods of choice."""

    goods: Goods


class ConvertSage(Action, frozen=True, kw_only=True, tag="convert_sage"):
    """[R29] The Alchemist: a sage becomes a merchant."""

    area: Annotated[AreaId, _name] | None = None
    """Where the sage stands; absent for one in the reserve."""


class Flee(Action, frozen=True, kw_only=True, tag="flee"):
    """§9.2"""


class Fight(Action, frozen=True, kw_only=True, tag="fight"):
    """§9.2 Discard these own tiles."""

    tiles: Squad

    def __repr__(self) -> str:
        """Leave out the tiles, because a list of fights would reveal a hand."""
        return "Fight(tiles=<hidden>)"


class TakeSpoil(Action, frozen=True, kw_only=True, tag="take_spoil"):
    """§9.5 The Raider: a good of a kind printed on the territory."""

    good: Good


class TakeAll(Action, frozen=True, kw_only=True, tag="take_all"):
    """§9.7 Rank 1: all goods of one kind."""

    good: Good


class TakeItems(Action, frozen=True, kw_only=True, tag="take_items"):
    """§9.7 Up to three, two or one items, by rank; a credit note is an item."""

    goods: Goods
    note: bool = False


AlRashidAction = (
    ChooseStack
    | HoldBack
    | Decline
    | PlacePiece
    | MovePiece
    | Peek
    | UseSmuggler
    | UseTrader
    | UseImporter
    | UseRecruiter
    | UseNegotiator
    | RemoveMercenary
    | ResolveArea
    | EndTurn
    | DeclareVisit
    | DeclareAudience
    | Pay
    | ChooseFavors
    | GiveGood
    | SwapGood
    | NameColours
    | TakeGoods
    | ConvertSage
    | Flee
    | Fight
    | TakeSpoil
    | TakeAll
    | TakeItems
)
