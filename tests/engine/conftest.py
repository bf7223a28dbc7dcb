"""What games owe is asserted in shared modules; pytest shows there, too, what differs."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite("tests.engine.conserved", "tests.engine.knowledge_properties")
