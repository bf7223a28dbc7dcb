"""The page's pure functions, tested with node's own test runner."""

from __future__ import annotations

import pytest

from tests.support.node import run
from tests.support.web_sources import WEB

pytestmark = pytest.mark.skipif(
    not (WEB / "node_modules" / "esbuild").is_dir(),
    reason="needs the npm packages of gateway/web: make conformance installs them",
)


def test_the_page_s_unit_tests_pass() -> None:
    """`npm test` in gateway/web."""
    run("npm", "test", "--silent", folder=WEB)
