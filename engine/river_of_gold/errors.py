"""The codes of this game's refusals. Codes that every game shares (not your turn, match over) are in the kernel."""

from __future__ import annotations

from engine.kernel.errors import RefusalCode


class Code(RefusalCode):
    """Stable: a code is never renamed and never gets another meaning."""

    # Options
    CLANS_WITH_DRAFT = (
        "CLANS_WITH_DRAFT",
        "9.1",
        "In a draft the patron brings the clan; no clan can be given before.",
    )
    CLANS_WRONG_NUMBER = (
        "CLANS_WRONG_NUMBER",
        "2.5",
        "One clan for each seat, or none at all. Facts: `clans` given, `seats`.",
    )
    CLAN_REPEATED = ("CLAN_REPEATED", "2.5", "No two seats have the same clan. Facts: `clan`.")

    # §9 Patrons
    PATRON_NOT_OFFERED = (
        "PATRON_NOT_OFFERED",
        "9.1, 9.2",
        "The patron is not among those to choose from. Facts: `patron`, `offers`.",
    )

    # §3 Favor and exchanges
    FAVOR_NOT_OWNED = ("FAVOR_NOT_OWNED", "3.1, 9", "Not enough divine favor is held. Facts: `favor` held.")
    GOODS_NOT_OWNED = (
        "GOODS_NOT_OWNED",
        "3.4, 10.3",
        "Some kinds of goods there are not enough of. Facts: `goods`, the kinds there are not enough of.",
    )
    SAME_GOOD = ("SAME_GOOD", "3.4, A7", "An exchange is for another kind. Facts: `good`.")
    KOKU_NOT_OWNED = ("KOKU_NOT_OWNED", "3.4", "Not enough koku are held. Facts: `cost`, `koku` held.")
    GOOD_AT_CAP = (
        "GOOD_AT_CAP",
        "1.4, 3.4, 4.6, 5.2, 5.3, 5.4, 6.3, 10.3",
        "No further good of the kind can be held. Facts: `good`, `cap`.",
    )
    FAVOR_AT_LIMIT = ("FAVOR_AT_LIMIT", "1.4, 3.4", "No further favor can be held. Facts: `limit`.")
    KOKU_AT_CAP = ("KOKU_AT_CAP", "1.4, 5.4", "No further koku can be held. Facts: `cap`.")

    # §4 Build
    SPACE_OF_OTHER_REGION = (
        "SPACE_OF_OTHER_REGION",
        "4.1",
        "The space is not in the region of the die. Facts: `shore`, its `region`, the `die`.",
    )
    SPACE_NOT_EMPTY = (
        "SPACE_NOT_EMPTY",
        "4.1",
        "A building stands there. Facts: `shore`, the `building` there.",
    )
    SPACE_UNAFFORDABLE = (
        "SPACE_UNAFFORDABLE",
        "4.2",
        "The space costs more than is held. Facts: `shore`, its `cost` for this seat, `koku` held.",
    )
    TILE_NOT_IN_ROW = (
        "TILE_NOT_IN_ROW",
        "4.3",
        "The building is not among those on offer. Facts: `building`, the `row`.",
    )

    # §5 Sail
    DISTANCE_NOT_ALLOWED = (
        "DISTANCE_NOT_ALLOWED",
        "5.1",
        "The ship does not sail that far. Facts: `distance`, `allowed` for this ship.",
    )
    BONUS_NOT_OPEN = (
        "BONUS_NOT_OPEN",
        "5.4",
        "This bonus is not, or no longer, to be had from this journey. Facts: `bonus`, `open`.",
    )
    BONUS_GAINS_NOTHING = (
        "BONUS_GAINS_NOTHING",
        "11.3, A26",
        "Nothing would be gained from this merchant now. Facts: `bonus`.",
    )
    GOOD_WANTED = ("GOOD_WANTED", "10.3", "`merchant_3` gives a good of choice: say which.")
    GOOD_NOT_WANTED = ("GOOD_NOT_WANTED", "10.3", "This merchant gives no good of choice. Facts: `customer`.")
    MERCHANT_SELLS = ("MERCHANT_SELLS", "10.3", "`merchant_4` is resolved by selling goods, or none.")
    SALE_WASTEFUL = (
        "SALE_WASTEFUL",
        "10.3, F5",
        "A good would be sold for nothing. Facts: `goods` sold, `most` that earn something.",
    )

    # §6 Deliver
    CUSTOMER_NOT_IN_HAND = (
        "CUSTOMER_NOT_IN_HAND",
        "6.1, 6.4",
        "The hand has no such customer. Facts: `customer`.",
    )
    CUSTOMER_OF_OTHER_REGION = (
        "CUSTOMER_OF_OTHER_REGION",
        "6.1",
        "The customer does not live in the region of the die. Facts: `customer`, its `region`, the `die`.",
    )
    ORDER_NOT_PAYABLE = (
        "ORDER_NOT_PAYABLE",
        "6.2",
        "The order asks for more goods than are held. Facts: `customer`, `goods`, the kinds there are not enough of.",
    )

    # §10.4 Monks
    NO_BUILDING_THERE = ("NO_BUILDING_THERE", "10.4", "Nothing was built there. Facts: `shore`.")
    BUILDING_NOT_SINGLY_MARKED = (
        "BUILDING_NOT_SINGLY_MARKED",
        "10.4, A14",
        "A second marker needs exactly one before it. Facts: `shore`, `markers`.",
    )
    BUILDING_NOT_OWN = ("BUILDING_NOT_OWN", "10.4", "This monk goes to an own building. Facts: `shore`.")
    BUILDING_NOT_OPPONENTS = (
        "BUILDING_NOT_OPPONENTS",
        "10.4",
        "This monk goes to an opponent's building. Facts: `shore`.",
    )

    # Leaving
    ALREADY_LEFT = ("ALREADY_LEFT", "F8", "The seat has left before. Facts: `seat`.")
