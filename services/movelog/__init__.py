"""The log in Postgres: append, read, watch.

=================  ====================================================================
file               what it answers
=================  ====================================================================
records.py         the rows, as the rest of the house knows them
log.py             the protocol every log fulfils, and how it says no
chain.py           the hash chain over a match
postgres.py        the log in Postgres
group_commit.py    appends that wait at the same moment share a transaction
queries.py         the SQL, named
wakeups.py         who is told that a match moved on, across processes
memory.py          the same log in memory, for tests and for trying things out
=================  ====================================================================
"""
