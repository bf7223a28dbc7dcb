"""The SQL of a platform's notes about matches, named. A match without notes has no row."""

from __future__ import annotations

from typing import Final

NOTED: Final = """annotated AS (
    INSERT INTO match_notes (match_id, tenant, reference, metadata)
    SELECT created.id, created.tenant, {reference}::text, {metadata}::text FROM created
    WHERE {reference}::text <> '' OR {metadata}::text <> '{{}}'
)"""
"""Written with a new match. A reference that another match has makes the whole statement fail."""

NOTES: Final = "SELECT reference, metadata, changed FROM match_notes WHERE match_id = $1::uuid"

HOLD: Final = "SELECT version, tenant FROM matches WHERE id = $1::uuid FOR NO KEY UPDATE"
"""Lets one change at a time read the notes that it changes."""

CHANGE: Final = """
WITH changed AS (
    UPDATE matches SET title = coalesce($2::text, title), visibility = coalesce($3::text, visibility),
           revocations = revocations + (visibility <> coalesce($3::text, visibility))::int4
    WHERE id = $1::uuid AND (title, visibility) IS DISTINCT FROM (coalesce($2::text, title), coalesce($3::text, visibility))
)
INSERT INTO match_notes (match_id, tenant, reference, metadata, changed)
SELECT id, tenant, $4::text, $5::text, true FROM matches WHERE id = $1::uuid
ON CONFLICT (match_id) DO UPDATE
SET reference = excluded.reference, metadata = excluded.metadata, changed = true
"""
"""Follows HOLD as a separate statement. A reference that another match has makes it fail. Another visibility counts as a revocation,
since it ends the rights of those who have no credential for the match: whoever lost the wake-up notices by that number."""

REFERRED: Final = """
SELECT coalesce(matches.original_id, matches.id) AS known_as
FROM match_notes JOIN matches ON matches.id = match_notes.match_id
WHERE match_notes.tenant = $1::text AND match_notes.reference = $2::text AND match_notes.reference <> ''
"""

OF_TENANT: Final = "jsonb_set('{}'::jsonb, ARRAY[match_notes.tenant], match_notes.metadata::jsonb)"
"""The metadata as the index `match_notes_by_metadata` has it: under its tenant, so that what one tenant looks for costs nothing
for the matches of others. The words are those of the migration, or Postgres would not use the index."""
