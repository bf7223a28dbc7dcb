"""The gateway with a fault in what it tells caches: `FOLDTABLE_PLANTED` says which. Started by behind_caches.py alone."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import gateway.headers
import gateway.hot.answered_move
import gateway.middleware
import gateway.routes.tables
import gateway.routes.views
from gateway.__main__ import main
from gateway.headers import HeaderLine


def no_audience() -> None:
    """An entity tag names the version, and nobody for whom it is."""
    for module in (gateway.routes.views, gateway.routes.tables, gateway.hot.answered_move):
        module.audience_mark = lambda *_: "0" * 12  # type: ignore[attr-defined]  # that is the fault


def silent() -> None:
    """Caches are told nothing."""
    _told([])


def public() -> None:
    """Whatever is read may be kept for a minute by anybody."""
    _told([(b"cache-control", b"public, max-age=60")])


def _told(instead: list[HeaderLine]) -> None:
    sound = gateway.headers.for_caches

    def told(scope: Any, headers: Iterable[HeaderLine]) -> list[HeaderLine]:
        lines = sound(scope, headers)
        if scope.get("method") != "GET":
            return lines
        return [line for line in lines if line[0] not in {b"vary", b"cache-control"}] + instead

    gateway.middleware.for_caches = told  # type: ignore[attr-defined]  # as above


FAULTS = {fault.__name__: fault for fault in (no_audience, silent, public)}

if __name__ == "__main__":
    FAULTS[os.environ.pop("FOLDTABLE_PLANTED")]()
    main()
