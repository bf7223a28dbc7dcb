"""The limits that docs/run/accounts.md names are those of the code."""

from __future__ import annotations

import re

from gateway.access.rate_limits import DEFAULTS, Bucket, Holder
from gateway.app import MAX_BATCHES, MAX_BATCHES_OF_KEY
from gateway.http.bodies import MAX_BODY_BYTES
from gateway.schemas.requests import CreateMatchesRequest
from gateway.server.deadlines import KEEP_ALIVE_SECONDS
from gateway.server.protocol import MAX_HEAD_BYTES, MAX_PIPELINED
from gateway.settings import Settings
from services.process.bounds import MAX_BATCH
from services.process.i_json import MAX_DEPTH
from services.rpc.cursors import MAX_PAGE
from services.rules.api.batches import BOUNDS
from tests.support.documents import ROOT

TEXT = (ROOT / "docs" / "run" / "accounts.md").read_text()


def test_the_table_of_buckets_is_that_of_the_code() -> None:
    rows = re.findall(r"^\| `(\w+)` \|[^|]+\|([^|]*)\|([^|]*)\|([^|]*)\|$", TEXT, flags=re.MULTILINE)
    told = {
        (holder, Bucket(bucket)): quota.strip()
        for bucket, *quotas in rows
        for holder, quota in zip((Holder.KEY, Holder.TOKEN, Holder.ADDRESS), quotas, strict=True)
        if quota.strip()
    }
    assert told == {place: f"{limit.requests} / {limit.seconds} s" for place, limit in DEFAULTS.items()}


def test_the_other_limits_are_those_of_the_code() -> None:
    told = dict(re.findall(r"^\| ([A-Z][\w ]+) \| ([^|]+?) \|$", TEXT, flags=re.MULTILINE))
    settings = Settings.model_fields
    assert told["Body"] == f"{MAX_BODY_BYTES // 1024} KiB, {MAX_DEPTH} levels of objects and arrays"
    assert told["Request line and headers"] == f"{MAX_HEAD_BYTES // 1024} KiB"
    assert told["Seconds an idle connection is kept for another request"] == str(KEEP_ALIVE_SECONDS)
    many = told["Body of a request for many matches"]
    assert many == f"{CreateMatchesRequest.max_bytes // 1024**2} MiB, with {MAX_BATCH} matches"
    assert told["The same at a gateway"] == f"{MAX_BATCHES}, of one API key {MAX_BATCHES_OF_KEY}"
    assert told["Requests for many matches in progress at a rules server"].startswith(
        f"{BOUNDS.at_once}, of one tenant {BOUNDS.of_caller}; others wait for at most {BOUNDS.wait_seconds:g} seconds"
    )
    assert told["Page of a list"] == str(MAX_PAGE)
    for row, setting in (
        ("Open streams of one credential", "max_streams_per_credential"),
        ("Open streams of one seat", "max_streams_per_seat"),
        ("Open streams of a gateway", "max_streams"),
        ("Open connections of a gateway", "max_connections"),
        ("Seconds until the request head must be complete", "head_seconds"),
        ("Seconds until the body must be complete", "body_seconds"),
        ("Seconds a client may leave an answer unread", "stall_seconds"),
    ):
        assert told[row] == f"{settings[setting].default:g} (`FOLDTABLE_{setting.upper()}`)"
    assert told["Pipelined requests waiting on a connection"] == str(MAX_PIPELINED)
