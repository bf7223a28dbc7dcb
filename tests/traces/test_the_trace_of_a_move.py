"""One trace id leads through every process: from the answer a caller got to the line of the process that failed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
import httpx
import psycopg
import pytest

from foldtable.matches.v1 import play_pb2
from foldtable.matches.v1.match_service_pb2 import GetMatchRequest
from foldtable.matches.v1.match_service_pb2_grpc import MatchServiceStub
from foldtable.rules.v1.payload_pb2 import PAYLOAD_FORM_JSON, Payload
from tests.gateway.table import PROGRAM, Platform, Table
from tests.support.several_of_each import several_of_each
from tests.traces.processes_on import Running, running

pytestmark = pytest.mark.slow

TRACE = "0af7651916cd43dd8448eb211c80319c"
SPAN = "b7ad6b7169203331"
SECRET = "hush: a hidden card"


def ids(number: int, request_id: str) -> dict[str, str]:
    """Return the headers of a request with ids of its own."""
    return {"traceparent": f"00-{trace_of(number)}-{SPAN}-01", "x-request-id": request_id}


def trace_of(number: int) -> str:
    return f"{int(TRACE, 16) + number:032x}"


@pytest.fixture(scope="module")
def here(
    postgres_url: str, template_database: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Running]:
    """A rules server, a platform service, a gateway and a bot worker that write down everything."""
    folder, logs = tmp_path_factory.mktemp("traces"), {"log_level": "debug", "log_format": "json"}
    with (
        several_of_each(postgres_url, template_database, folder, replicas=1, everywhere=logs) as several,
        running(several) as started,
    ):
        yield started


@pytest.fixture
def tenant(here: Running) -> Iterator[Platform]:
    with here.tenant() as client:
        yield client


@pytest.fixture
def table(tenant: Platform) -> Iterator[Table]:
    with tenant.new_table() as fresh:
        yield fresh


def refuse_rows_of(here: Running, match_id: str, *, gently: bool) -> None:
    """Let Postgres refuse every further move of a match; `gently`: as one bad row, which its neighbours need not suffer from."""
    code = "23514" if gently else "XX000"
    with psycopg.connect(here.database_url, autocommit=True) as operator:
        operator.execute(
            f"""CREATE OR REPLACE FUNCTION refuse_rows() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF NEW.match_id = '{match_id}' THEN RAISE EXCEPTION '{SECRET}' USING ERRCODE = '{code}'; END IF;
                RETURN NEW; END $$"""
        )
        operator.execute(
            "CREATE OR REPLACE TRIGGER refuse_rows BEFORE INSERT ON moves FOR EACH ROW EXECUTE FUNCTION refuse_rows()"
        )


def program(**more: Any) -> dict[str, Any]:
    return {"action": PROGRAM, "expected_version": 1, "seat": 0, **more}


def test_every_process_writes_a_line_about_a_move(here: Running, tenant: Platform, table: Table) -> None:
    answer = tenant.post(f"{table.path}/moves", json=program(), headers=ids(1, "a-move"))
    assert answer.status_code == 200
    assert answer.headers["x-request-id"] == "a-move"
    assert answer.headers["traceparent"].split("-")[1] == trace_of(1)
    found = {"trace_id": trace_of(1), "request_id": "a-move", "match_id": table.match_id}
    assert [line["status"] for line in here.logged("gateway", event="request", **found)] == [200]
    assert [line["method"] for line in here.logged("rules", event="received", **found)] == ["Play"]
    appended = here.logged("rules", event="appended", logger="foldtable.movelog", **found)
    assert [line["version"] for line in appended] == [2]


def test_moves_that_travel_together_keep_their_own_ids(here: Running, tenant: Platform) -> None:
    tables = [tenant.new_table() for _ in range(12)]

    async def move(client: httpx.AsyncClient, number: int) -> int:
        answer = await client.post(
            f"{tables[number].path}/moves", json=program(), headers=ids(100 + number, f"together-{number}")
        )
        return answer.status_code

    async def all_at_once() -> list[int]:
        limits = httpx.Limits(max_connections=12)
        async with httpx.AsyncClient(
            base_url=here.url, headers=tenant.headers, timeout=20, limits=limits, trust_env=False
        ) as client:
            return await asyncio.gather(*(move(client, number) for number in range(12)))

    assert asyncio.run(all_at_once()) == [200] * 12
    for number, table in enumerate(tables):
        lines = here.logged("rules", trace_id=trace_of(100 + number))
        assert {(line["request_id"], str(line["match_id"])) for line in lines if "match_id" in line} == {
            (f"together-{number}", table.match_id)
        }
        assert {"received", "appended"} <= {line["event"] for line in lines}


def test_a_fault_is_logged_under_the_trace_id_that_its_caller_was_told(
    here: Running, tenant: Platform, table: Table
) -> None:
    refuse_rows_of(here, table.match_id, gently=False)
    answer = tenant.post(f"{table.path}/moves", json=program())
    document = answer.json()
    assert (answer.status_code, document["reason"]) == (500, "INTERNAL")
    (fault,) = here.logged("rules", event="internal error", trace_id=document["trace_id"])
    assert (fault["level"], fault["request_id"]) == ("error", answer.headers["x-request-id"])
    assert (fault["kind"], "in append" in fault["exception"]) == ("LogError", True)
    assert here.logged("gateway", event="rules server failed", trace_id=document["trace_id"]) != []
    assert SECRET not in here.processes["rules"].log.read_text() + answer.text


def test_one_bad_row_of_a_batch_is_logged_under_its_own_trace_id(here: Running, tenant: Platform) -> None:
    tables = [tenant.new_table() for _ in range(8)]
    refuse_rows_of(here, tables[3].match_id, gently=True)

    def move(number: int) -> tuple[int, str]:
        with here.tenant() as own:
            answer = own.post(
                f"{tables[number].path}/moves", json=program(), headers=ids(200 + number, f"b{number}")
            )
            return answer.status_code, answer.json().get("trace_id", "")

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(move, range(8)))
    assert [status for status, _ in answers] == [200, 200, 200, 500, 200, 200, 200, 200]
    assert answers[3][1] == trace_of(203)
    traces = {trace_of(200 + number) for number in range(8)}
    faults = [line for line in here.logged("rules", level="error") if line["trace_id"] in traces]
    assert [(line["event"], line["trace_id"], line["request_id"]) for line in faults] == [
        ("internal error", trace_of(203), "b3")
    ]


def test_a_refusal_and_a_read_carry_their_ids_too(here: Running, tenant: Platform, table: Table) -> None:
    stale = program(expected_version=7)
    assert tenant.post(f"{table.path}/moves", json=stale, headers=ids(2, "stale")).status_code in {409, 412}
    (refusal,) = here.logged("rules", event="refused", trace_id=trace_of(2))
    assert (refusal["reason"], refusal["request_id"]) == ("VERSION_CONFLICT", "stale")
    assert tenant.get(f"{table.path}/view", headers=ids(3, "a-look")).status_code == 200
    methods = [line["method"] for line in here.logged("rules", event="received", trace_id=trace_of(3))]
    assert "/foldtable.matches.v1.MatchService/GetView" in methods
    assert tenant.get("/v1/matches", headers=ids(4, "a-list")).status_code == 200
    (listed,) = here.logged("platform", event="received", trace_id=trace_of(4))
    assert listed["request_id"] == "a-list"


def test_a_stream_of_events_carries_its_ids(here: Running, tenant: Platform, table: Table) -> None:
    for number in (5, 6):  # the second one finds the follow stream open
        headers = {**tenant.headers, **ids(number, f"follow-{number}")}
        with httpx.stream("GET", f"{here.url}{table.path}/stream", headers=headers, timeout=20) as followed:
            assert followed.status_code == 200
        (line,) = here.logged("rules", event="received", method="Follow", trace_id=trace_of(number))
        assert (line["request_id"], line["match_id"]) == (f"follow-{number}", table.match_id)


def test_what_a_shared_stream_logs_is_nobodys(here: Running, tenant: Platform, table: Table) -> None:
    """The stream is opened for the first move, and outlives it."""
    assert tenant.post(f"{table.path}/moves", json=program(), headers=ids(8, "first")).status_code == 200
    time.sleep(0.2)
    opened = here.logged("rules", event="received", method="/foldtable.matches.v1.MatchService/Play")
    assert opened
    traces = {line["trace_id"] for line in here.logged("gateway", event="request")}
    assert not traces & {line["trace_id"] for line in opened}


@pytest.mark.parametrize("direct", ["unary", "stream"])
def test_who_calls_over_grpc_sends_ids_of_its_own(
    here: Running, tenant: Platform, table: Table, direct: str
) -> None:
    number = 20 + len(direct)
    act = play_pb2.ActRequest(
        match_id=table.match_id,
        seat=0,
        expected_version=1,
        action=Payload(json=b'{"type":"submit_program","cards":["stone1","stone2","plank1","move1","jump"]}'),
        form=PAYLOAD_FORM_JSON,
    )
    metadata = (("authorization", f"Bearer {here.key}"), *ids(number, f"direct-{direct}").items())
    with grpc.insecure_channel(here.rules_address) as channel:
        matches = MatchServiceStub(channel)
        if direct == "unary":
            matches.Act(act, metadata=metadata, timeout=10)
        else:
            calls = iter([play_pb2.PlayRequest(calls=[play_pb2.PlayCall(call_id=1, act=act)])])
            (reply,) = matches.Play(calls, metadata=metadata, timeout=10)
            assert reply.replies[0].accepted.version == 2
    (appended,) = here.logged("rules", event="appended", trace_id=trace_of(number))
    assert (appended["request_id"], appended["match_id"]) == (f"direct-{direct}", table.match_id)


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(f"00-{'0' * 32}-{SPAN}-01", id="no trace id"),
        pytest.param(f"00-{TRACE.upper()}-{SPAN}-01", id="upper case"),
        pytest.param(f"00-{TRACE}-{SPAN}-01" * 50, id="far too long"),
        pytest.param(f"ff-{TRACE}-{SPAN}-01", id="no version"),
    ],
)
def test_ids_that_make_no_sense_are_replaced(here: Running, table: Table, sent: str) -> None:
    name = f'"quoted" {len(sent)}'
    metadata = (("authorization", f"Bearer {here.key}"), ("traceparent", sent), ("x-request-id", name))
    before = len(here.processes["rules"].lines())
    with grpc.insecure_channel(here.rules_address) as channel:
        MatchServiceStub(channel).GetMatch(
            GetMatchRequest(match_id=table.match_id), metadata=metadata, timeout=10
        )
    rules, lines = here.processes["rules"], list[dict[str, Any]]()
    for _ in range(200):  # a line may be written a moment after the response
        lines = [line for line in rules.lines()[before:] if "GetMatch" in line.get("method", "")]
        if lines:
            break
        time.sleep(0.05)
    assert len(lines) == 1
    assert len(lines[0]["trace_id"]) == 32
    assert TRACE not in str(lines)
    assert "request_id" not in lines[0]


def test_an_internal_error_tells_a_direct_caller_its_trace_id(
    here: Running, tenant: Platform, table: Table
) -> None:
    refuse_rows_of(here, table.match_id, gently=False)
    act = play_pb2.ActRequest(
        match_id=table.match_id,
        seat=0,
        expected_version=1,
        action=Payload(json=b'{"type":"submit_program","cards":["stone1","stone2","plank1","move1","jump"]}'),
    )
    calls = [play_pb2.PlayRequest(calls=[play_pb2.PlayCall(call_id=1, act=act)])]
    with grpc.insecure_channel(here.rules_address) as channel:
        metadata = (("authorization", f"Bearer {here.key}"),)
        (reply,) = MatchServiceStub(channel).Play(iter(calls), metadata=metadata, timeout=10)
    refused = str(reply.replies[0].refused)
    (fault,) = [line for line in here.logged("rules", event="internal error") if line["trace_id"] in refused]
    assert fault["level"] == "error"


def test_a_bot_s_turn_is_one_trace_from_its_worker_to_the_log(here: Running, tenant: Platform) -> None:
    created = tenant.create(seats=2).json()
    match_id = created["match"]["match_id"]
    seated = tenant.post(f"/v1/matches/{match_id}/seats/0/bot", json={"level": "random"})
    assert seated.status_code in {200, 201}, seated.text
    deadline = time.monotonic() + 20
    while not (moved := here.logged("bots", event="moved", match_id=match_id)):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    trace = moved[0]["trace_id"]
    made_of_it = here.logged("rules", event="appended", trace_id=trace)
    assert [line["match_id"] for line in made_of_it] == [match_id]
    requests = here.logged("gateway", event="request", trace_id=trace)
    assert {"POST", "GET"} <= {line["method"] for line in requests}
    assert {line["request_id"] for line in requests} == {moved[0]["request_id"]}
