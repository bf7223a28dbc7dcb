"""§9 The eight clan patrons; each effect is implemented in the rule it changes.

§9 Clan patrons. Patrons are an option; each belongs to a clan and changes one rule. Kaiu Shihobu starts with 10 koku
more and builds in any region. Yasuki Taka scores 1 VP for each river space that touches the shore space of a build.
Yoritomo holds 3 cards and delivers to any region. Kudaka scores 3 VP for the first own customer of a region. Daidoji
Uji scores 2 VP for a sail that visits an opponent building. Kakita Ryoku may pay 1 favor to set the own die to any
face instead of rolling it [A23]. Shosuro Hyobu scores 3 VP when another player's marker passes this one on a track
[A21]. Bayushi Kachiko's markers jump over spaces with markers of others [A22].

§9.1 Draft. One random patron of each clan lies open. From the last player in turn order to the first, everybody takes
one, and with it the clan.

§9.2 Choice of two. Every player has a clan and takes one of its two patrons, in turn order [F7] [F14].
"""

from __future__ import annotations

from typing import Final

import msgspec

from engine.river_of_gold.box.components import Clan
from engine.river_of_gold.box.ids import PatronId


class Patron(msgspec.Struct, frozen=True, kw_only=True):
    """A patron of a clan."""

    id: PatronId
    clan: Clan
    name: str
    title: str


PATRONS: Final = (
    Patron(id=PatronId.PATRON_KAIU_SHIHOBU, clan=Clan.CRAB, name="Kaiu Shihobu", title="Master Engineer"),
    Patron(id=PatronId.PATRON_YASUKI_TAKA, clan=Clan.CRAB, name="Yasuki Taka", title="Wily Trader"),
    Patron(id=PatronId.PATRON_YORITOMO, clan=Clan.MANTIS, name="Yoritomo", title="Son of Storms"),
    Patron(
        id=PatronId.PATRON_KUDAKA,
        clan=Clan.MANTIS,
        name="Kudaka",
        title="Priestess of Tempests and Tides",
    ),
    Patron(id=PatronId.PATRON_DAIDOJI_UJI, clan=Clan.CRANE, name="Daidoji Uji", title="The Iron Crane"),
    Patron(
        id=PatronId.PATRON_KAKITA_RYOKU, clan=Clan.CRANE, name="Kakita Ryoku", title="Darling of the Courts"
    ),
    Patron(
        id=PatronId.PATRON_SHOSURO_HYOBU,
        clan=Clan.SCORPION,
        name="Shosuro Hyobu",
        title="Governor of the City of Lies",
    ),
    Patron(
        id=PatronId.PATRON_BAYUSHI_KACHIKO,
        clan=Clan.SCORPION,
        name="Bayushi Kachiko",
        title="Lady of Whispers",
    ),
)
CLAN_OF: Final = {patron.id: patron.clan for patron in PATRONS}

KAIU: Final = PatronId.PATRON_KAIU_SHIHOBU
TAKA: Final = PatronId.PATRON_YASUKI_TAKA
YORITOMO: Final = PatronId.PATRON_YORITOMO
KUDAKA: Final = PatronId.PATRON_KUDAKA
UJI: Final = PatronId.PATRON_DAIDOJI_UJI
RYOKU: Final = PatronId.PATRON_KAKITA_RYOKU
HYOBU: Final = PatronId.PATRON_SHOSURO_HYOBU
KACHIKO: Final = PatronId.PATRON_BAYUSHI_KACHIKO

KAIU_KOKU: Final = 10
TAKA_VP: Final = 1
"""For each river space that touches the shore space."""
YORITOMO_CARDS: Final = 1
"""How many cards more than others in the hand."""
KUDAKA_VP: Final = 3
UJI_VP: Final = 2
RYOKU_FAVOR: Final = 1
HYOBU_VP: Final = 3


def patrons_of(clan: Clan) -> tuple[PatronId, ...]:
    """Return a clan's two patrons."""
    return tuple(patron.id for patron in PATRONS if patron.clan is clan)
