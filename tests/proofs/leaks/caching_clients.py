"""Clients with an HTTP cache of their own, which read for one caller and then for another: the channels of behind_caches.py."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import hishel
import httpx
from hishel.httpx import CacheClient

from tests.proofs.leaks.caching_proxies import (
    NGINX,
    NGINX_CONFIGURATIONS,
    VARNISH,
    VARNISH_CONFIGURATIONS,
    proxy,
)
from tests.support import node
from tests.support.chromium import CHROMIUM, chromium_environment

SECONDS: Final = 240


class Visit(NamedTuple):
    """A read by a caller."""

    who: str
    target: str
    headers: dict[str, str]


class ShownAnswer(NamedTuple):
    """What a caller is shown."""

    status: int
    body: str


Reading = Callable[[str, Sequence[Visit]], list[ShownAnswer]]
"""Makes visits one after another through one cache: gets the address of the gateway."""


@dataclass(frozen=True)
class Channel:
    """A cache between a gateway and its callers."""

    read: Reading
    missing: str
    """Why it cannot be tried here; empty if it can."""


def directly(url: str, visits: Sequence[Visit]) -> list[ShownAnswer]:
    """Read without a cache."""
    with httpx.Client(base_url=url, timeout=60, verify=False, trust_env=False) as client:
        return [
            ShownAnswer(answer.status_code, answer.text)
            for answer in (client.get(visit.target, headers=visit.headers) for visit in visits)
        ]


def asking_again(url: str, visits: Sequence[Visit]) -> list[ShownAnswer]:
    """Read as a simple cache does, which keeps one response of an address and asks whether it still holds, whoever reads."""
    kept: dict[str, httpx.Response] = {}
    answers: list[ShownAnswer] = []
    with httpx.Client(base_url=url, timeout=60, verify=False, trust_env=False) as client:
        for visit in visits:
            known = kept.get(visit.target)
            tag = (
                {}
                if known is None or "etag" not in known.headers
                else {"if-none-match": known.headers["etag"]}
            )
            answer = client.get(visit.target, headers=visit.headers | tag)
            if answer.status_code == httpx.codes.NOT_MODIFIED and known is not None:
                answer = known
            elif answer.status_code == httpx.codes.OK:
                kept[visit.target] = answer
            answers.append(ShownAnswer(answer.status_code, answer.text))
    return answers


def _behind(name: str) -> Reading:
    def read(url: str, visits: Sequence[Visit]) -> list[ShownAnswer]:
        with proxy(name, url) as address:
            return directly(address, visits) + asking_again(address, visits)

    return read


def _with_hishel(*, shared: bool) -> Reading:
    def read(url: str, visits: Sequence[Visit]) -> list[ShownAnswer]:
        with tempfile.TemporaryDirectory() as folder:
            storage = hishel.SqliteStorage(database_path=Path(folder) / "cache.db")
            rules = hishel.CacheOptions(shared=shared)
            with CacheClient(base_url=url, timeout=60, storage=storage, rfc=rules, trust_env=False) as client:
                return [
                    ShownAnswer(answer.status_code, answer.text)
                    for answer in (client.get(visit.target, headers=visit.headers) for visit in visits)
                ]

    return read


def _by_program(script: str, **settings: str) -> Reading:
    def read(url: str, visits: Sequence[Visit]) -> list[ShownAnswer]:
        asked = json.dumps([{"target": visit.target, "headers": visit.headers} for visit in visits])
        with chromium_environment() as where:
            told: dict[str, Any] = node.printed_by(
                script, seconds=SECONDS, GATEWAY=url, VISITS=asked, **where, **settings
            )
        assert "unavailable" not in told, told
        return [ShownAnswer(status, body) for status, body in told["answers"]]

    return read


def channels() -> dict[str, Channel]:
    """Return every cache that can stand between a gateway and a caller."""
    without_node = node.why_not()
    return {
        "a simple cache": Channel(asking_again, ""),
        "hishel, private": Channel(_with_hishel(shared=False), ""),
        "hishel, shared": Channel(_with_hishel(shared=True), ""),
        "undici, private": Channel(_by_program("cached_in_undici.mjs", TYPE="private"), without_node),
        "undici, shared": Channel(_by_program("cached_in_undici.mjs", TYPE="shared"), without_node),
        "chromium": Channel(
            _by_program("cached_in_browser.mjs"),
            without_node or ("" if CHROMIUM else "needs Chromium"),
        ),
        **{name: Channel(_behind(name), "" if NGINX else "needs nginx") for name in NGINX_CONFIGURATIONS},
        **{
            name: Channel(_behind(name), "" if VARNISH else "needs Varnish")
            for name in VARNISH_CONFIGURATIONS
        },
    }
