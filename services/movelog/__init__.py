"""The log in Postgres: append, read, watch.

=================  ====================================================================
file               what it answers
=================  ====================================================================
records.py         the rows, as the rest of the house knows them
log.py             the protocol every log fulfils
lobby.py           the protocol of seats: who takes one, gives it back, begins without it
failures.py        how a log says no
chain.py           the hash chain over a match
checks.py          what every log refuses, beyond types
postgres.py        the log in Postgres: creating, finding, reading
postgres_lobby.py  its seats
seat_requests.py   forgets what was asked long ago
asking.py          asking Postgres, and saying that it did not answer
group_commit.py    appends that wait at the same moment share a transaction
writer.py          one batch of appends: one statement, and an answer for each
lane.py, lanes.py  the connections for appends
binary.py, rows.py from records to Postgres's binary form, and back from its rows
queries.py         the SQL, named; lobby_queries.py that of seats
watchers.py        who waits for a match in this process
wakeups.py         who is told that a match moved on, across processes
memory.py          the same log in memory, for tests and for trying things out
memory_lobby.py    its seats
=================  ====================================================================
"""
