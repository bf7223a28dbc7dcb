"""The page on clusters shows the settings that were proven, and no others."""

from __future__ import annotations

import re

import yaml

from tests.proofs.patroni.settings import DYNAMIC, HAPROXY
from tests.support.documents import ROOT, blocks

PAGE = ROOT / "docs" / "run" / "clusters.md"


def test_the_page_shows_what_patroni_was_told() -> None:
    (shown,) = [yaml.safe_load(one.content) for one in blocks(PAGE) if one.content.startswith("ttl")]
    assert shown == DYNAMIC


def test_the_page_shows_what_haproxy_was_told() -> None:
    (shown,) = [one.content for one in blocks(PAGE) if one.content.startswith("defaults")]
    servers = re.compile(r"    server node\d [\d.]+:5432 check port 8008\n")
    assert servers.sub("", shown) == HAPROXY.format(bind="127.0.0.1:5432")
    assert len(servers.findall(shown)) == 3
