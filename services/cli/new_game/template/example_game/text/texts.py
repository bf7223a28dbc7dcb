"""How records become texts: keys of the catalogues beside this file, and arguments.

The arguments of a message are the fields of its record. `words` says how fields of a type are written, where the default does
not fit: a bowl is a word by which messages select, since its article and its case depend on the sentence.
"""

from __future__ import annotations

from typing import Final

from engine.interface import SEAT, Texts, TextWord

from example_game.box import DIE, Bowl
from example_game.events import EndReason
from example_game.hints import ActionGroup
from example_game.layout import FAVOUR, GONE, HAND, POINTS, in_secret
from example_game.legal import Decision
from example_game.rules.ending import ScoreReason
from example_game.state import Stage

_AS_IT_IS: Final = TextWord(str)

TEXTS: Final = Texts(
    package="example_game.text",
    words={Bowl: _AS_IT_IS, EndReason: _AS_IT_IS},
    facts={"seat": SEAT},
    decisions=tuple(Decision),
    scores=tuple(ScoreReason),
    ends=tuple(EndReason),
    groups=tuple(ActionGroup),
    components=(
        *Bowl,
        *Stage,
        *(f"pips_{pips}" for pips in range(1, DIE + 1)),
        *("pebble", "point", "die", "table", "round"),
        *(HAND, FAVOUR, POINTS, GONE),
        *(in_secret(bowl) for bowl in Bowl),
    ),
)
