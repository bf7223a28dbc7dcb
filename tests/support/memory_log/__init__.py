"""A log in memory: the second `MoveLog`, which shows that the protocol states everything its users depend on.

The duplication is intended. The contract tests of tests/services/movelog check every rule of the log on both, so a rule
that only Postgres (or only Python) keeps is found. And tests over hundreds of generated matches need a fresh log for each
example, which takes microseconds here, but tenths of a second with a database. Where a single log is enough, tests use
Postgres. No product code imports it.
"""
