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
    """The player draws the first mercenary from the stack of this colour (§2.9)."""

    colour: Colour
    """The colour of the stack; the tile that is drawn goes into the player's hand."""


class HoldBack(Action, frozen=True, kw_only=True, tag="hold_back"):
    """The player keeps a pasha or a merchant to place it after all other pieces (§4.1)."""

    piece: Piece
    """The kind of piece, a pasha or a merchant of the player's reserve. One action holds back one piece, for one Diplomat."""


class Decline(Action, frozen=True, kw_only=True, tag="decline"):
    """The player does not use the optional effect that is offered (§13.6)."""


class PlacePiece(Action, frozen=True, kw_only=True, tag="place_piece"):
    """The player puts one piece on an area (§4.2, §4.3)."""

    piece: Piece
    """The kind of piece: from the reserve, or one that was held back once only held pieces are left (§4.3)."""
    area: Annotated[AreaId, _name]
    """The id of the palace or territory; the piece must be able to enter it (§4.4)."""


class MovePiece(Action, frozen=True, kw_only=True, tag="move_piece"):
    """The player moves one piece on the board: with a Plotter between palaces, with an Informer between territories (§5.1), or by a spy move between territories (§7.6)."""

    piece: Piece
    """The kind of piece; a single one moves, not the whole stack."""
    from_area: Annotated[AreaId, _name]
    """The id of the area that the piece leaves."""
    to_area: Annotated[AreaId, _name]
    """The id of the area that the piece enters; it must be able to (§4.4)."""


class Peek(Action, frozen=True, kw_only=True, tag="peek"):
    """The player uses a spy move to look at the face-down mercenaries of a territory (§7.6)."""

    territory: Annotated[AreaId, _name]
    """The id of the territory. Everybody learns which one it is, but only the player sees the values (§13.2)."""


class UseSmuggler(Action, frozen=True, kw_only=True, tag="use_smuggler"):
    """The player activates the Smuggler: gives one good and takes one of another kind (§10.2)."""

    give: Good
    """The kind of the good that goes to the supply."""
    take: Good
    """The kind of the good that comes from the supply; not the one that is given."""


class UseTrader(Action, frozen=True, kw_only=True, tag="use_trader"):
    """The player activates the Trader: gives one common good and takes one of each other common kind (§10.2)."""

    give: Good
    """The kind of the good that goes to the supply: hardwood, pottery or metals (§1.4)."""


class UseImporter(Action, frozen=True, kw_only=True, tag="use_importer"):
    """The player activates an importer and takes one good of its kind (§10.2)."""

    office: Annotated[OfficeId, _name]
    """The id of the importer, which decides the kind of good."""


class UseRecruiter(Action, frozen=True, kw_only=True, tag="use_recruiter"):
    """The player activates the Recruiter and draws one mercenary (§10.2)."""

    colour: Colour
    """The colour of the stack to draw from."""


class UseNegotiator(Action, frozen=True, kw_only=True, tag="use_negotiator"):
    """The player activates the Negotiator and looks at the mercenaries of a territory; what to remove is asked next (§10.2)."""

    territory: Annotated[AreaId, _name]
    """The id of the territory; everybody learns which one it is."""


class RemoveMercenary(Action, frozen=True, kw_only=True, tag="remove_mercenary"):
    """The player of the Negotiator discards an own tile and thereby the named tile, which has the same colour (§10.2) [R28]."""

    tile: Annotated[int, _tile]
    """The number of the tile on the territory, the `id` that the view and `TerritoryPeeked` give it."""
    own_value: Annotated[int, msgspec.Meta(ge=2, le=4)]
    """The value of the own tile that is discarded: 2, 3 or 4. Its colour is that of the named tile."""

    def __repr__(self) -> str:
        """Leave out the value, because a list of removals would reveal a hand."""
        return f"RemoveMercenary(tile={self.tile}, own_value=<hidden>)"


class ResolveArea(Action, frozen=True, kw_only=True, tag="resolve_area"):
    """The player names the area to be resolved, which is the mandatory part of an own turn (§5.3)."""

    area: Annotated[AreaId, _name]
    """The id of an area with at least one piece, anybody's, that was not resolved in this turn yet (§5.6)."""


class EndTurn(Action, frozen=True, kw_only=True, tag="end_turn"):
    """The player ends the own turn without activating an office (§5.3)."""


