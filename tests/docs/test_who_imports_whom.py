"""The table "Who imports whom" is what `make docs` writes, and has a row for every folder."""

from __future__ import annotations

from tests.docs.who_imports_whom import PAGE, PART, folders, table


def test_the_table_is_that_of_the_code() -> None:
    assert PART.renewed(PAGE.read_text()) == PAGE.read_text(), "run `make docs`"


def test_every_folder_has_a_row_that_says_what_it_is() -> None:
    rows = [line.split(" | ") for line in table().splitlines()[2:]]
    assert [row[0].strip("| `") for row in rows] == folders()
    assert len(rows) > 30
    assert all(len(row) == 3 and row[1] and row[2] for row in rows)


def test_it_shows_the_arrows_that_matter() -> None:
    rows = {row.split("`")[1]: row for row in table().splitlines()[2:]}
    assert rows["engine/kernel"].endswith("| nothing of this repository |")
    assert "engine" not in "".join(
        row.split(" | ")[2] for name, row in rows.items() if name.startswith("gateway")
    )
    assert "stubs" in rows["gateway/upstream"]
