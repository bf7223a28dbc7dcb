"""Ports: the wished one, or the next that is free."""

from __future__ import annotations

import socket

from services.cli.up.ports import LOOPBACK, free_port, is_free, port_near


def test_a_free_port_is_kept_and_a_taken_one_is_passed_over() -> None:
    with socket.socket() as taken:
        taken.bind((LOOPBACK, 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert not is_free(port)
        assert port_near(port) != port
    assert port_near(port) == port


def test_zero_means_any() -> None:
    assert is_free(free_port())
    assert port_near(0) > 0
