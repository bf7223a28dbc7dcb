"""Does a cache show one caller what another was sent? Browsers, proxies and clients' caches, before the processes of a system.

`python -m tests.proofs.leaks.behind_caches` tries every cache that is installed, then plants faults in what the gateway tells
caches: each must be found. The tests are in tests/conformance/test_caches.py.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx

from services.embedded_postgres import EmbeddedPostgres
from tests.proofs.leaks.caching_clients import Channel, ShownAnswer, Visit, channels, directly
from tests.support.processes import Process
from tests.support.several_of_each import Several, several_on

MOVES: Final = 12
"""Until both seats hold cards in River of Gold."""
PLANTED: Final = "tests.proofs.leaks.planted_for_caches"
FOUND_BY: Final[Mapping[str, frozenset[str]]] = {
    "no_audience": frozenset({"a simple cache", "chromium"}),
    "silent": frozenset({"nginx, valid", "nginx, any", "nginx, gzip", "varnish, hash"}),
    "public": frozenset(
        {
            *("hishel, private", "hishel, shared", "undici, private", "undici, shared", "chromium"),
            *("nginx", "nginx, valid", "nginx, any", "nginx, gzip", "varnish, hash"),
        }
    ),
}
"""The faults, and the caches that show one caller's answers to another because of it. Every cache finds at least one, except
Varnish by its built-in rules, which looks up nothing for whoever has a credential."""
TARGETS: Final = (
    *("view", "table", "view?lang=it", "table?lang=en", "view?at=5", "legal-actions", "moves", "undo", ""),
    *("replay?what=both", "replay?what=tables&lang=fr", "export", "verify"),
)
OF_THE_TENANT: Final = ("/v1/matches", "/v1/tenant", "/v1/feed?nothing")
WITH_SEATS: Final = ("view?seat=0", "table?seat=0", "view?audience=referee", "legal-actions?seat=1")
_VOLATILE: Final = (
    (re.compile(r'"trace_id":"\w+"'), '"trace_id"'),
    (re.compile(r'"signature":"[^"]*"'), '"signature"'),  # of an export: it says when it was made
    (re.compile(r'"(?:created|updated)_at":"[^"]*"'), '"at"'),
)


@dataclass(frozen=True)
class Scene:
    """Reads of a match by everybody who may look at it, and by some who may not."""

    visits: Sequence[Visit]
    truth: Mapping[tuple[str, str], ShownAnswer]
    """What the gateway sends to each caller without a cache, by caller and target."""


@dataclass(frozen=True)
class Found:
    """What the callers behind a cache were shown."""

    own: int = 0
    """Answers that were the caller's own."""
    leaks: list[str] = field(default_factory=list)
    """Answers that were somebody else's."""
    odd: list[str] = field(default_factory=list)
    """Answers that were nobody's: the channel, or this proof, is broken."""


@contextmanager
def scene(several: Several) -> Iterator[Scene]:
    """Play a match that anybody may read, and read it without a cache."""
    with several.client(several.key) as platform, several.client(several.keys["foreign"]) as foreign:
        platform.patch("/v1/tenant", json={"anonymous_read": True}).raise_for_status()
        plan = {"game": "river_of_gold", "seats": 2, "players": ["ada", "bob"], "visibility": "public"}
        created = platform.post("/v1/matches", json=plan).raise_for_status().json()
        path = f"/v1/matches/{created['match']['match_id']}"
        _play(platform, path)
        session = platform.post("/v1/player-sessions", json={"player": "ada"}).raise_for_status().json()
        referee = (
            platform.post(f"{path}/watch-tokens", json={"role": "referee", "hours": 1})
            .raise_for_status()
            .json()
        )
        tokens = {f"seat {one['seat']}": one["token"] for one in created["seat_tokens"]}
        others = {
            "player": session["token"],
            "referee": referee["watch_token"]["token"],
            "key": several.key,
            "nobody": "",
        }
        foreign.get("/v1/tenant").raise_for_status()
        visits = list(_visits(path, {**tokens, **others, "foreign": several.keys["foreign"]}))
        told = zip(visits, directly(several.urls[0], visits), strict=True)
        yield Scene(visits, {(visit.who, visit.target): _plain(answer) for visit, answer in told})
        platform.patch("/v1/tenant", json={"anonymous_read": False}).raise_for_status()


