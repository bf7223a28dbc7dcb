"""The stored logs of every game and of every version of its rules: they are as they were stored, and are decided as they were."""

from __future__ import annotations

import sys

from engine.match.replay import decide_again
from tests.golden.pins import GOLDEN, pinned, stored
from tests.proofs.audit.rows import Row, program, say
from tests.support.stored_logs import game_of, read


def prove(_short: bool) -> Row:
    """Compare the checksums, and decide every move again."""
    there, wanted = stored(), pinned()
    wrong = [path for path in {*there, *wanted} if there.get(path) != wanted.get(path)]
    moves = 0
    for path in sorted(there):
        header, rows, _ = read(GOLDEN / path)
        moves += len(rows)
        if difference := decide_again(game_of(GOLDEN / path), rows, bytes.fromhex(header["secret"])):
            wrong.append(f"{path}, move {difference.seq}, {difference.place}")
    for one in wrong:
        say(f"not as it was stored: {one}")
    say(f"{len(there)} logs, {moves} moves")
    what = f"moves of {len(there)} golden logs decided again, files as pinned"
    return Row(proof="integrity", what=what, count=moves, violations=len(wrong))


if __name__ == "__main__":
    sys.exit(program(__doc__, prove))
