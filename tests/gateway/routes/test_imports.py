"""An import that a rules server refuses before it has read the document: the caller reads that refusal, every time."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import httpx

from tests.gateway.table import Caller, Table

UPLOADS, AT_ONCE = 200, 8
DOCUMENT = b"{" + b" " * 300_000


def refused(player: Caller) -> tuple[int, str]:
    answer = player.post("/v1/matches/import", content=DOCUMENT, headers={"content-type": "application/json"})
    return answer.status_code, answer.json()["reason"]


def test_a_refusal_is_not_lost_while_the_document_is_still_being_sent(table: Table) -> None:
    """Only tenants import; who says so is the rules server, while the gateway passes the document on."""
    player: httpx.Client = table.players[0]
    assert isinstance(player, Caller)
    with ThreadPoolExecutor(AT_ONCE) as threads:
        answers = Counter(threads.map(lambda _: refused(player), range(UPLOADS)))
    assert set(answers) <= {(403, "TENANT_ONLY"), (429, "RATE_LIMITED")}
    assert answers[403, "TENANT_ONLY"]
