"""How the matches of the log are divided: stretches of their ids, which together cover every possible id."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final
from uuid import UUID

from services.audit import reading
from services.audit.reading import FIRST_ID, LAST_ID, Stretch, Wanted

STRETCH_MATCHES: Final = 500
STRETCH_MOVES: Final = 5_000
"""A stretch has at most so many matches, and about so many moves: it is read and kept as a whole."""
_COUNT: Final = "SELECT count(*) FROM matches WHERE id > $1::uuid AND ($2::text = '' OR game = $2::text)"


def stretches(
    wanted: Wanted,
    *,
    after: UUID = FIRST_ID,
    done: Mapping[UUID, UUID] | None = None,
    size: int = STRETCH_MATCHES,
) -> Iterator[Stretch]:
    """Yield stretches of at most `size` matches each, oldest first; together they cover every id after one.

    `done` are stretches that are left out: the id after which each begins, and its last id.
    """
    done = done or {}
    begun = sorted(done)
    with reading.connected(wanted) as connection:  # without a transaction: an audit may take hours
        while after != LAST_ID:
            if after in done:
                after = done[after]
                continue
            upto = next((one for one in begun if one > after), LAST_ID)
            rows = reading.rows_of(connection, reading.IDS, (after, upto, *reading.filters(wanted), size))
            number = _few(rows)
            last = rows[number - 1][0] if number < len(rows) or len(rows) == size else upto
            yield Stretch(after=after, upto=last, matches=number)
            after = last


def key_of(stretch: Stretch) -> str:
    """Return a name of a stretch that says which ids it covers."""
    return f"{stretch.after}..{stretch.upto}"


def range_of(key: str) -> tuple[UUID, UUID]:
    """Return the ids that a name of a stretch, with or without something after it, says: after one, up to another."""
    after, upto, *_ = key.split("..")
    return UUID(after), UUID(upto)


def _few(rows: Sequence[tuple[UUID, int]]) -> int:
    """Return how many of these matches, with their versions, a stretch holds: at least one, unless there are none."""
    moves = 0
    for number, (_, version) in enumerate(rows):
        moves += version
        if moves > STRETCH_MOVES and number:
            return number
    return len(rows)


def count(wanted: Wanted, after: UUID = FIRST_ID) -> int:
    """Return about how many matches there are to audit."""
    if wanted.match is not None:
        return 1
    with reading.connected(wanted) as connection:
        return int(reading.rows_of(connection, _COUNT, (after, wanted.game))[0][0])
