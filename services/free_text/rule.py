"""The rule for free text: what is refused, and how the rest is stored.

Refused are characters that steer a terminal or a page (controls, line separators, changes of direction), code points that
are no characters (surrogates, noncharacters), and text in which nothing is visible. Everything else is taken: joiners of
Persian, Sinhala and emoji, every space, letters that this Python does not know yet.

Text is stored without spaces at its ends and in Unicode's normalization form C, so that a name typed on one keyboard equals
the same name typed on another. Lengths are counted in code points: how many of them make one sign for a reader depends on
the version of Unicode.
"""

from __future__ import annotations

import re
from typing import Final
from unicodedata import normalize

from services.free_text.characters import (
    BLANK,
    CONTROLS,
    DIRECTION_CHANGES,
    IGNORED,
    LINE_SEPARATORS,
    NONCHARACTERS,
    NORMALIZED,
    SPACES,
    SURROGATES,
    one_of,
)

_REFUSED: Final = {
    "a control character": re.compile(one_of(CONTROLS)),
    "a line separator": re.compile(one_of(LINE_SEPARATORS)),
    "a change of the direction of writing": re.compile(one_of(DIRECTION_CHANGES)),
    "a surrogate, half of a character": re.compile(one_of(SURROGATES)),
    "a noncharacter": re.compile(one_of(NONCHARACTERS)),
}
STEERING: Final = re.compile(
    one_of(f"{CONTROLS} {LINE_SEPARATORS} {DIRECTION_CHANGES} {SURROGATES} {NONCHARACTERS}")
)
"""The characters that are refused."""
_INVISIBLE: Final = re.compile(f"(?:{one_of(SPACES)}|{one_of(IGNORED)}|{one_of(BLANK)})+")
_ENDS: Final = re.compile(rf"\A{one_of(SPACES)}+|{one_of(SPACES)}+\Z")


class TextRefused(ValueError):  # noqa: N818 - reads as a sentence where it is raised
    """The text cannot be taken; the message says why, as the rest of a sentence about it."""


def stored(text: str, most: int) -> str:
    """Return text as it is stored. Raises TextRefused if it cannot be taken, or has more than `most` code points.

    The bound holds for the text as it was sent and as it is stored. The empty text means that there is none.
    """
    check_characters(text, most)
    if text and _INVISIBLE.fullmatch(text):
        raise TextRefused("has no visible character")
    if text.isascii() and text == text.strip(" "):
        return text
    kept = _ENDS.sub("", NORMALIZED.sub(lambda run: normalize("NFC", run[0]), text))
    if len(kept) > most:
        raise TextRefused(f"has {len(kept)} code points in normalization form C; at most {most} are kept")
    return kept


def check_id(text: str, most: int) -> None:
    """Raises TextRefused unless an id is text that is stored exactly as it was sent.

    An id is compared code point by code point. To change one silently could make two players one, so it is refused instead.
    """
    if stored(text, most) != text:
        raise TextRefused(
            "must be in Unicode's normalization form C and have no spaces at its ends, because ids are compared exactly"
        )


def check_characters(text: str, most: int) -> None:
    """Raises TextRefused if text has a character that is refused, or more than `most` code points."""
    if len(text) > most:
        raise TextRefused(f"has {len(text)} code points; at most {most} are kept")
    if (found := STEERING.search(text)) is not None:
        what = next(what for what, pattern in _REFUSED.items() if pattern.match(found[0]))
        raise TextRefused(
            f"has {what} (U+{ord(found[0]):04X}) at position {found.start()}, which cannot be shown"
        )
