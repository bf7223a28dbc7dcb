"""Keys as terminals send them."""

from __future__ import annotations

import pytest

from services.cli.replay.terminal import Keys


@pytest.mark.parametrize(
    ("sent", "keys"),
    [
        pytest.param(b"n", ["n"], id="a letter"),
        pytest.param(b"nnp", ["n", "n", "p"], id="three at once"),
        pytest.param("é→".encode(), ["é", "→"], id="beyond ASCII"),
        pytest.param(b"\r\n", ["enter", "enter"], id="enter"),
        pytest.param(b"\x7f\x08", ["backspace", "backspace"], id="backspace"),
        pytest.param(b"\x1b[A\x1b[B\x1b[C\x1b[D", ["up", "down", "right", "left"], id="arrows"),
        pytest.param(b"\x1bOA\x1bOH\x1bOF", ["up", "home", "end"], id="application mode"),
        pytest.param(b"\x1b[H\x1b[F\x1b[1~\x1b[4~", ["home", "end", "home", "end"], id="home and end"),
        pytest.param(b"\x1b[5~\x1b[6~n", ["page up", "page down", "n"], id="pages, then a letter"),
        pytest.param(b"\x1b[1;5Cn", ["\x1b[1;5C", "n"], id="a key without a name is one key"),
        pytest.param(b"\x1bn", ["escape", "n"], id="escape, then a letter"),
        pytest.param(b"\xff\xfe", ["\ufffd", "\ufffd"], id="no text at all"),
        pytest.param(b"\x04", ["closed"], id="Ctrl-D"),
    ],
)
def test_what_a_terminal_sends_is_decoded_however_it_arrives(sent: bytes, keys: list[str]) -> None:
    assert Keys().feed(sent) == keys
    bit_by_bit = Keys()
    assert [key for byte in sent for key in bit_by_bit.feed(bytes([byte]))] == keys


def test_escape_alone_is_known_when_nothing_follows() -> None:
    keys = Keys()
    assert keys.feed(b"\x1b") == []
    assert keys.is_open()
    assert keys.settle() == ["escape"]
    assert not keys.is_open()
    assert keys.feed(b"n") == ["n"]
