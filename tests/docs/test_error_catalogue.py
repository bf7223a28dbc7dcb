"""docs/play/errors.md says what the code says."""

from __future__ import annotations

from tests.docs.error_catalogue import PAGE, write_page


def test_the_page_of_errors_is_written_from_the_code() -> None:
    assert PAGE.read_text() == write_page(), "run `make docs`"
