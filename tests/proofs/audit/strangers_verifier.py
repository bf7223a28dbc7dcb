"""Whole random matches of every game, checked by the verifier in JavaScript, and forged ones, which it must refuse."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from engine.registry import GAMES, game
from services.movelog.export.signature import ExportSigner
from services.movelog.records import Match, Move
from tests.proofs.audit.rows import Row, program, say
from tests.support.forked_matches import a_fork
from tests.support.independent_verifier import WHY_NOT, found_in, vouched_for
from tests.support.match_documents import a_match, document_of, relinked
from tests.support.winding_matches import a_winding_match

MATCHES, FEW = 40, 3
"""Of each game and kind."""
LONGEST = 10_000
AT_ONCE = 12
SIGNER = ExportSigner(Ed25519PrivateKey.generate())


def prove(short: bool) -> Row:
    """Play, verify, forge the first row, and verify again. Without node nothing is proven, which counts as a violation."""
    proof = "luck"
    if WHY_NOT:
        say(WHY_NOT)
        return Row(proof=proof, what=f"matches checked in JavaScript: {WHY_NOT}", count=0, violations=1)
    count = moves = wrong = 0
    for match, rows in _matches(FEW if short else MATCHES):
        signed = document_of(match, rows, sign=SIGNER.sign)
        honest, forged = found_in([signed, _forged(match, rows)])
        vouched = vouched_for(
            [signed, _with_signature_of(signed, _forged(match, rows))], SIGNER.keys.values()
        )
        count += 1
        moves += len(rows)
        if honest or not forged or vouched != ["fits", "the document is not what was signed"]:
            wrong += 1
            say(
                f"{match.game}, {match.seats} seats, {len(rows)} moves: {honest or 'a forged first player was not seen'}; {vouched}"
            )
    say(f"{count} matches, {moves} moves")
    what = f"matches of {moves:,} moves checked by the verifier in JavaScript, each also forged"
    return Row(proof=proof, what=what, count=count, violations=wrong)


def _matches(number: int) -> Iterator[tuple[Match, tuple[Move, ...]]]:
    for game_id in GAMES:
        counts = game(game_id).seat_counts
        for seed in range(number):
            seats = counts[seed % len(counts)]
            yield a_match(game_id=game_id, seats=seats, moves=LONGEST, seed=seed)
            yield a_winding_match(game_id=game_id, seats=seats, moves=200, seed=seed)
            if seed % 4 == 0:
                yield a_fork(game_id=game_id, seats=seats, moves=100, seed=seed)


def _with_signature_of(signed: bytes, forged: bytes) -> bytes:
    signature = msgspec.json.decode(signed)["signature"]
    return msgspec.json.encode(msgspec.json.decode(forged) | {"signature": signature})


def _forged(match: Match, rows: tuple[Move, ...]) -> bytes:
    """Return the document with the seats in another order of play, or in a fork with another secret, and all hashes right."""
    events = msgspec.json.decode(rows[0].events)
    if "order" not in events[0]:
        return document_of(replace(match, secret=bytes(32)), rows)
    order = events[0]["order"]
    events[0]["order"] = [*order[1:], order[0]]
    changed = replace(rows[0], events=msgspec.json.encode(events))
    return document_of(match, relinked(match, (changed, *rows[1:])))


if __name__ == "__main__":
    sys.exit(program(__doc__, prove))
