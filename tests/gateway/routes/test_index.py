"""GET /: somebody who knows the address only finds everything from here."""

from __future__ import annotations

import re

import httpx
import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool


def test_the_front_door_leads_to_everything(anybody: httpx.Client) -> None:
    told = anybody.get("/").json()
    assert told["name"] == "Foldtable"
    for name in ("games", "openapi", "descriptors", "problems", "reference"):
        assert anybody.get(told["links"][name]).status_code == 200
    assert anybody.get(told["links"]["matches"]).status_code == 401  # for tenants


def test_the_front_door_takes_no_questions(anybody: httpx.Client) -> None:
    assert anybody.get("/", params={"page": 2}).json()["reason"] == "MALFORMED_REQUEST"


@pytest.mark.parametrize(
    "path", ["/", "/v1/games", "/v1/games/river_dragons", "/problems/MATCH_OVER", "/livez"]
)
def test_whatever_can_be_got_tells_its_head(anybody: httpx.Client, path: str) -> None:
    got, head = anybody.get(path), anybody.head(path)
    assert (head.status_code, head.content) == (200, b"")
    for name in ("content-type", "content-length", "cache-control"):
        assert head.headers[name] == got.headers[name]
    assert anybody.head("/v1/nothing").status_code == 404


@pytest.mark.parametrize("asked", ["bytes=0-9", "bytes=9-0", "nonsense", "\xb2"])
def test_files_are_always_whole(anybody: httpx.Client, asked: str) -> None:
    whole = anybody.get("/descriptors.binpb")
    answer = anybody.get("/descriptors.binpb", headers={"range": asked.encode("latin-1")})
    assert (answer.status_code, answer.content) == (200, whole.content)
    assert answer.headers["accept-ranges"] == "none"


def test_the_grpc_contracts_are_one_file_that_needs_no_other(anybody: httpx.Client) -> None:
    answer = anybody.get("/descriptors.binpb")
    assert answer.headers["content-type"] == "application/protobuf"
    told = FileDescriptorSet.FromString(answer.content)
    pool = DescriptorPool()
    for file in told.file:  # in an order in which each import stands before those who want it
        pool.Add(file)
    assert pool.FindServiceByName("foldtable.matches.v1.MatchService").methods_by_name["Act"]
    for game in anybody.get("/v1/games").json()["games"]:
        assert pool.FindMessageTypeByName(f"foldtable.{game['game']}.v1.View")
    assert any(place.leading_comments for file in told.file for place in file.source_code_info.location)


def test_the_reference_page_brings_everything_with_it(anybody: httpx.Client) -> None:
    page = anybody.get("/docs")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in page.headers["content-security-policy"]
    wanted = set(re.findall(r'(?:src|href)="([^"]+)"', page.text)) - {""}
    assert {link for link in wanted if not link.startswith("data:")} == {
        "/docs/swagger-ui-bundle.js",
        "/docs/swagger-ui.css",
    }
    for link, kind in (("/docs/swagger-ui-bundle.js", "javascript"), ("/docs/swagger-ui.css", "text/css")):
        asset = anybody.get(link)
        assert asset.status_code == 200
        assert kind in asset.headers["content-type"]
    assert anybody.get("/docs/index.html").json()["reason"] == "ROUTE_NOT_FOUND"
