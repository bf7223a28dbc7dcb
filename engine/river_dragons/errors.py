"""The codes of this game's refusals. The kernel defines the codes common to all games (not your turn, match over)."""

from __future__ import annotations

from engine.kernel.errors import RefusalCode


class Code(RefusalCode):
    """Stable: a code is never renamed and never gets another meaning."""

    # §5 Programming
    WRONG_NUMBER_OF_CARDS = (
        "WRONG_NUMBER_OF_CARDS",
        "5",
        "A program has exactly five cards. Facts: `cards`, `expected`.",
    )
    CARD_NOT_IN_HAND = (
        "CARD_NOT_IN_HAND",
        "3",
        "The own dragon, or the dragon of a colour not in play. Facts: `card`, `slot`.",
    )
    CARD_TWICE = ("CARD_TWICE", "5", "Every card exists once in a hand. Facts: `card`, `slot`.")
    SECOND_DRAGON = ("SECOND_DRAGON", "5", "At most one dragon. Facts: `card`, `slot`, `limit`.")
    ALREADY_SUBMITTED = ("ALREADY_SUBMITTED", "5", "A program cannot be changed. Facts: `round`.")

    # §7.1 Stones
    ISLAND_UNKNOWN = ("ISLAND_UNKNOWN", "7.1", "No island has this name. Facts: `island`.")
    ISLAND_HAS_STONE = ("ISLAND_HAS_STONE", "7.1", "A stone lies there already. Facts: `island`.")
    STONE_UNDER_PLANK = (
        "STONE_UNDER_PLANK",
        "7.1, R10",
        "The stone would touch planks that do not end there. Facts: `planks`.",
    )

    # §7.2 Planks
    PLANK_NOT_IN_RESERVE = (
        "PLANK_NOT_IN_RESERVE",
        "7.2",
        "The own reserve has no plank of that size. Facts: `size`, `sizes` (those in the reserve).",
    )
    SUPPORT_UNKNOWN = (
        "SUPPORT_UNKNOWN",
        "7.2, 7.3",
        "No village, island or stone has this name. Facts: `support`.",
    )
    SUPPORT_HAS_NO_STONE = ("SUPPORT_HAS_NO_STONE", "7.2, 7.3", "The island is bare. Facts: `support`.")
    SAME_SUPPORT_TWICE = ("SAME_SUPPORT_TWICE", "7.2", "A plank needs two supports. Facts: `support`.")
    TWO_VILLAGES = ("TWO_VILLAGES", "7.2", "A plank never joins two villages.")
    ALREADY_JOINED = ("ALREADY_JOINED", "7.2, R14", "A plank lies there. Facts: `plank`.")
    SUPPORT_FULL = ("SUPPORT_FULL", "7.2", "It carries three planks. Facts: `support`, `limit`.")
    PLANK_TOO_SHORT = (
        "PLANK_TOO_SHORT",
        "7.2, R17",
        "The plank does not reach from one support to the other. Facts: `size`, `distance` of the centres (rounded up) and `reach` of the plank, board units.",
    )
    CROSSES_PLANK = (
        "CROSSES_PLANK",
        "7.2, R15",
        "The plank would touch or cross another. Facts: `planks` it would touch, `supports` it would pass over as well.",
    )
    PASSES_OVER_SUPPORT = (
        "PASSES_OVER_SUPPORT",
        "7.2, R16",
        "The plank would pass over a stone or a village. Facts: `supports`, the stones and villages it would pass over.",
    )

    # §7.3 Remove
    PLANK_UNKNOWN = ("PLANK_UNKNOWN", "7.3", "No plank on the board has this name. Facts: `plank`.")
    PLANK_OCCUPIED = ("PLANK_OCCUPIED", "7.3", "A pawn stands on it. Facts: `plank`, `seat`.")
    SIZE_IN_RESERVE = (
        "SIZE_IN_RESERVE",
        "7.3",
        "The own reserve has a plank of that size. Facts: `size`, `colour`, `colours` (those in the reserve).",
    )
    THIRD_COLOUR = (
        "THIRD_COLOUR",
        "7.3, R18",
        "The own reserve would hold a third colour. Facts: `size`, `colour`, `colours` (those in the reserve).",
    )
    NOT_A_STONE = ("NOT_A_STONE", "7.3", "Villages stay. Facts: `support`.")
    STONE_CARRIES_PLANK = (
        "STONE_CARRIES_PLANK",
        "7.3",
        "The stone carries planks. Facts: `support`, `planks`.",
    )

    # §7.4 Moves
    PLACE_UNKNOWN = (
        "PLACE_UNKNOWN",
        "7.4",
        "No village, and no plank on the board, has this name. Facts: `place`.",
    )
    NOT_ADJACENT = (
        "NOT_ADJACENT",
        "7.4, 7.5",
        "For a jump: not next to the jumped pawn's plank. Facts: `place`, `from_place`.",
    )
    PLACE_TAKEN = ("PLACE_TAKEN", "7.4", "A pawn stands on that plank. Facts: `place`, `seat`.")

    # §7.5 Jump
    NOBODY_TO_JUMP = ("NOBODY_TO_JUMP", "7.5", "That pawn is not on an adjacent plank. Facts: `seat`.")
    LANDING_TAKEN = ("LANDING_TAKEN", "7.5", "A pawn stands on that plank. Facts: `place`, `seat`.")
    LANDING_AT_START = (
        "LANDING_AT_START",
        "7.5, R21",
        "A jump ends elsewhere than where it began. Facts: `place`.",
    )

    # §9 Expert side
    NOT_IN_WATER = (
        "NOT_IN_WATER",
        "9",
        "The stone must lie wholly in the water. Facts: `min_distance` to the edge.",
    )
    TOO_NEAR_VILLAGE = (
        "TOO_NEAR_VILLAGE",
        "9",
        "The stone would lie too near a village. Facts: `village`, `distance` of the centres (rounded down), `min_distance`.",
    )
    TOO_NEAR_STONE = (
        "TOO_NEAR_STONE",
        "9",
        "The stone would lie too near another. Facts: `stone`, `distance` of the centres (rounded down), `min_distance`.",
    )

    # [R23] Options
    ROUND_LIMIT_FIXED = (
        "ROUND_LIMIT_FIXED",
        "R23",
        "These rules have one round limit and leave nothing to choose. Facts: `rounds`, `rules_version`, `since` which rules it is an option.",
    )

    # [R29] Leaving
    ALREADY_LEFT = ("ALREADY_LEFT", "R29", "The seat has left before. Facts: `seat`.")
