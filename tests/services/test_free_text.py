"""Free text: what is taken, what is refused, how it is stored, and that no version of Unicode has a say in it."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.free_text import rule
from services.free_text.characters import NORMALIZED
from services.free_text.rule import STEERING, TextRefused, check_characters, check_id, stored

MOST = 100
TAKEN = {
    "a family of emoji": "👨‍👩‍👧‍👦",
    "a flag of two regional indicators": "🇫🇷",
    "a flag of tags": "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    "an emoji with a variation selector": "❤\ufe0f",
    "a skin tone": "👍🏽",
    "Persian with a non-joiner": "می‌خواهم",
    "Sinhala with a joiner": "ශ්\u200dරී",
    "French with a narrow space": "Ça va\u202f?",
    "a thin space": "1\u2009000",
    "a Japanese space": "山田\u3000太郎",
    "Khmer with a break of no width": "ភាសា\u200bខ្មែរ",
    "Hebrew with a mark of direction": "אב\u200f!",
    "a soft hyphen": "Donau\u00addampf",
    "a letter that Unicode 16 added": "\U00010d50",
    "a code point that is not assigned yet": "\U000323b0",
    "a sign of private use": "\ue000",
    "text about the blank": "a\u2800b",
    "nothing at all": "",
}
REFUSED = {
    "an escape": ("Ada\x1b[2J", "a control character (U+001B) at position 3"),
    "a line feed": ("Ada\nBo", "a control character (U+000A)"),
    "a null": ("\0", "a control character"),
    "a control of ISO 8859": ("a\x9b", "a control character (U+009B)"),
    "a line separator": ("Ada\u2028Bo", "a line separator"),
    "a paragraph separator": ("Ada\u2029", "a line separator"),
    "an override": ("Ada\u202eoB", "a change of the direction of writing (U+202E)"),
    "an embedding": ("\u202bAda", "a change of the direction of writing"),
    "an isolate": ("Ada\u2066Bo\u2069", "a change of the direction of writing"),
    "a surrogate": ("Ada\ud800", "a surrogate"),
    "a noncharacter": ("Ada\ufdd0", "a noncharacter"),
    "the last noncharacter": ("\U0010ffff", "a noncharacter (U+10FFFF)"),
    "spaces": ("   ", "no visible character"),
    "a fixed space": ("\u00a0", "no visible character"),
    "joiners": ("\u200d\u200c", "no visible character"),
    "a Hangul filler": ("\u3164", "no visible character"),
    "another Hangul filler": ("\u115f", "no visible character"),
    "half a Hangul filler": ("\uffa0", "no visible character"),
    "empty Braille": ("\u2800", "no visible character"),
    "variation selectors": ("\ufe0f\U000e0100", "no visible character"),
    "tags without a flag": ("\U000e0067\U000e007f", "no visible character"),
    "a mixture of everything that shows nothing": (
        " \u3000\u2060\ufeff\u00ad\u034f\u180e",
        "no visible character",
    ),
    "too much": ("x" * 101, "has 101 code points; at most 100 are kept"),
}


@pytest.mark.parametrize("what", TAKEN)
def test_text_that_people_write_is_taken_as_it_is(what: str) -> None:
    assert stored(TAKEN[what], MOST) == TAKEN[what]
    check_id(TAKEN[what], MOST)


@pytest.mark.parametrize("what", REFUSED)
def test_text_that_steers_or_shows_nothing_is_refused_with_the_reason(what: str) -> None:
    text, why = REFUSED[what]
    with pytest.raises(TextRefused) as refusal:
        stored(text, MOST)
    assert why in str(refusal.value)


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        pytest.param("  Ada\u3000", "Ada", id="spaces at the ends"),
        pytest.param(" A d  a ", "A d  a", id="but not those within"),
        pytest.param("Zoe\u0308", "Zoë", id="a letter and its mark"),
        pytest.param("\u1112\u1161\u11ab", "한", id="Hangul in parts"),
        pytest.param("e\u0301\u0323", "ẹ\u0301", id="marks in another order"),
        pytest.param("\u212b", "Å", id="the sign for ångström"),
        pytest.param("\u0958", "\u0915\u093c", id="a letter that the form C takes apart"),
    ],
)
def test_text_is_stored_trimmed_and_in_form_c(sent: str, kept: str) -> None:
    assert stored(sent, MOST) == kept
    with pytest.raises(TextRefused, match="compared exactly"):
        check_id(sent, MOST)


def test_the_bound_counts_code_points_as_sent_and_as_stored() -> None:
    assert stored("e\u0301" * 50, MOST) == "é" * 50
    with pytest.raises(TextRefused, match="has 102 code points"):
        stored("e\u0301" * 51, MOST)
    with pytest.raises(TextRefused, match="has 200 code points in normalization form C"):
        stored("\u0958" * 100, MOST)


def test_what_is_only_looked_up_may_have_been_stored_by_an_earlier_release() -> None:
    check_characters("e\u0301 ", MOST)
    check_characters("\u3164", MOST)


@given(st.text(max_size=MOST))
def test_what_is_stored_is_stored_again_as_it_is(text: str) -> None:
    """Else a name that came out of an export could not go in as it was."""
    try:
        kept = stored(text, 3 * MOST)
    except TextRefused:
        return
    assert stored(kept, 3 * MOST) == kept
    check_id(kept, 3 * MOST)


OF_ITS_VERSION = pytest.mark.skipif(
    unicodedata.unidata_version != "14.0.0", reason="this Python knows more than Unicode 14"
)
ASSIGNED = st.characters(exclude_categories=["Cn", "Cs"])


@OF_ITS_VERSION
@given(st.text(ASSIGNED, min_size=1, max_size=20).filter(lambda text: not STEERING.search(text)))
def test_it_is_form_c_for_all_that_unicode_14_has(text: str) -> None:
    assert NORMALIZED.sub(lambda run: unicodedata.normalize("NFC", run[0]), text) == unicodedata.normalize(
        "NFC", text
    )


@OF_ITS_VERSION
def test_the_table_has_every_character_that_normalization_changes() -> None:
    for code in range(0x110000):
        sign = chr(code)
        if NORMALIZED.fullmatch(sign):
            continue
        decomposed = unicodedata.decomposition(sign)
        assert not unicodedata.combining(sign), hex(code)
        assert not decomposed or decomposed.startswith("<"), hex(code)


def test_the_table_has_no_character_that_a_python_may_not_know() -> None:
    """All of Unicode 14 is assigned in every Python that we run on, and stays what it is."""
    unknown = [
        code
        for code in range(0x110000)
        if NORMALIZED.fullmatch(chr(code)) and unicodedata.category(chr(code)) == "Cn"
    ]
    assert unknown == []


def test_a_python_that_knows_a_newer_unicode_stores_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unicode 16 composes the letters U+1611E and U+1611E to U+16121; a server with an older Python must not differ."""
    parts, composed = "\U0001611e\U0001611e", "\U00016121"

    def newer(form: str, text: str) -> str:
        return unicodedata.normalize(form, text).replace(parts, composed)  # type: ignore[arg-type]

    here = stored(f"e\u0301 {parts} e\u0301", MOST)
    monkeypatch.setattr(rule, "normalize", newer)
    assert stored(f"e\u0301 {parts} e\u0301", MOST) == here == f"é {parts} é"
