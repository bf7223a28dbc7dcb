"""What proves who somebody is, is compared in constant time, or not compared at all.

Every comparison with `==` or `!=` whose words are those of secrets stands here with the reason why it may. API keys,
stream tickets and login codes are looked up by their SHA-256 in an index: how long that takes tells of the hash at most, and nobody who
lacks the secret can choose its hash. Signatures are checked by libraries that compare in constant time.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORDS = re.compile(
    r"(^|_)(token|tokens|secret|secrets|hash|hashes|hashed|digest|signature|signatures|mac|commitment|ticket|password|"
    r"credential|sealed|checksum|authorization|presented|mark|key)($|_)"
)
REVIEWED = {
    ("gateway/upstream/tls.py", "(certificate is None) != (key is None)"): "whether they are there",
    (
        "gateway/upstream/tls.py",
        "private.public_key() != certificate.public_key()",
    ): "public keys of our own files",
    ("services/rpc/tls.py", "private.public_key() != certificate.public_key()"): "likewise",
    ("services/platform/live/feeds.py", "known == _mark(row)"): "versions and hashes of rows of our own",
    ("services/bots/worker.py", "key[0] == match.match_id"): "a key of a dictionary",
    ("services/cli/replay/page.py", "caller['kind'] != 'api_key'"): "a kind of credential",
    ("services/movelog/chain.py", "move.previous_hash != previous"): "two hashes out of our own log",
    ("services/movelog/chain.py", "move.hash != previous"): "likewise",
    (
        "services/movelog/postgres/log.py",
        "(stored.tenant, stored.commitment) != (match.tenant, match.commitment)",
    ): "a commitment is public",
    (
        "services/movelog/export/verification.py",
        "document.players_hash != hashed",
    ): "the document holds the secret the hash is made with",
    (
        "services/movelog/export/verification.py",
        "move.previous_hash != before.hash",
    ): "two hashes of one document",
    ("services/movelog/export/verification.py", "made != self._match.commitment"): "a commitment is public",
    (
        "services/platform/accounts/credentials.py",
        "watching == token.generation",
    ): "small numbers of a token that was checked",
    ("services/platform/accounts/credentials.py", "seated == token.generation"): "likewise",
    ("services/platform/accounts/credentials.py", "invited == token.generation"): "likewise",
    (
        "services/identity/key_format.py",
        "_checksum(found[1]) == found[2]",
    ): "anybody can compute the checksum",
    ("services/identity/callers.py", "name == 'authorization'"): "the name of a header",
    (
        "services/rpc/cursors.py",
        "raw[:_MARK_BYTES] != _mark(position, question)",
    ): "a checksum; it proves nothing",
    (
        "services/rules/streams/subscription_stream.py",
        "one.authorization == authorization",
    ): "both are credentials of streams that are open: nobody presents one here",
    (
        "services/rules/history/importing.py",
        "[row.hash for row in rows] == [move.hash for move in moves]",
    ): "of an ended match",
    (
        "services/rules/match/appending.py",
        "mark != fingerprint(request.seat, body)",
    ): "a checksum of what the same caller asked before",
    ("services/rules/match/match_cache.py", "rows[0].hash != loaded.head"): "two hashes out of our own log",
    (
        "services/rules/seats/joining.py",
        "given.mark != request.mark",
    ): "a checksum of what a tenant asked before",
    (
        "services/rules/wire/page_tokens.py",
        "raw[_VERSION_BYTES:] != _mark(question)",
    ): "a checksum; it proves nothing",
    (
        "services/rules/api/rules_servicer.py",
        "hashlib.sha256(message.state).digest() != message.state_hash",
    ): "of the caller's own state",
    (
        "services/platform/vacations/announcing.py",
        "earlier.mark != wish.mark",
    ): "hashes of requests of the same caller with the same request id",
    ("services/rules/watchdog/watching.py", "call.mark != mark"): "what a thread is computing",
    ("services/rules/watchdog/watching.py", "mark.slot == _EVENT_LOOP.slot"): "likewise",
    ("services/rules/watchdog/watching.py", "mark.thread != thread"): "likewise",
    (
        "services/rules/watchdog/watching.py",
        "self._marks.beat()[0] & 4294967295 == mark.call",
    ): "likewise",
    ("gateway/access/public_keys.py", "header.get('typ', TOKEN_TYPE) != TOKEN_TYPE"): "a type of tokens",
    (
        "services/process/public_keys.py",
        "(key.kty, key.crv, key.use, key.alg) == ('OKP', 'Ed25519', 'sig', 'EdDSA')",
    ): "what a public key says of itself",
    ("services/cli/signing_keys.py", "key_id == signs"): "ids of public keys",
    ("gateway/problems/document.py", "reason == 'TOKEN_MISSING'"): "a code",
    ("gateway/upstream/refusals.py", "key == STATUS_METADATA"): "the name of a header",
    (
        "services/kit/records/golden.py",
        "commitment(log.secret).hex() != log.header['commitment']",
    ): "the stored match holds its secret, too",
    (
        "services/kit/records/golden.py",
        "digest(state) != log.end['state_sha256']",
    ): "a checksum of a stored match",
    (
        "services/kit/records/golden.py",
        "was != digest_of_views(game, states_of(game, log), log.header['seats'])",
    ): "likewise",
    (
        "services/kit/rules/conserved.py",
        "first.get(key) != now.get(key)",
    ): "counts of pieces, by what they are of",
}

REVIEWED_FILES = {
    "services/audit/links.py": "hashes of rows of our own log, walked by whoever runs the system"
}


def words_of(node: ast.AST) -> Iterator[str]:
    for part in ast.walk(node):
        match part:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                yield name.lower()
            case ast.Constant(value=str(text)):
                yield text.lower()


def comparisons(source: str) -> Iterator[str]:
    """Yield every comparison for equality that may be one of secrets. A length or a number is none."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], ast.Eq | ast.NotEq):
            continue
        sides = (node.left, *node.comparators)
        if any(isinstance(side, ast.Constant) and isinstance(side.value, int | None) for side in sides):
            continue
        if any(isinstance(side, ast.Call) and ast.unparse(side.func) == "len" for side in sides):
            continue
        if any(WORDS.search(word) for side in sides for word in words_of(side)):
            yield ast.unparse(node)


def test_every_comparison_of_what_may_be_a_secret_was_reviewed() -> None:
    """One that is new: use hmac.compare_digest, or say here why it need not be."""
    found = {
        (place, comparison)
        for top in ("engine", "services", "gateway")
        for path in (ROOT / top).rglob("*.py")
        if (place := str(path.relative_to(ROOT))) not in REVIEWED_FILES
        for comparison in comparisons(path.read_text())
    }
    assert found - REVIEWED.keys() == set()
    assert REVIEWED.keys() - found == set(), "gone: strike it off the list"


def test_keys_and_snapshots_are_compared_in_constant_time() -> None:
    """The two places where what was stored meets what was presented or computed with a secret."""
    for name in ("services/identity/key_ring.py", "services/rules/match/snapshots.py"):
        assert "hmac.compare_digest(" in (ROOT / name).read_text()


def test_a_comparison_of_secrets_is_seen() -> None:
    assert list(comparisons("if stored.hash == presented: pass")) == ["stored.hash == presented"]
    assert list(comparisons("if token != wanted: pass")) == ["token != wanted"]
    assert list(comparisons("if hmac.compare_digest(token, wanted): pass")) == []
    assert list(comparisons("if len(secret) != 32 or seats == 2: pass")) == []