class DeclareVisit(Action, frozen=True, kw_only=True, tag="declare_visit"):
    """The player says what a visit to a guild's palace consists of: at most two of service, office and favor (§7.2)."""

    service: bool = False
    """Whether the player uses the palace's service, at the cost of the player's rank (§7.5)."""
    office: Annotated[OfficeId, _name] | None = None
    """The id of the office that the player buys, one that is still for sale in this palace; absent if none is bought (§7.4)."""
    note: bool = False
    """Whether the player spends a credit note on the office (§6.6)."""
    favor: Favor | None = None
    """The favor that the player uses: that of the palace, or at the Spies the one that the Favorite copies. Absent if none is
    used (§7.7)."""


class DeclareAudience(Action, frozen=True, kw_only=True, tag="declare_audience"):
    """The player says what a visit to Al-Rashid consists of: benevolence, an office, or both (§8.2)."""

    benevolence: Good | None = None
    """The good that the player takes with the benevolence; absent if the player does not take benevolence (§8.3)."""
    office: Annotated[OfficeId, _name] | None = None
    """The id of the office that the player buys, one that is still for sale at Al-Rashid; absent if none is bought (§8.4)."""
    note: bool = False
    """Whether the player spends a credit note on the office (§6.6)."""


class Pay(Action, frozen=True, kw_only=True, tag="pay"):
    """The player pays for the declared visit with exactly these goods (§6.4)."""

    goods: Goods
    """The goods that are paid. They must be worth the total at least (§6.3), and none of them may be one that could be left out
    [R9]; see `PayTemplate`."""


class ChooseFavors(Action, frozen=True, kw_only=True, tag="choose_favors"):
    """The player names the two different favors of the Impostor, in the order in which they are done (§10.2)."""

    first: Favor
    """The favor that is done first; not the Favorite's."""
    second: Favor
    """The favor that is done second: not the first one again, and not the Favorite's."""


class GiveGood(Action, frozen=True, kw_only=True, tag="give_good"):
    """The player gives the General a good for a mercenary of the named colour (§7.7)."""

    give: Good
    """The kind of the good that goes to the supply."""
    colour: Colour
    """The colour of the stack from which the mercenary is drawn."""


class SwapGood(Action, frozen=True, kw_only=True, tag="swap_good"):
    """The player swaps a good with the Vizier for one of another kind (§7.7)."""

    give: Good
    """The kind of the good that goes to the supply."""
    take: Good
    """The kind of the good that comes from the supply; not the one that is given."""


class NameColours(Action, frozen=True, kw_only=True, tag="name_colours"):
    """The player names how many mercenaries are drawn from each stack [R14]."""

    red: Annotated[int, msgspec.Meta(ge=0, le=4)]
    """How many tiles are drawn from the red stack, 0 or more."""
    blue: Annotated[int, msgspec.Meta(ge=0, le=4)]
    """How many tiles are drawn from the blue stack, 0 or more. Red and blue together are as many as the effect draws."""


class TakeGoods(Action, frozen=True, kw_only=True, tag="take_goods"):
    """The player takes two goods of choice for the Quartermaster (§10.2)."""

    goods: Goods
    """The two goods that come from the supply, of one kind or of two."""


class ConvertSage(Action, frozen=True, kw_only=True, tag="convert_sage"):
    """The player turns a sage into a merchant with the Alchemist [R29]."""

    area: Annotated[AreaId, _name] | None = None
    """The id of the area where the sage stands; absent for a sage in the reserve."""


class Flee(Action, frozen=True, kw_only=True, tag="flee"):
    """The player gives up the territory, takes two dishonor, and takes the pieces back (§9.2)."""


class Fight(Action, frozen=True, kw_only=True, tag="fight"):
    """The player fights for the territory and discards these own tiles (§9.2)."""

    tiles: Squad
    """The tiles that are discarded: at least one, and only of colours that lie on the territory now. All of them are lost,
    whether they win or not (§9.3)."""

    def __repr__(self) -> str:
        """Leave out the tiles, because a list of fights would reveal a hand."""
        return "Fight(tiles=<hidden>)"


class TakeSpoil(Action, frozen=True, kw_only=True, tag="take_spoil"):
    """The player of the Raider takes one good of a kind that is printed on the territory (§9.5)."""

    good: Good
    """The kind of the good, which comes from the supply."""


class TakeAll(Action, frozen=True, kw_only=True, tag="take_all"):
    """The player, who has trade rank 1, takes all goods of one kind from the territory (§9.7)."""

    good: Good
    """The kind of goods; the player takes every good of it that lies there."""


class TakeItems(Action, frozen=True, kw_only=True, tag="take_items"):
    """The player takes items from the territory: up to three at trade rank 1, two at rank 2, one at rank 3.

    A credit note is an item (§9.7).
    """

    goods: Goods
    """The goods that the player takes from the territory, in any mix; empty if the player takes no goods."""
    note: bool = False
    """Whether the player takes the credit note that lies there. It counts as one of the items."""


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
