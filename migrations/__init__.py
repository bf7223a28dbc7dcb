"""The database schema as a list of migration steps from the empty database. Alembic runs them; they are plain SQL.

A step is a file in `versions/`, numbered in order: `0002_webhooks.py` has revision "0002". Steps expand
first and contract in a later release, so that the release before still runs on the new schema: a step
that takes something away raises `schema_support.oldest_code`. When a step is added,
`services.postgres.database.REVISION` is raised with it; a test compares the two. docs/run/upgrading.md says what a step must not do.
"""
