"""Signing keys are replaced under a running system, one process after the other: no token is refused, no export is lost.

As docs/run/accounts.md says: the next key's public half everywhere first, then the private key, and the old public half is
taken away only when nothing it signed is about any more.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import jwt
import pytest

from services.identity.signing_keys import add_public_key, create_private_key
from services.movelog.export.format import read_document
from services.movelog.export.signature import check_signature
from services.process.public_keys import keys_in_jwk_set, read_public_keys, thumbprint
from tests.support.processes import Process
from tests.support.several_of_each import Several, several_of_each

pytestmark = pytest.mark.slow
EXPORT_KEYS = "/.well-known/jwks.json"


@pytest.fixture
def several(postgres_url: str, template_database: str, tmp_path: Path) -> Iterator[Several]:
    """Of its own: its processes are started again and again."""
    generous = "token.reads=1000000/60,key.reads=1000000/60,address.anonymous=1000000/60"
    with several_of_each(postgres_url, template_database, tmp_path, rate_limits=generous) as running:
        yield running


class Players:
    """Ask with every token there is, at every gateway, all the time; `told` counts the answers by key and status."""

    def __init__(self, several: Several) -> None:
        self._several = several
        self.tokens: list[tuple[str, str]] = []
        """Matches and tokens for them."""
        self.told: Counter[tuple[str, int]] = Counter()
        self._over = threading.Event()

    @contextmanager
    def playing(self) -> Iterator[None]:
        threads = [threading.Thread(target=self._ask, args=(url,)) for url in self._several.urls]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._over.set()
            for thread in threads:
                thread.join()

    def _ask(self, url: str) -> None:
        while not self._over.is_set():
            with httpx.Client(base_url=url, timeout=40, verify=False, trust_env=False) as client:
                for match, token in tuple(self.tokens):
                    kid = jwt.get_unverified_header(token)["kid"]
                    try:
                        answer = client.get(
                            f"/v1/matches/{match}/view", headers={"authorization": f"Bearer {token}"}
                        )
                    except httpx.TransportError:
                        continue  # this gateway is being started again
                    self.told[kid, answer.status_code] += 1
            time.sleep(0.02)

    def until_each_was_let_in_again(self) -> None:
        """Wait until every key's tokens have been let in several times more."""
        kids = {jwt.get_unverified_header(token)["kid"] for _, token in self.tokens}
        before = {kid: self.told[kid, 200] for kid in kids}
        deadline = time.monotonic() + 60
        while any(self.told[kid, 200] < before[kid] + 10 for kid in kids):
            assert time.monotonic() < deadline, self.told
            time.sleep(0.05)


def restart(several: Several, *processes: Process) -> None:
    """One after the other, as a rolling update does."""
    for process in processes:
        assert process.stop() == 0
        process.start()


def new_table(several: Several) -> tuple[str, str]:
    """Create a match that ends at once; give its id, and the token of a seat."""
    with several.client(several.key) as tenant:
        made = tenant.post("/v1/matches", json={"game": "river_dragons", "seats": 2}).json()
        match_id = made["match"]["match_id"]
        assert tenant.post(f"/v1/matches/{match_id}/resign", json={"seat": 1}).status_code == 200
    return match_id, made["seat_tokens"][0]["token"]


def test_keys_are_replaced_while_everybody_goes_on(several: Several) -> None:
    folder = several.folder
    for rules in several.rules:
        rules.set(
            token_public_key_file=str(folder / "token_public.pem"),
            export_public_key_file=str(folder / "export_public.pem"),
        )
    players = Players(several)
    players.tokens = [new_table(several)]
    exports = [export(several, players.tokens[0][0])]
    with players.playing():
        players.until_each_was_let_in_again()
        # 1. The next keys are made known everywhere.
        for kind in ("token", "export"):
            key = create_private_key(folder / f"{kind}_next.pem")
            add_public_key(folder / f"{kind}_public.pem", key.public_key())
        restart(several, *several.gateways, several.platform, *several.rules)
        players.tokens.append(new_table(several))
        players.until_each_was_let_in_again()
        published = [export_keys(several, number) for number in (0, 1)]
        assert published[0] == published[1]
        # 2. They sign, at one rules server after the other: for a while both keys do.
        for kind in ("token", "export"):
            (folder / f"{kind}_next.pem").replace(folder / f"{kind}_private.pem")
        for rules in several.rules:
            restart(several, rules)
            players.tokens += [new_table(several) for _ in range(6)]
            players.until_each_was_let_in_again()
    exports += [export(several, match_id) for match_id, _ in players.tokens]

    before, after = [thumbprint(key) for key in read_public_keys(folder / "token_public.pem")]
    kids = [jwt.get_unverified_header(token)["kid"] for _, token in players.tokens]
    assert {before, after} == set(kids), "both have signed"
    assert kids[-6:] == [after] * 6, "and only the new one since"
    print(f"answers by key and status: {dict(players.told)}")
    refused = {told: count for told, count in players.told.items() if told[1] not in {200, 503}}
    assert refused == {}, players.told
    assert min(players.told[kid, 200] for kid in (before, after)) >= 10, players.told

    keys = keys_in_jwk_set(published[0])
    found = [check_signature(read_document(document), keys) for document in exports]
    assert {one.standing for one in found} == {"fits"}
    assert {one.key_id for one in found} == set(keys), "exports of either key are vouched for"

    # 3. When the last token of the old key has run out, its public half is taken away: then it is refused.
    add_only(folder / "token_public.pem", read_public_keys(folder / "token_public.pem")[1])
    restart(several, several.gateways[0])
    told = {kid: status(several, *one) for kid, one in zip(kids, players.tokens, strict=True)}
    assert told == {before: 401, after: 200}


def add_only(file: Path, key: Any) -> None:
    file.unlink()
    add_public_key(file, key)


def export(several: Several, match_id: str) -> bytes:
    with several.client(several.key) as tenant:
        answer = tenant.get(f"/v1/matches/{match_id}/export")
    assert answer.status_code == 200
    return answer.content


def export_keys(several: Several, gateway: int) -> bytes:
    with several.client(None, gateway=gateway) as anybody:
        return anybody.get(EXPORT_KEYS).content


def status(several: Several, match_id: str, token: str) -> int:
    with several.client(token) as client:
        return client.get(f"/v1/matches/{match_id}").status_code
