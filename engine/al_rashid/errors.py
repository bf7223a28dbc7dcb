"""The refusal codes of this game. The codes that all games share (not your turn, match over) are in the kernel."""

from __future__ import annotations

from engine.kernel.errors import RefusalCode


class Code(RefusalCode):
    """A code is never renamed and never gets another meaning."""

    # Names
    AREA_UNKNOWN = (
        "AREA_UNKNOWN",
        "4.2, 4.3, 5.1, 5.3, 7.6, 10.2",
        "No palace or territory, or not one of those that can be named here, has this name. Facts: `area`.",
    )
    OFFICE_UNKNOWN = ("OFFICE_UNKNOWN", "10", "No office has this name. Facts: `office`.")

    # §4 Placement, and every move of a piece
    PIECE_NOT_IN_RESERVE = (
        "PIECE_NOT_IN_RESERVE",
        "4.1",
        "The own reserve has no such piece. Facts: `piece`.",
    )
    PIECE_NOT_HELD = ("PIECE_NOT_HELD", "4.3", "Only held pieces are left to place. Facts: `piece`.")
    PIECE_NOT_IN_AREA = (
        "PIECE_NOT_IN_AREA",
        "5.1, 7.6",
        "No such own piece stands there. Facts: `piece`, `area`.",
    )
    SAGE_NOT_HELD_BACK = ("SAGE_NOT_HELD_BACK", "4.1", "Only pashas and merchants can be held back.")
    SECOND_BIG_PIECE = (
        "SECOND_BIG_PIECE",
        "4.5, R29",
        "One pasha or merchant per player and area. Facts: `area`.",
    )
    MERCHANT_AT_AL_RASHID = ("MERCHANT_AT_AL_RASHID", "4.4", "Merchants never enter the palace of Al-Rashid.")
    PASHA_FIRST = ("PASHA_FIRST", "4.4", "Sages enter the palace of Al-Rashid only after a pasha.")
    SAME_AREA = ("SAME_AREA", "5.1, 7.6", "A move ends elsewhere than where it began. Facts: `area`.")

    # §5 Own turn
    NO_OFFICER_FOR_MOVE = (
        "NO_OFFICER_FOR_MOVE",
        "5.1",
        "No Plotter (palaces) or Informer (territories) left for such a move. Facts: `from_area`, `to_area`.",
    )
    AREA_EMPTY = ("AREA_EMPTY", "5.3", "Nobody stands there. Facts: `area`.")
    AREA_RESOLVED = ("AREA_RESOLVED", "5.6, 7.6", "Once per turn. Facts: `area`.")
    AREA_NOT_RESOLVED = ("AREA_NOT_RESOLVED", "5.3", "The mandatory part of the turn is still to come.")
    AREA_ALREADY_NAMED = ("AREA_ALREADY_NAMED", "5.3", "One area per own turn.")
    ALREADY_ACTIVATED = ("ALREADY_ACTIVATED", "5.3", "One office per own turn.")
    OFFICE_NOT_OWNED = ("OFFICE_NOT_OWNED", "5.3", "The office is not the own one. Facts: `office`.")
    OFFICE_USED = ("OFFICE_USED", "5.3", "Face down until the upkeep. Facts: `office`.")
    OFFICE_NOT_ACTIVATED = (
        "OFFICE_NOT_ACTIVATED",
        "10.1, 10.2",
        "This office is not one to activate, or not by this action. Facts: `office`.",
    )
    NOTHING_TO_DRAW = (
        "NOTHING_TO_DRAW",
        "R41, F10",
        "Too few tiles of the colour are left, or none at all for a favor. Facts: `colour` or `favor`.",
    )
    NO_TILES_THERE = ("NO_TILES_THERE", "R41", "No tile lies on that territory. Facts: `territory`.")
    TILE_UNKNOWN = ("TILE_UNKNOWN", "10.2", "No such tile lies there. Facts: `tile`, `territory`.")
    TILE_NOT_IN_HAND = (
        "TILE_NOT_IN_HAND",
        "9.2, 10.2",
        "The hand has no such tile. Facts: `colour`, `value`.",
    )

    # Goods
    GOOD_NOT_OWNED = ("GOOD_NOT_OWNED", "6.8", "There is none of that good to give. Facts: `good`.")
    SAME_GOOD = ("SAME_GOOD", "10.2", "A swap is for another kind. Facts: `good`.")
    NOT_A_COMMON_GOOD = ("NOT_A_COMMON_GOOD", "10.2", "Only the common goods count here. Facts: `good`.")

    # §6 Payment
    VISIT_UNAFFORDABLE = (
        "VISIT_UNAFFORDABLE",
        "6.5",
        "All own goods together are worth less than the visit costs. Facts: `total`, `worth` of all own goods.",
    )
    GOODS_NOT_OWNED = (
        "GOODS_NOT_OWNED",
        "6.4",
        "The payment holds more of some goods than there are. Facts: `goods`, the kinds there are not enough of.",
    )
    PAYMENT_TOO_SMALL = (
        "PAYMENT_TOO_SMALL",
        "6.4",
        "The payment is worth less than the visit costs. Facts: `total`, `value` of the payment.",
    )
    PAYMENT_WASTEFUL = (
        "PAYMENT_WASTEFUL",
        "R9",
        "The payment would still do with one good less. Facts: `total`, `value`, `goods`, the kinds of which one can be left out.",
    )
    NO_GOOD_LEFT = (
        "NO_GOOD_LEFT",
        "7.7",
        "A favor that gives a good needs one after the payment. Facts: `favor`.",
    )
    NO_NOTE = ("NO_NOTE", "6.6", "The player has no credit note.")
    NOTE_WITHOUT_OFFICE = ("NOTE_WITHOUT_OFFICE", "6.6", "A note pays for nothing but an office.")

    # §7, §8 Visits
    TOO_MANY_ACTIONS = (
        "TOO_MANY_ACTIONS",
        "7.2",
        "More actions than a visit allows. Facts: `actions`, `limit`.",
    )
    NO_ACTION = ("NO_ACTION", "8.2, R21", "At Al-Rashid at least one.")
    OFFICE_ELSEWHERE = (
        "OFFICE_ELSEWHERE",
        "7.4",
        "The office belongs to another palace. Facts: `office`, `palace` where it belongs.",
    )
    OFFICE_SOLD_OUT = ("OFFICE_SOLD_OUT", "7.4", "No card of the office is left. Facts: `office`.")
    FAMILY_LIMIT = (
        "FAMILY_LIMIT",
        "7.5, R15",
        "The player cannot have more of these pieces. Facts: `piece`, `limit`.",
    )
    FAVOR_ELSEWHERE = ("FAVOR_ELSEWHERE", "7.7, 10.2", "The favor is not one of this palace. Facts: `favor`.")
    SAME_FAVOR_TWICE = ("SAME_FAVOR_TWICE", "10.2", "The Impostor's favors differ. Facts: `favor`.")
    WRONG_NUMBER = (
        "WRONG_NUMBER",
        "7.5, 10.2",
        "Another number of them has to be named. Facts: `number`, `expected`.",
    )
    NO_SAGE_THERE = ("NO_SAGE_THERE", "10.2", "The Alchemist finds no own sage there. Facts: `area`.")

    # §9 Territories
    CANNOT_FIGHT = ("CANNOT_FIGHT", "9.2, R23", "A fight needs at least one tile.")
    WRONG_COLOUR = ("WRONG_COLOUR", "R23", "No tile of that colour lies there. Facts: `colour`.")
    GOOD_NOT_PRINTED = ("GOOD_NOT_PRINTED", "9.5", "The territory does not show this good. Facts: `good`.")
    TOO_MANY_ITEMS = ("TOO_MANY_ITEMS", "9.7", "More than this rank takes. Facts: `items`, `limit`.")
    ONLY_FIRST_RANK = ("ONLY_FIRST_RANK", "9.7", "Only rank 1 takes all of a kind. Facts: `rank`.")
    NOT_ON_TERRITORY = (
        "NOT_ON_TERRITORY",
        "9.7",
        "The territory holds less of them. Facts: `items` there are not enough of.",
    )

    # Leaving
    ALREADY_LEFT = ("ALREADY_LEFT", "F8", "The seat has left before. Facts: `seat`.")