def _play(platform: httpx.Client, path: str) -> None:
    for _ in range(MOVES):
        seat = platform.get(path).json()["to_act"][0]
        legal = platform.get(f"{path}/legal-actions", params={"seat": seat, "samples": 1}).json()
        move = {"action": legal["samples"][0], "expected_version": legal["version"], "seat": seat}
        platform.post(f"{path}/moves", json=move).raise_for_status()


def _visits(path: str, tokens: Mapping[str, str]) -> Iterator[Visit]:
    targets = [f"{path}/{one}".rstrip("/") for one in (*TARGETS, *WITH_SEATS)]
    for target in (*targets, *OF_THE_TENANT):
        for who, token in (*tokens.items(), *list(tokens.items())[:1]):  # the first one comes back
            bearer = {"authorization": f"Bearer {token}"} if token else {}
            yield Visit(who, target, {"accept-language": "*", **bearer})


def look(channel: Channel, url: str, scene: Scene) -> Found:
    """Make all visits through a cache, and compare what each caller is shown with what the gateway sends without one."""
    visits, truth = scene.visits, scene.truth
    of_others: dict[str, dict[ShownAnswer, str]] = {}
    for (who, target), answer in truth.items():
        of_others.setdefault(target, {}).setdefault(answer, who)
    answers = channel.read(url, visits)
    assert len(answers) % len(visits) == 0
    own, found = 0, Found()
    for visit, answer in zip([*visits] * (len(answers) // len(visits)), answers, strict=True):
        shown = _plain(answer)
        if shown == truth[visit.who, visit.target]:
            own += 1
        elif (whose := of_others[visit.target].get(shown)) is not None:
            found.leaks.append(f"{visit.target} shows {visit.who} what {whose} is sent")
        else:
            found.odd.append(f"{visit.target} for {visit.who}: {answer.status} {answer.body[:200]}")
    return Found(own, found.leaks, found.odd)


def _plain(answer: ShownAnswer) -> ShownAnswer:
    body = answer.body
    for pattern, instead in _VOLATILE:
        body = pattern.sub(instead, body)
    return ShownAnswer(answer.status, body)


@contextmanager
def planted(several: Several, fault: str) -> Iterator[str]:
    """Start one more gateway with a fault in it; give its address."""
    settings = {**several.gateway_settings, "http_listen": "127.0.0.1:0", "planted": fault}
    with Process(PLANTED, several.folder / f"planted_{fault}.log", **settings) as gateway:
        yield gateway.start()
        assert gateway.stop() == 0


def run(several: Several) -> tuple[int, int]:
    """Try every cache, then every fault; return how many answers were compared, and how many violations there are."""
    counted: Counter[str] = Counter()
    all_of_them = channels()
    with scene(several) as played:
        for name, channel in all_of_them.items():
            if channel.missing:
                print(f"{name:<20} NOT TRIED: {channel.missing}", flush=True)
                continue
            found = look(channel, several.urls[0], played)
            counted["answers"] += found.own
            counted["violations"] += len(found.leaks) + len(found.odd)
            print(
                f"{name:<20} {found.own} answers, {len(found.leaks)} of others, {len(found.odd)} odd",
                flush=True,
            )
            for line in (found.leaks + found.odd)[:5]:
                print(f"    {line}", flush=True)
        for fault, finders in FOUND_BY.items():
            with planted(several, fault) as url:
                for name in sorted(finders):
                    if all_of_them[name].missing:
                        continue
                    leaks = look(all_of_them[name], url, played).leaks
                    counted["violations"] += not leaks
                    verdict = f"found, {len(leaks)} times: {leaks[0]}" if leaks else "NOT FOUND"
                    print(f"planted {fault:<12} {name:<20} {verdict}", flush=True)
    return counted["answers"], counted["violations"]


def main() -> None:
    parser = argparse.ArgumentParser(prog="make prove P=leaks", description=__doc__)
    parser.add_argument("--row", action="store_true", help="print one line of JSON in the end")
    given = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        postgres = stack.enter_context(EmbeddedPostgres(folder / "postgres"))
        several = stack.enter_context(several_on(postgres, folder, replicas=1))
        answers, violations = run(several)
    print("\nA CACHE LEAKS, OR A PLANTED FAULT WAS NOT FOUND" if violations else "\nno cache leaks")
    if given.row:
        row: dict[str, Any] = {
            "proof": "caches",
            "what": "answers behind caches, each the caller's own",
            "count": answers,
            "violations": violations,
        }
        print(json.dumps(row), flush=True)
    raise SystemExit(violations > 0)


if __name__ == "__main__":
    main()
